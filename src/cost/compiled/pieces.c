/* SPDX-License-Identifier: BSD-3-Clause */
/* See pieces.h. The place of a loop's last jump tells the source's loop, because compilers give it the place of the
 * condition or of the step. */
#include "cost/compiled/pieces.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Which functions the entry reaches ---- */

/* The name of a function that the compiler may have specialised: "rows.constprop.0". "rows._omp_fn.0" is a parallel
 * region in it, which threads call. */
static bool is_named(const AssemblyFunction *function, const char *name)
{
    size_t length = strcspn(name, "@"); /* behind it, the file of a static function */
    return strncmp(function->name, name, length) == 0 && strchr(".", function->name[length]) &&
           !strstr(function->name, "._omp_fn.");
}

static bool is_call_of(const Instruction *instruction, const char *name)
{
    const char *operand = strchr(instruction->text, '\t');
    if (!operand || !(instruction_is(instruction, "call") || instruction_is(instruction, "jmp")))
        return false;
    size_t length = strlen(name);
    return strncmp(operand + 1, name, length) == 0 && strchr("@", operand[1 + length]);
}

static size_t count_calls(const AssemblyFunction *function, const char *name)
{
    InstructionCursor cursor = {.function = function, .loop = -1};
    const Instruction *instruction;
    size_t n = 0;
    while ((instruction = assembly_next(&cursor)) != NULL)
        n += is_call_of(instruction, name);
    return n;
}

/* Whether the function takes the address of another one: "leaq rows._omp_fn.0(%rip), %rdi". */
static bool takes_address(const AssemblyFunction *function, const char *name)
{
    InstructionCursor cursor = {.function = function, .loop = -1};
    const Instruction *instruction;
    size_t length = strlen(name);
    while ((instruction = assembly_next(&cursor)) != NULL) {
        const char *operands = strchr(instruction->text, '\t'), *found = operands ? strstr(operands, name) : NULL;
        if (found && strchr("\t ,$", found[-1]) && found[length] && strchr("(@,", found[length]))
            return true;
    }
    return false;
}

static void reach(const Assembly *assembly, size_t from, bool *is_reached)
{
    const AssemblyFunction *function = &assembly->functions[from];
    is_reached[from] = true;
    for (size_t i = 0; i < assembly->n_functions; i++) {
        const char *name = assembly->functions[i].name;
        if (!is_reached[i] && (count_calls(function, name) || takes_address(function, name)))
            reach(assembly, i, is_reached);
    }
}

/* ---- Units ---- */

static int unit_at(const CompiledRegions *regions, const Instruction *instruction)
{
    return instruction ? regions_unit(regions, regions_at(regions, instruction->line, instruction->column)) : -1;
}

static bool is_loop(const CompiledRegions *regions, int unit)
{
    return unit >= 0 && regions->items[unit].kind == COMPILED_LOOP;
}

/* The piece's instructions, with those of inner loops; and without. */
static InstructionCursor all_of(const Piece *piece)
{
    return (InstructionCursor){.function = piece->function, .loop = piece->loop};
}

static InstructionCursor own_of(const Piece *piece)
{
    return (InstructionCursor){.function = piece->function, .loop = piece->loop, .without_inner = true};
}

bool piece_contains(const Piece *piece, const CompiledRegions *regions, int unit)
{
    InstructionCursor cursor = own_of(piece);
    const Instruction *instruction;
    while ((instruction = assembly_next(&cursor)) != NULL)
        if (unit_at(regions, instruction) == unit)
            return true;
    return false;
}

bool piece_is_within(const Piece *inner, const Piece *outer)
{
    int loop = inner->loop;
    if (inner->function != outer->function)
        return false;
    while (loop >= 0 && loop != outer->loop)
        loop = inner->function->loops[loop].outer;
    return loop == outer->loop;
}

bool pieces_has_inside(const Pieces *pieces, const Piece *piece, int unit)
{
    for (size_t i = 0; i < pieces->n; i++) {
        const Piece *inner = &pieces->items[i];
        if (inner != piece && inner->loop >= 0 && inner->unit == unit && piece_is_within(inner, piece))
            return true;
    }
    return false;
}

bool unit_is_around(const CompiledRegions *regions, int outer, int unit)
{
    while (unit >= 0 && unit != outer)
        unit = regions_outer_unit(regions, unit);
    return unit == outer;
}

/* Whether the other one is a compiled loop in the piece, for a loop in the unit. */
static bool is_nested(const Piece *piece, const Piece *other, const CompiledRegions *regions, int unit)
{
    return other->loop >= 0 && other->unit >= 0 && other->unit != unit && piece_is_within(other, piece) &&
           unit_is_around(regions, unit, other->unit);
}

/* Whether a loop in this one does the unit's work. One for a case that doesn't happen lacks the loops of the unit that
 * this one has: compilers copy the test of a loop's condition. */
static bool is_done_inside(const Pieces *pieces, const Piece *piece, const CompiledRegions *regions, int unit)
{
    for (size_t i = 0; i < pieces->n; i++) {
        const Piece *nested = &pieces->items[i];
        bool is_left = is_nested(piece, nested, regions, unit);
        for (size_t k = 0; is_left && k < pieces->n; k++) {
            const Piece *inner = &pieces->items[k];
            is_left = inner == piece || inner->loop < 0 || inner->unit != unit || !piece_is_within(inner, piece) ||
                      !piece_is_within(nested, inner);
        }
        if (is_left)
            return false;
    }
    return pieces_has_inside(pieces, piece, unit);
}

/* Whether the piece has a compiled loop for one in the unit. */
static bool has_nested(const Pieces *pieces, const Piece *piece, const CompiledRegions *regions, int unit)
{
    for (size_t i = 0; i < pieces->n; i++)
        if (is_nested(piece, &pieces->items[i], regions, unit))
            return true;
    return false;
}

/* A loop in which loops stand that follow each other in the source is the one around them; but not for single
 * instructions, which compilers move from loop to loop, if it has a compiled loop of its own unit. */
static int unit_around_all(const Pieces *pieces, const Piece *piece, const CompiledRegions *regions, int unit)
{
    InstructionCursor cursor = all_of(piece);
    const Instruction *instruction;
    int found = unit;
    if (has_nested(pieces, piece, regions, unit))
        return unit;
    while ((instruction = assembly_next(&cursor)) != NULL) {
        int other = unit_at(regions, instruction), common = found;
        if (!is_loop(regions, other) || unit_is_around(regions, other, found))
            continue;
        while (common >= 0 && !unit_is_around(regions, common, other))
            common = regions_outer_unit(regions, common);
        found = is_loop(regions, common) ? common : found;
    }
    return found;
}

/* Of a loop whose last jump has no place, or the place of an inner loop `inside` (-1: none): the source's loop, not in
 * this one and of which none is inside, from which most of its instructions come. */
static int unit_of_most(const Pieces *pieces, const Piece *piece, const CompiledRegions *regions, int inside,
                        Arena *arena)
{
    InstructionCursor cursor = own_of(piece);
    const Instruction *instruction;
    unsigned *n = arena_new_array(arena, unsigned, regions->n);
    int best = -1;
    while ((instruction = assembly_next(&cursor)) != NULL) {
        int unit = unit_at(regions, instruction);
        if (is_loop(regions, unit) && (++n[unit], best < 0 || n[unit] > n[best]) &&
            !(inside >= 0 && unit_is_around(regions, inside, unit)) && !is_done_inside(pieces, piece, regions, unit))
            best = unit;
    }
    return best;
}

static int unit_of_loop(const Pieces *pieces, const Piece *piece, const CompiledRegions *regions, Arena *arena)
{
    int unit = unit_at(regions, piece->function->loops[piece->loop].latch);
    if (!is_loop(regions, unit))
        return unit_of_most(pieces, piece, regions, -1, arena);
    unit = unit_around_all(pieces, piece, regions, unit);
    int other = pieces_has_inside(pieces, piece, unit) ? unit_of_most(pieces, piece, regions, unit, arena) : -1;
    return other >= 0 ? other : unit; /* the compiled loop may have a second head */
}

/* Of a recursion, the compiler may put several levels into one; how many isn't known. */
static int unit_of_function(const AssemblyFunction *function, const CompiledRegions *regions)
{
    for (size_t i = 0; i < regions->n; i++) {
        const CompiledRegion *region = &regions->items[i];
        if (region->kind == COMPILED_FUNCTION && is_named(function, region->function) &&
            !regions_is_elsewhere(regions, (int)i))
            return count_calls(function, function->name) == region->n_self_calls ? (int)i : -1;
    }
    return -1;
}

/* ---- Vector instructions ---- */

static bool is_vector(const char *text)
{
    static const char *const ends[] = {"pd\t", "ps\t", "dqu\t", "dqa\t", "dqu8\t", "dqu64\t", "dqa64\t"};
    size_t length = strcspn(text, "\t") + 1;
    bool has_vector = strstr(text, "%xmm") || strstr(text, "%ymm") || strstr(text, "%zmm");
    const char *plain = text + (*text == 'v');
    for (size_t i = 0; has_vector && i < sizeof ends / sizeof *ends; i++)
        if (length >= strlen(ends[i]) && strncmp(text + length - strlen(ends[i]), ends[i], strlen(ends[i])) == 0)
            return true;
    return has_vector && *plain == 'p' && strncmp(plain, "pxor", 4) != 0;
}

static bool has_vectors(const Piece *piece)
{
    InstructionCursor cursor = all_of(piece);
    const Instruction *instruction;
    while ((instruction = assembly_next(&cursor)) != NULL)
        if (is_vector(instruction->text))
            return true;
    return false;
}

static bool has_inner(const Piece *piece)
{
    for (size_t i = 0; i < piece->function->n_loops; i++)
        if (piece->function->loops[i].outer == piece->loop)
            return true;
    return false;
}

static const ReportedLoop *reported_of(int unit, const CompiledRegions *regions, const Report *report)
{
    return unit >= 0 ? report_of(report, regions->items[unit].place.line) : NULL;
}

static unsigned factor_of(const Piece *piece, const CompiledRegions *regions, const Report *report)
{
    const ReportedLoop *reported = reported_of(piece->unit, regions, report);
    if (!reported)
        return 1;
    unsigned factor = has_inner(piece) ? reported->jammed : has_vectors(piece) ? reported->factor : 1;
    return factor ? factor : 1;
}

static size_t count_place(const Piece *piece, const Instruction *like)
{
    InstructionCursor cursor = all_of(piece);
    const Instruction *instruction;
    size_t n = 0;
    while ((instruction = assembly_next(&cursor)) != NULL)
        n += instruction->line == like->line && instruction->column == like->column;
    return n;
}

static int by_value(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Instructions of the first loop whose place in the source is also one of the second's. */
static size_t count_common(const Piece *piece, const Piece *other)
{
    InstructionCursor cursor = all_of(piece);
    const Instruction *instruction;
    size_t n = 0;
    while ((instruction = assembly_next(&cursor)) != NULL)
        n += count_place(other, instruction) > 0;
    return n;
}

/* How often the first loop has what the second has once: the median over the places in the source that both have, since
 * loops have their condition and step once. 1 if they have none. */
static double times_as_often(const Piece *piece, const Piece *other)
{
    VEC(double) times = {0};
    VEC(const Instruction *) places = {0};
    InstructionCursor cursor = all_of(other);
    const Instruction *instruction;
    while ((instruction = assembly_next(&cursor)) != NULL) {
        size_t n = count_place(piece, instruction), i = 0;
        while (i < places.count &&
               (places.items[i]->line != instruction->line || places.items[i]->column != instruction->column))
            i++;
        if (!n || i < places.count)
            continue;
        *vec_push(&places) = instruction;
        *vec_push(&times) = (double)n / (double)count_place(other, instruction);
    }
    if (times.count)
        qsort(times.items, times.count, sizeof *times.items, by_value);
    double median = times.count ? times.items[times.count / 2] : 1;
    vec_free(&places);
    vec_free(&times);
    return median;
}

static bool is_plain(const Piece *piece)
{
    return piece->loop >= 0 && piece->unit >= 0 && piece->factor == 1 && !has_inner(piece);
}

/* gcc doesn't report loops that it unrolls to keep values in registers. What is left over runs in a second loop: the
 * first one has each of its places several times. */
static void find_unrolled(Pieces *pieces)
{
    unsigned *factors = memory_zeroed(pieces->n, sizeof *factors);
    for (size_t i = 0; i < pieces->n; i++)
        for (size_t k = 0; k < pieces->n; k++) {
            const Piece *piece = &pieces->items[i], *rest = &pieces->items[k];
            if (i == k || !is_plain(piece) || !is_plain(rest) || piece->unit != rest->unit ||
                piece->function != rest->function)
                continue;
            unsigned factor = (unsigned)(times_as_often(piece, rest) + 0.5);
            factors[i] = factors[i] > factor ? factors[i] : factor;
        }
    for (size_t i = 0; i < pieces->n; i++)
        pieces->items[i].factor = factors[i] > 1 ? factors[i] : pieces->items[i].factor;
    free(factors);
}

/* Iterations of a jammed loop that are left over run in a loop that has each place less often. */
static void find_jammed_rest(Pieces *pieces)
{
    for (size_t i = 0; i < pieces->n; i++)
        for (size_t k = 0; k < pieces->n; k++) {
            Piece *rest = &pieces->items[i];
            const Piece *piece = &pieces->items[k];
            if (i == k || rest->loop < 0 || rest->unit < 0 || rest->factor == 1 || !has_inner(rest) ||
                !has_inner(piece) || piece->unit != rest->unit || piece->function != rest->function ||
                piece_is_within(rest, piece) || piece_is_within(piece, rest))
                continue;
            if (2 * count_common(piece, rest) > 3 * count_common(rest, piece))
                rest->factor = 1;
        }
}

/* Multiplies the factors of loops in one whose iterations they do at once. */
static void find_jammed(Pieces *pieces)
{
    for (size_t i = 0; i < pieces->n; i++) {
        Piece *piece = &pieces->items[i];
        const Piece *outer =
            piece->loop >= 0 ? pieces_loop(pieces, piece->function, piece->function->loops[piece->loop].outer) : NULL;
        bool is_jammed = outer && outer->loop >= 0 && outer->factor > 1 && !has_inner(piece);
        piece->jammed = is_jammed ? outer->factor : 1;
        piece->factor *= piece->jammed;
    }
}

/* ---- All pieces ---- */

static size_t count_inner(const Pieces *pieces, const Piece *piece)
{
    size_t n = 0;
    for (size_t i = 0; i < pieces->n; i++) {
        const Piece *inner = &pieces->items[i];
        bool is_first =
            inner->loop >= 0 && inner->unit >= 0 && inner->unit != piece->unit && piece_is_within(inner, piece);
        for (size_t k = 0; k < i && is_first; k++)
            is_first = pieces->items[k].unit != inner->unit || !piece_is_within(&pieces->items[k], piece);
        n += is_first;
    }
    return n;
}

static void add_pieces(const AssemblyFunction *function, const CompiledRegions *regions, const Report *report,
                       Arena *arena, Pieces *pieces)
{
    for (size_t i = function->n_loops; i-- > 0;) {
        Piece *piece = &pieces->items[pieces->n];
        *piece = (Piece){.function = function, .loop = (int)i};
        piece->unit = unit_of_loop(pieces, piece, regions, arena);
        const ReportedLoop *reported = reported_of(piece->unit, regions, report);
        piece->parts = reported && reported->parts ? reported->parts : 1;
        piece->factor = factor_of(piece, regions, report);
        pieces->n++;
    }
    pieces->items[pieces->n++] = (Piece){.function = function,
                                         .loop = -1,
                                         .unit = unit_of_function(function, regions),
                                         .factor = 1,
                                         .jammed = 1,
                                         .parts = 1};
}

/* Whether the first loop also does work of the second one, and not only tests its condition, which is where the last
 * jump is. */
static bool does_work_of(const Piece *piece, const Piece *inner)
{
    const Instruction *latch = inner->function->loops[inner->loop].latch, *instruction;
    InstructionCursor cursor = all_of(inner);
    while ((instruction = assembly_next(&cursor)) != NULL) {
        bool is_condition = latch && instruction->line == latch->line && instruction->column == latch->column;
        if (instruction->line && !is_condition && count_place(piece, instruction))
            return true;
    }
    return false;
}

/* Whether the loop does without the work of a loop in the other one. */
static bool lacks_inner_of(const Pieces *pieces, const Piece *piece, const Piece *other)
{
    for (size_t i = 0; i < pieces->n; i++) {
        const Piece *inner = &pieces->items[i];
        if (inner->unit >= 0 && inner->unit != other->unit && piece_is_within(inner, other) &&
            !does_work_of(piece, inner))
            return true;
    }
    return false;
}

/* Whether the other loop, of the same unit, does its work instead of this one. */
static bool does_instead(const Pieces *pieces, const CompiledRegions *regions, const Piece *other, const Piece *piece)
{
    if (other == piece || other->function != piece->function || other->unit != piece->unit ||
        piece_is_within(other, piece))
        return false;
    if (piece_is_within(piece, other))
        return !is_done_inside(pieces, other, regions, other->unit);
    return other->factor > piece->factor ||
           (piece->parts == 1 && !piece->n_inner && lacks_inner_of(pieces, piece, other));
}

/* Of several versions of a loop, those do its work that do most iterations at once. A version for the case that loops
 * in it don't run, as if (n <= 0), doesn't. */
static void find_main(Pieces *pieces, const CompiledRegions *regions)
{
    for (size_t i = 0; i < pieces->n; i++)
        pieces->items[i].n_inner = count_inner(pieces, &pieces->items[i]);
    for (size_t i = 0; i < pieces->n; i++) {
        Piece *piece = &pieces->items[i];
        piece->is_main = piece->loop < 0 || !is_done_inside(pieces, piece, regions, piece->unit);
        for (size_t k = 0; k < pieces->n && piece->is_main; k++)
            piece->is_main = !does_instead(pieces, regions, &pieces->items[k], piece);
    }
}

Pieces *pieces_find(const Assembly *assembly, const char *entry, const CompiledRegions *regions, const Report *report,
                    Arena *arena)
{
    bool *is_reached = arena_new_array(arena, bool, assembly->n_functions);
    Pieces *pieces = arena_alloc(arena, sizeof *pieces);
    size_t n = 0, at = 0;
    while (entry && at < assembly->n_functions && strcmp(assembly->functions[at].name, entry) != 0)
        at++;
    if (at == assembly->n_functions)
        return NULL;
    for (size_t i = 0; i < assembly->n_functions; i++)
        if (!entry || i == at)
            reach(assembly, i, is_reached);
    for (size_t i = 0; i < assembly->n_functions; i++)
        n += is_reached[i] ? assembly->functions[i].n_loops + 1 : 0;
    pieces->items = arena_new_array(arena, Piece, n);
    add_pieces(&assembly->functions[at], regions, report, arena, pieces);
    for (size_t i = 0; i < assembly->n_functions; i++)
        if (is_reached[i] && i != at)
            add_pieces(&assembly->functions[i], regions, report, arena, pieces);
    find_jammed_rest(pieces);
    find_jammed(pieces);
    find_unrolled(pieces);
    find_main(pieces, regions);
    return pieces;
}

const Piece *pieces_loop(const Pieces *pieces, const AssemblyFunction *function, int loop)
{
    for (size_t i = 0; i < pieces->n; i++)
        if (pieces->items[i].function == function && pieces->items[i].loop == loop)
            return &pieces->items[i];
    return NULL;
}

const Piece *pieces_of_unit(const Pieces *pieces, int unit)
{
    const Piece *found = NULL;
    for (size_t i = 0; i < pieces->n; i++) {
        const Piece *piece = &pieces->items[i];
        if (piece->unit == unit && piece->is_main && (!found || piece->n_inner > found->n_inner))
            found = piece;
    }
    return found;
}

bool assembly_has_function(const Assembly *assembly, const char *name)
{
    for (size_t i = 0; i < assembly->n_functions; i++)
        if (is_named(&assembly->functions[i], name))
            return true;
    return false;
}
