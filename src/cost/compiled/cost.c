/* SPDX-License-Identifier: BSD-3-Clause */
/* Cycles of functions and loops. A walk through a loop also goes through inner loops, if an iteration then isn't
 * longer than what a processor looks ahead: so it overlaps their iterations with what is behind. The walk of a loop
 * with long inner loops passes these by, and their cycles count by themselves. */
#include "base/vec.h"
#include "cost/compiled/branches.h"
#include "cost/compiled/compile.h"
#include "cost/compiled/pieces.h"
#include "cost/compiled/scheduler.h"

#include <math.h>

/* Instructions of an iteration whose inner loops are walked; of a walk; its iterations. */
static const double LOOKED_AHEAD = 1200;
enum { WALKED_INSTRUCTIONS = 5000, WALKED_TRIPS = 60 };
/* What a library's function, into which gcc made a loop, takes for each of its iterations. */
static const double CYCLES_IN_CALL = 0.25;

/* A piece that was walked. */
typedef struct Costing {
    const Piece *piece;
    Walked walked; /* no trips: not walked */
    double *trips; /* [n_loops of the function] trips of inner loops, each time they are reached; below 0: passed by */
    double size;   /* instructions of an iteration, with those of inner loops */
    double cycles; /* of an iteration of the source, with those of inner loops that were walked */
} Costing;

typedef struct CompiledWalks {
    const CompiledCode *code;
    CompiledRegions *regions;
    const Pieces *pieces;
    Costing *costings; /* [pieces->n] */
    Arena *arena;
} Work;

static double count_of(const Work *work, int region)
{
    return region >= 0 ? work->regions->items[region].count : 0;
}

static Costing *costing_of(const Work *work, const Piece *piece)
{
    return &work->costings[piece - work->pieces->items];
}

/* How often a block runs, each time that its loop or function does: the least of its instructions. */
static double share_of(const Work *work, const BasicBlock *block)
{
    double share = 1;
    for (size_t i = 0; i < block->n_instructions; i++) {
        int region = regions_at(work->regions, block->instructions[i].line, block->instructions[i].column);
        double around = count_of(work, regions_unit(work->regions, region));
        if (region >= 0)
            share = fmin(share, around > 0 ? count_of(work, region) / around : 0);
    }
    return share;
}

/* Iterations of the compiled loop each time that it is reached; below 0: it is passed by. */
static double trips_of(const Work *work, const Piece *outer, const Piece *inner)
{
    const Costing *costing = costing_of(work, inner);
    if (inner->unit < 0 || inner->unit == outer->unit || !inner->is_main || !(costing->walked.trips > 0))
        return -1;
    double reached = count_of(work, work->regions->items[inner->unit].outer);
    double trips = reached > 0 ? count_of(work, inner->unit) / reached * inner->jammed / inner->factor : -1;
    return trips * costing->size > LOOKED_AHEAD ? -1 : trips;
}

/* Copies of the same loop of the source in a loop or function, of which each entry takes one, or all of its parts. */
static double copies_of(const Work *work, const Piece *outer, const Piece *inner)
{
    double n = 0;
    for (size_t i = 0; i < outer->function->n_loops; i++) {
        const Piece *other = pieces_loop(work->pieces, outer->function, (int)i);
        n += outer->function->loops[i].outer == outer->loop && other->unit == inner->unit && other->is_main;
    }
    return fmax(1, n / inner->parts);
}

/* Iterations of an inner compiled loop in an iteration of the outer one, by the source. */
static double expected_trips(const Work *work, const Piece *outer, const Piece *inner)
{
    double around = count_of(work, outer->unit);
    return around > 0
               ? count_of(work, inner->unit) / around * outer->factor / inner->factor / copies_of(work, outer, inner)
               : 0;
}

static void walk_piece(const Work *work, Costing *costing)
{
    const Piece *piece = costing->piece;
    const AssemblyFunction *function = piece->function;
    double *share = arena_new_array(work->arena, double, function->n_blocks);
    costing->trips = arena_new_array(work->arena, double, function->n_loops);
    for (size_t i = 0; i < function->n_blocks; i++)
        share[i] = share_of(work, &function->blocks[i]);
    for (size_t i = 0; i < function->n_loops; i++) {
        const Piece *inner = pieces_loop(work->pieces, function, (int)i);
        bool is_walked = inner < piece; /* inner ones come first */
        costing->trips[i] = is_walked ? trips_of(work, piece, inner) : -1;
    }
    const WalkPlan plan = {function, piece->loop, share, costing->trips};
    if (!(count_of(work, piece->unit) > 0) || !piece->is_main)
        return;
    if (!walk(&plan, WALKED_TRIPS, WALKED_INSTRUCTIONS, work->arena, &costing->walked))
        costing->walked.trips = 0;
    if (!(costing->walked.trips > 0))
        return;
    costing->size = (double)costing->walked.instructions.count / costing->walked.trips;
    for (size_t i = 0; i < function->n_loops; i++) {
        const Piece *inner = pieces_loop(work->pieces, function, (int)i);
        if (function->loops[i].outer == piece->loop && inner->unit >= 0 && inner->is_main)
            costing->size +=
                fmax(0, expected_trips(work, piece, inner) - costing->walked.inner[i] / costing->walked.trips) *
                costing_of(work, inner)->size;
    }
}

bool compiled_schedule(CompiledWalks *const *all, size_t n, Arena *arena, Err *err)
{
    VEC(Stream) streams = {0};
    VEC(Costing *) costings = {0};
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < all[i]->pieces->n; k++) {
            Costing *costing = &all[i]->costings[k];
            if (!(costing->walked.trips > 0))
                continue;
            *vec_push(&streams) = (Stream){&costing->walked, -1};
            *vec_push(&costings) = costing;
        }
    bool fine = !streams.count || scheduler_run(streams.items, streams.count, all[0]->code->scheduler, arena, err);
    for (size_t i = 0; fine && i < streams.count; i++)
        costings.items[i]->cycles = streams.items[i].cycles / costings.items[i]->walked.trips;
    vec_free(&streams);
    vec_free(&costings);
    return fine;
}

static bool is_included(const Costing *costing, int loop)
{
    return costing->trips[loop] >= 0;
}

/* Corrects the cycles of a piece by inner loops that the walk met less or more often than the source says. */
static void add_inner(const Work *work, Costing *costing)
{
    const Piece *piece = costing->piece;
    if (!(costing->walked.trips > 0))
        return;
    for (size_t i = 0; i < piece->function->n_loops; i++) {
        if (piece->function->loops[i].outer != piece->loop || !is_included(costing, (int)i))
            continue;
        const Piece *inner = pieces_loop(work->pieces, piece->function, (int)i);
        double more = expected_trips(work, piece, inner) - costing->walked.inner[i] / costing->walked.trips;
        costing->cycles += more * costing_of(work, inner)->cycles * inner->factor;
    }
    costing->cycles = fmax(0, costing->cycles) / piece->factor;
}

/* ---- What regions cost ---- */

/* Of a loop that was distributed: the mean of all, times how many do the work together. */
static double cycles_of_unit(const Work *work, const Piece *piece)
{
    double sum = 0;
    unsigned n = 0;
    for (size_t i = 0; piece->parts > 1 && i < work->pieces->n; i++) {
        const Piece *other = &work->pieces->items[i];
        if (other->function == piece->function && other->unit == piece->unit && other->is_main) {
            sum += work->costings[i].cycles;
            n++;
        }
    }
    return n ? sum / n * fmin(n, piece->parts) : costing_of(work, piece)->cycles;
}

/* Whether a loop's work is done by a compiled loop of one around it, into which it was unrolled. Its own compiled loop
 * then belongs to another version of the loop around, for data that overlap, or for what is left over. */
static bool is_elsewhere(const Work *work, const CompiledRegions *regions, int region, const Piece *own)
{
    for (int outer = regions_outer_unit(regions, region); outer >= 0 && regions->items[outer].kind == COMPILED_LOOP;
         outer = regions_outer_unit(regions, outer)) {
        const Piece *piece = pieces_of_unit(work->pieces, outer);
        if (piece && piece->function == own->function && !piece_is_within(own, piece) &&
            costing_of(work, piece)->walked.trips > 0 && piece_contains(piece, regions, region) &&
            !pieces_has_inside(work->pieces, piece, region))
            return true;
    }
    return false;
}

static void set_costs(const Work *work, CompiledRegions *regions)
{
    for (size_t i = 0; i < regions->n; i++) {
        const Piece *piece = regions->items[i].count > 0 ? pieces_of_unit(work->pieces, (int)i) : NULL;
        if (regions->items[i].kind == COMPILED_SIDE || !piece || !(costing_of(work, piece)->walked.trips > 0))
            continue;
        regions->items[i].is_compiled = true;
        if (regions->items[i].kind == COMPILED_FUNCTION || !is_elsewhere(work, regions, (int)i, piece))
            regions->items[i].cycles = cycles_of_unit(work, piece);
    }
    for (size_t i = 0; i < regions->n; i++) {
        const Piece *piece = regions->items[i].is_compiled ? pieces_of_unit(work->pieces, (int)i) : NULL;
        for (size_t k = 0; piece && k < piece->function->n_loops; k++)
            if (is_included(costing_of(work, piece), (int)k))
                regions->items[pieces_loop(work->pieces, piece->function, (int)k)->unit].cycles = 0;
    }
}

/* Whether the piece has a part of the unit. Of a loop in its own, a part of a loop in that one will do: where the
 * compiler unrolled both, the outer one may have no instruction. */
static bool has_part_of(const Piece *piece, const CompiledRegions *regions, int unit)
{
    bool is_inside = regions->items[unit].kind == COMPILED_LOOP && unit_is_around(regions, piece->unit, unit);
    for (size_t i = (size_t)unit + 1; is_inside && i < regions->n; i++)
        if (regions->items[i].kind == COMPILED_LOOP && unit_is_around(regions, unit, (int)i) &&
            piece_contains(piece, regions, (int)i))
            return true;
    return piece_contains(piece, regions, unit);
}

/* What has no compiled loop or function of its own, but is a part of one that has: the compiler unrolled it, or put it
 * in. */
static void set_absorbed(const Work *work, CompiledRegions *regions, const CompiledCode *code)
{
    for (size_t i = 0; i < regions->n; i++) {
        CompiledRegion *region = &regions->items[i];
        bool is_apart = region->kind == COMPILED_FUNCTION && assembly_has_function(code->assembly, region->function);
        if (region->kind == COMPILED_SIDE || region->is_compiled || !(region->count > 0) || is_apart ||
            regions_is_elsewhere(regions, (int)i))
            continue;
        const ReportedLoop *reported =
            region->kind == COMPILED_LOOP ? report_of(&code->report, region->place.line) : NULL;
        if (reported && reported->is_call) {
            region->is_compiled = true;
            region->cycles = CYCLES_IN_CALL;
        }
        for (size_t k = 0; k < work->pieces->n && !region->is_compiled; k++) {
            const Piece *piece = &work->pieces->items[k];
            region->is_compiled = piece->unit >= 0 && pieces_of_unit(work->pieces, piece->unit) == piece &&
                                  regions->items[piece->unit].count > 0 && costing_of(work, piece)->walked.trips > 0 &&
                                  has_part_of(piece, regions, (int)i);
        }
    }
}

/* Whether all calls of the function that run are in compiled loops and functions. */
static bool is_called_in_compiled(const CompiledRegions *regions, const char *function)
{
    bool is_called = false;
    for (size_t i = 0; i < regions->n_uses; i++) {
        const SourceExpression *call = regions->uses[i].expression;
        if (call->kind != SOURCE_CALL || !call->name || strcmp(call->name, function) != 0 ||
            !(regions->items[regions->uses[i].region].count > 0))
            continue;
        int unit = regions_unit(regions, regions->uses[i].region);
        if (unit < 0 || !regions->items[unit].is_compiled)
            return false;
        is_called = true;
    }
    return is_called;
}

/* Of a function that the compiler put into others, no instruction needs to be left: they may have become one with its
 * caller's, as those of a maximum of maxima, or be from a header, whose places aren't read. */
static void set_inlined(CompiledRegions *regions, const Assembly *assembly)
{
    for (bool changes = true; changes;) {
        changes = false;
        for (size_t i = 0; i < regions->n; i++) {
            CompiledRegion *region = &regions->items[i];
            if (region->kind != COMPILED_FUNCTION || region->is_compiled || !(region->count > 0) ||
                regions_is_elsewhere(regions, (int)i) || assembly_has_function(assembly, region->function) ||
                !is_called_in_compiled(regions, region->function))
                continue;
            region->is_compiled = changes = true;
        }
    }
}

bool compiled_walk(const CompiledCode *code, const char *entry, CompiledRegions *regions, Arena *arena,
                   CompiledWalks **walks, Err *err)
{
    const Pieces *pieces = pieces_find(code->assembly, entry, regions, &code->report, arena);
    if (!pieces)
        return err_set(err, ERR_ENVIRONMENT, "the assembler text has no function `%s`", entry);
    Work *work = arena_alloc(arena, sizeof *work);
    *work = (Work){code, regions, pieces, arena_new_array(arena, Costing, pieces->n), arena};
    for (size_t i = 0; i < pieces->n; i++) {
        work->costings[i].piece = &pieces->items[i];
        walk_piece(work, &work->costings[i]);
    }
    *walks = work;
    return true;
}

void compiled_set_costs(CompiledWalks *walks)
{
    for (size_t i = 0; i < walks->pieces->n; i++)
        add_inner(walks, &walks->costings[i]);
    set_costs(walks, walks->regions);
    set_absorbed(walks, walks->regions, walks->code);
    set_inlined(walks->regions, walks->code->assembly);
    branches_find(walks->pieces, walks->regions);
}
