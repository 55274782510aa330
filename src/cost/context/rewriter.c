/* SPDX-License-Identifier: BSD-3-Clause */
/* See rewriter.h. */
#include "cost/context/rewriter.h"

#include "base/vec.h"
#include "cost/compiled/lines.h"
#include "cost/context/learning.h"
#include "cost/context/live.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Regions of a model's nodes ---- */

static int find_side_of(const Rewriter *rewriter, const void *origin, unsigned side)
{
    for (size_t i = 0; origin && i < rewriter->regions->n; i++) {
        const CompiledRegion *region = &rewriter->regions->items[i];
        if (region->kind == COMPILED_SIDE && region->origin == origin && region->side == side)
            return (int)i;
    }
    return -1;
}

int rewriter_find_unit(const Rewriter *rewriter, const void *origin)
{
    for (size_t i = 0; origin && i < rewriter->regions->n; i++)
        if (rewriter->regions->items[i].kind != COMPILED_SIDE && rewriter->regions->items[i].origin == origin)
            return (int)i;
    return -1;
}

/* The function whose body the sub-model is: its comment ends with the name. Of a recursion, only the sub-model of a
 * single call is. */
static int find_function(const Rewriter *rewriter, const PamelaSub *sub)
{
    const char *found = sub->comment ? strrchr(sub->comment, ' ') : NULL;
    const char *name = found ? found + 1 : sub->name;
    if (pamela_find(rewriter->model, arena_printf(rewriter->arena, "%s_once", sub->name)))
        return -1;
    for (size_t i = 0; i < rewriter->regions->n; i++)
        if (rewriter->regions->items[i].kind == COMPILED_FUNCTION &&
            strcmp(rewriter->regions->items[i].function, name) == 0)
            return (int)i;
    return -1;
}

static int find_side(const Rewriter *rewriter, const PamelaNode *node, unsigned side)
{
    int found = find_side_of(rewriter, node->origin, side);
    return found < 0 && side == 0 ? find_side_of(rewriter, node->origin, COMPILED_CASE) : found;
}

/* ---- Nodes ---- */

static PamelaNode *operation(const Rewriter *rewriter, const char *name, const Expr *amount)
{
    PamelaNode *node = arena_alloc(rewriter->arena, sizeof *node);
    *node = (PamelaNode){.kind = PAMELA_OPERATION, .name = name, .amount = amount};
    return node;
}

static PamelaNode *sequence(const Rewriter *rewriter, PamelaNode *first, PamelaNode *second)
{
    PamelaNode *node = arena_alloc(rewriter->arena, sizeof *node);
    PamelaNode *const children[] = {first, second};
    *node = (PamelaNode){.kind = PAMELA_SEQUENCE,
                         .n_children = 2,
                         .children = arena_copy_array(rewriter->arena, children, 2, sizeof *children)};
    return node;
}

static const Expr *number(const Rewriter *rewriter, double value)
{
    return expr_rational(rewriter->model->space, (int64_t)llround(value * 65536), 65536);
}

static PamelaNode *with_amount(const Rewriter *rewriter, PamelaNode *node, CpuOperation of, double amount)
{
    const char *name = cpu_name(of, CPU_INT64, rewriter->arena);
    return amount > 0 ? sequence(rewriter, operation(rewriter, name, number(rewriter, amount)), node) : node;
}

/* What a run of the region adds, before what is in it. */
static PamelaNode *with_region(const Rewriter *rewriter, PamelaNode *node, int region)
{
    const CompiledRegion *own = region >= 0 ? &rewriter->regions->items[region] : NULL;
    if (!own)
        return node;
    if (rewriter->is_marking)
        return sequence(
            rewriter,
            operation(rewriter, rewriter_mark(region, rewriter->arena), expr_integer(rewriter->model->space, 1)), node);
    if (!own->is_compiled || own->kind == COMPILED_SIDE)
        return node;
    node = with_amount(rewriter, node, CPU_CYCLE, own->cycles);
    node = with_amount(rewriter, node, CPU_STREAM, own->lines);
    return with_amount(rewriter, node, CPU_LEAP, own->leaps);
}

/* ---- Operations in compiled code ---- */

/* Which part of a way down a tree, or through halves, one step of it is. A way that ends before the data are halved to
 * one line is a part of it, too. */
static double part_of_way(const Rewriter *rewriter, const CompiledRegion *loop)
{
    double reached = loop->outer >= 0 ? rewriter->regions->items[loop->outer].count : 0;
    double steps = reached > 0 ? loop->count / reached : 1;
    return 1 / fmax(fmax(1, steps), log2(fmax(1, rewriter->bytes / LINE_BYTES)));
}

/* The operation that remains of one: calls of the library, allocation, and how far data are. */
static bool remaining(const char *name, CpuOperation *operation, CpuType *type)
{
    if (!cpu_find(name, operation, type))
        return true;
    switch (*operation) {
    case CPU_FIELD:
        *operation = CPU_FOLLOW;
        return *type == CPU_REFERENCE;
    case CPU_STRAY:
        *operation = CPU_ROAM;
        return true;
    case CPU_SIN:
    case CPU_COS:
    case CPU_TAN:
    case CPU_EXP:
    case CPU_LOG:
    case CPU_POW:
    case CPU_MATH:
    case CPU_RANDOM:
    case CPU_PARSE:
    case CPU_FORMAT:
    case CPU_BLOCK:
    case CPU_STREAM:
    case CPU_ALLOCATE:
        return true;
    default:
        return false;
    }
}

static bool is_compiled(const Rewriter *rewriter, int unit)
{
    return !rewriter->is_marking && unit >= 0 && rewriter->regions->items[unit].is_compiled;
}

static PamelaNode *rewrite_operation(const Rewriter *rewriter, PamelaNode *node, int unit)
{
    CpuOperation found;
    CpuType type;
    if (!cpu_find(node->name, &found, &type))
        return node;
    const char *mark = found != CPU_ALLOCATE  ? NULL
                       : type == CPU_INT8     ? REWRITER_BYTES
                       : type == CPU_RECYCLED ? REWRITER_RECYCLED
                                              : NULL;
    if (rewriter->is_marking && mark)
        return sequence(rewriter, operation(rewriter, mark, node->amount), node);
    if (!is_compiled(rewriter, unit))
        return node;
    if (!remaining(node->name, &found, &type))
        return NULL;
    PamelaNode *copy = arena_copy_array(rewriter->arena, node, 1, sizeof *node);
    const CompiledRegion *own = &rewriter->regions->items[unit];
    if (found == CPU_FOLLOW && own->descends) {
        found = CPU_DESCEND;
        copy->amount =
            expr_multiply(rewriter->model->space, node->amount, number(rewriter, part_of_way(rewriter, own)));
    }
    copy->name = cpu_name(found, type, rewriter->arena);
    return copy;
}

/* ---- Models ---- */

static PamelaNode *empty(const Rewriter *rewriter)
{
    PamelaNode *node = arena_alloc(rewriter->arena, sizeof *node);
    node->kind = PAMELA_SEQUENCE;
    return node;
}

static PamelaNode *rewrite_all(const Rewriter *rewriter, const PamelaNode *node, int unit)
{
    PamelaNode *copy = arena_copy_array(rewriter->arena, node, 1, sizeof *node);
    PamelaNode **children = arena_new_array(rewriter->arena, PamelaNode *, node->n_children);
    size_t n = 0;
    for (size_t i = 0; i < node->n_children; i++) {
        PamelaNode *child = node->children[i] ? rewriter_rewrite(rewriter, node->children[i], unit) : NULL;
        if (child || node->kind != PAMELA_SEQUENCE)
            children[n++] = child ? child : empty(rewriter);
    }
    copy->children = children;
    copy->n_children = n;
    return copy;
}

/* ---- Surprises: branches that go another way than the processor expects ---- */

static bool has_name_of(const Rewriter *rewriter, const Expr *expr, const char *prefix)
{
    const char *const *names;
    size_t n = expr ? expr_symbols(rewriter->model->space, expr, &names) : 0;
    for (size_t i = 0; i < n; i++)
        if (strncmp(names[i], prefix, strlen(prefix)) == 0)
            return true;
    return false;
}

/* Where the condition needs a distant element, a processor finds out late that it was wrong. */
static PamelaNode *surprise(const Rewriter *rewriter, const CompiledRegion *region, double times)
{
    PamelaNode *node = operation(rewriter, cpu_name(CPU_SURPRISE, CPU_INT32, rewriter->arena), number(rewriter, times));
    return region->waits ? with_amount(rewriter, node, CPU_FOLLOW, times) : node;
}

/* The share of the conditional's runs in which this side runs. */
static double share_of_side(const Rewriter *rewriter, int side)
{
    const CompiledRegion *regions = rewriter->regions->items;
    int around = regions[side].outer;
    return around >= 0 && regions[around].count > 0 ? fmin(1, regions[side].count / regions[around].count) : 0.5;
}

static bool is_assumed(const Rewriter *rewriter, const Expr *probability)
{
    for (size_t i = 0; i < rewriter->n_assumed; i++)
        if (expr_has_symbol(probability, rewriter->assumed[i]))
            return true;
    return false;
}

/* Writes the surprises of a branch whose probability data tell as an operation, if the compiled code has the branch;
 * the probability becomes a number, so that they aren't counted once more. A processor expects the side that runs more
 * often; of a switch with many cases, none, nor does it learn them. */
static PamelaNode *with_surprises(const Rewriter *rewriter, PamelaNode *node, int unit, int side)
{
    if (!is_compiled(rewriter, unit) || side < 0 || !has_name_of(rewriter, node->amount, "Q_"))
        return node;
    const CompiledRegion *region = &rewriter->regions->items[side];
    double share = share_of_side(rewriter, side);
    bool is_case = region->side == COMPILED_CASE;
    double times = is_case                              ? share * (1 - share)
                   : is_assumed(rewriter, node->amount) ? REWRITER_ASSUMED_SURPRISE
                                                        : fmin(share, 1 - share);
    node->amount = number(rewriter, share);
    times *= is_case ? 1 : rewriter->remaining[side];
    return region->has_branch && times > 0 ? sequence(rewriter, surprise(rewriter, region, times), node) : node;
}

static PamelaNode *rewrite_if(const Rewriter *rewriter, const PamelaNode *node, int unit)
{
    PamelaNode *copy = rewrite_all(rewriter, node, unit);
    int sides[2] = {find_side(rewriter, node, 0), find_side(rewriter, node, 1)};
    if (rewriter->is_marking && sides[0] >= 0)
        rewriter->is_by_data[sides[0]] |= has_name_of(rewriter, node->amount, "Q_");
    PamelaNode **children = arena_new_array(rewriter->arena, PamelaNode *, 2);
    for (unsigned i = 0; i < 2; i++)
        children[i] = with_region(rewriter, copy->children[i], rewriter->is_marking ? sides[i] : -1);
    copy->children = children;
    return with_surprises(rewriter, copy, unit, sides[0]);
}

static PamelaNode *without_sequences(PamelaNode *node)
{
    while (node->kind == PAMELA_SEQUENCE && node->n_children == 1)
        node = node->children[0];
    return node;
}

/* Whether data tell when the loop ends. */
static bool ends_by_data(const Rewriter *rewriter, const PamelaNode *node)
{
    const PamelaNode *body = without_sequences(node->children[0]);
    return has_name_of(rewriter, node->to, "iterations_") || has_name_of(rewriter, node->to, "share_") ||
           has_name_of(rewriter, node->from, "share_") || /* of an index that counts down */
           (body->kind == PAMELA_IF && has_name_of(rewriter, body->amount, "share_"));
}

/* Of a loop that may end early, the share of its iterations that run is the probability of its body. */
static PamelaNode *with_iterations(const Rewriter *rewriter, PamelaNode *iteration, int region)
{
    PamelaNode *body = without_sequences(iteration);
    if (body->kind != PAMELA_IF || !has_name_of(rewriter, body->amount, "share_"))
        return with_region(rewriter, body, region);
    PamelaNode *copy = arena_copy_array(rewriter->arena, body, 1, sizeof *body);
    PamelaNode *const sides[] = {with_region(rewriter, body->children[0], region), body->children[1]};
    copy->children = arena_copy_array(rewriter->arena, sides, 2, sizeof *sides);
    return copy;
}

/* The end of a loop that seldom runs is no surprise; its beginning is one. */
static PamelaNode *rewrite_seq(const Rewriter *rewriter, const PamelaNode *node)
{
    int region = rewriter_find_unit(rewriter, node->origin);
    PamelaNode *copy = rewrite_all(rewriter, node, region);
    PamelaNode *const children[] = {with_iterations(rewriter, copy->children[0], region)};
    copy->children = arena_copy_array(rewriter->arena, children, 1, sizeof *children);
    if (rewriter->is_marking && region >= 0)
        rewriter->is_by_data[region] |= ends_by_data(rewriter, node);
    if (!is_compiled(rewriter, region) || !ends_by_data(rewriter, node))
        return copy;
    int around = rewriter->regions->items[region].outer;
    double reached = around >= 0 ? rewriter->regions->items[around].count : 0;
    double iterations = reached > 0 ? rewriter->regions->items[region].count / reached : 1;
    if (reached > 0 && has_name_of(rewriter, node->to, "iterations_"))
        copy->to = number(rewriter, iterations);
    double times = fmin(1, iterations) * rewriter->remaining[region];
    return sequence(rewriter, surprise(rewriter, &rewriter->regions->items[region], times), copy);
}

PamelaNode *rewriter_rewrite(const Rewriter *rewriter, PamelaNode *node, int unit)
{
    switch (node->kind) {
    case PAMELA_OPERATION:
        return rewrite_operation(rewriter, node, unit);
    case PAMELA_IF:
        return rewrite_if(rewriter, node, unit);
    case PAMELA_SEQ:
        return rewrite_seq(rewriter, node);
    default:
        return rewrite_all(rewriter, node, unit);
    }
}

PamelaNode *rewriter_rewrite_sub(const Rewriter *rewriter, const PamelaSub *sub)
{
    int region = find_function(rewriter, sub);
    PamelaNode *node = with_region(rewriter, rewriter_rewrite(rewriter, sub->body, region), region);
    bool is_entry = region >= 0 && strcmp(rewriter->regions->items[region].function, rewriter->entry) == 0;
    double bytes = is_entry && !rewriter->is_marking ? rewriter->live : 0;
    const char *name = cpu_name(CPU_ALLOCATE, CPU_LIVE, rewriter->arena);
    return bytes > 0 ? sequence(rewriter, operation(rewriter, name, number(rewriter, bytes)), node) : node;
}

/* ---- Counts ---- */

const char *rewriter_mark(int region, Arena *arena)
{
    return arena_printf(arena, REWRITER_MARKS "%d", region);
}

bool rewriter_is_mark(const char *name)
{
    return strncmp(name, REWRITER_MARKS, strlen(REWRITER_MARKS)) == 0;
}

void rewriter_take(Rewriter *rewriter, const char *mark, double amount)
{
    int region;
    if (strcmp(mark, REWRITER_BYTES) == 0)
        rewriter->bytes = amount;
    else if (strcmp(mark, REWRITER_RECYCLED) == 0)
        rewriter->recycled = amount;
    else if (sscanf(mark, REWRITER_MARKS "%d", &region) == 1 && (size_t)region < rewriter->regions->n)
        rewriter->regions->items[region].count = amount;
}

void rewriter_find_live(Rewriter *rewriter)
{
    rewriter->live = rewriter->recycled * live_share(rewriter);
}

/* ---- The whole ---- */

bool rewriter_new(const ContextSource *source, const char *entry, Arena *arena, Rewriter *rewriter, Err *err)
{
    const SourceFunction *function = source_find(source->program, entry);
    if (!function)
        return err_set(err, ERR_INPUT, "the source has no function `%s` with a body", entry);
    *rewriter = (Rewriter){.regions = compiled_regions(source->program, function->place.file, arena),
                           .is_marking = true,
                           .program = source->program,
                           .entry = function->name,
                           .arena = arena};
    rewriter->is_by_data = arena_new_array(arena, bool, rewriter->regions->n);
    return true;
}

/* Each source has points of its own for the same regions. */
static CompiledRegions *regions_of(const Rewriter *rewriter, const ContextSource *source, const CompiledCode *code,
                                   const char *const *files, size_t n_files)
{
    CompiledRegions *own = compiled_regions(source->program, compiled_source(code), rewriter->arena);
    const char **others = arena_new_array(rewriter->arena, const char *, n_files);
    size_t n = 0;
    for (size_t i = 0; i < n_files; i++)
        if (files[i] != compiled_source(code))
            others[n++] = files[i];
    own->items = rewriter->regions->items;
    own->others = others;
    return own;
}

bool rewriter_walk(Rewriter *rewriter, const ContextSource *source, const char *entry, Err *err)
{
    VEC(const CompiledCode *) codes = {0};
    const CompiledCode *code = source->code;
    for (size_t i = 0; code; code = source->others ? source->others[i++] : NULL)
        *vec_push(&codes) = code;
    const char **files = arena_new_array(rewriter->arena, const char *, codes.count);
    for (size_t i = 0; i < codes.count; i++)
        files[i] = compiled_source(codes.items[i]);
    rewriter->walks = arena_new_array(rewriter->arena, CompiledWalks *, codes.count);
    bool fine = true;
    for (size_t i = 0; fine && i < codes.count; i++) {
        CompiledRegions *regions = rewriter->regions;
        if (source->others)
            regions = regions_of(rewriter, source, codes.items[i], files, codes.count);
        fine = compiled_walk(codes.items[i], source->others ? NULL : entry, regions, rewriter->arena,
                             &rewriter->walks[rewriter->n_walks++], err);
    }
    vec_free(&codes);
    return fine;
}

void rewriter_price(Rewriter *rewriter, const ContextSource *source, ContextLoops *loops)
{
    for (size_t i = 0; i < rewriter->n_walks; i++)
        compiled_set_costs(rewriter->walks[i]);
    rewriter->is_marking = false;
    rewriter_find_live(rewriter);
    rewriter->bytes += lines_array_bytes(rewriter->regions) + rewriter->live;
    const LearningTask learning = {source->program, rewriter->regions, rewriter->entry, rewriter->is_by_data,
                                   source->limits.learnt_branches};
    rewriter->remaining = learning_remaining(&learning, rewriter->arena);
    const double caches[] = {source->limits.first_bytes, source->limits.second_bytes};
    lines_count(source->program, rewriter->regions, rewriter->bytes, caches, rewriter->arena);
    for (size_t i = 0; i < rewriter->regions->n; i++) {
        const CompiledRegion *region = &rewriter->regions->items[i];
        bool is_loop = region->kind == COMPILED_LOOP && region->count > 0;
        loops->n += is_loop;
        loops->n_compiled += is_loop && region->is_compiled;
    }
}

bool rewriter_compile(Rewriter *rewriter, const ContextSource *source, const char *entry, ContextLoops *loops, Err *err)
{
    if (!rewriter_walk(rewriter, source, entry, err) ||
        !compiled_schedule(rewriter->walks, rewriter->n_walks, rewriter->arena, err))
        return false;
    rewriter_price(rewriter, source, loops);
    return true;
}
