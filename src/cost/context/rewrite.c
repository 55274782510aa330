/* SPDX-License-Identifier: BSD-3-Clause */
/* See rewrite.h. First, each region of the source gets a named cost of its own in the model. A time is linear in
 * costs, so the time where this cost is a second and all others are nothing is how often the region runs. With these
 * counts, compiled_cost() says what regions take; then their operations are replaced. */
#include "cost/context/rewrite.h"

#include "base/vec.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARK "cost_region_"

typedef struct Rewriter {
    const PamelaModel *model;
    CompiledRegions *regions;
    bool is_marking; /* adds the named costs; otherwise, replaces operations */
    bool learns;     /* the task's data are few */
    Arena *arena;
} Rewriter;

/* ---- Regions of a model's nodes ---- */

static int find_region(const Rewriter *rewriter, const PamelaNode *node, CompiledKind kind, unsigned side)
{
    for (size_t i = 0; node->origin && i < rewriter->regions->n; i++) {
        const CompiledRegion *region = &rewriter->regions->items[i];
        if (region->origin == node->origin && region->kind == kind && region->side == side)
            return (int)i;
    }
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
    int found = find_region(rewriter, node, COMPILED_SIDE, side);
    return found < 0 && side == 0 ? find_region(rewriter, node, COMPILED_SIDE, COMPILED_CASE) : found;
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

/* What a run of the region adds, before what is in it. */
static PamelaNode *with_region(const Rewriter *rewriter, PamelaNode *node, int region)
{
    const CompiledRegion *own = region >= 0 ? &rewriter->regions->items[region] : NULL;
    ExprSpace *space = rewriter->model->space;
    if (!own)
        return node;
    if (rewriter->is_marking)
        return sequence(rewriter,
                        operation(rewriter, arena_printf(rewriter->arena, MARK "%d", region), expr_integer(space, 1)),
                        node);
    if (!own->is_compiled || !(own->cycles > 0) || own->kind == COMPILED_SIDE)
        return node;
    return sequence(rewriter,
                    operation(rewriter, cpu_name(CPU_CYCLE, CPU_INT64, rewriter->arena),
                              expr_rational(space, (int64_t)llround(own->cycles * 1024), 1024)),
                    node);
}

/* ---- Operations in compiled code ---- */

/* The operation that remains of one: calls of the library, allocation, and how far data are. */
static bool remaining(const char *name, CpuOperation *operation, CpuType *type)
{
    if (!cpu_find(name, operation, type))
        return true;
    switch (*operation) {
    case CPU_ELEMENT:
        *operation = CPU_VISIT;
        return *type != CPU_REFERENCE;
    case CPU_FIELD:
        *operation = *type == CPU_REFERENCE ? CPU_FOLLOW : CPU_VISIT;
        return true;
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
    if (!is_compiled(rewriter, unit) || !cpu_find(node->name, &found, &type))
        return node;
    if (!remaining(node->name, &found, &type))
        return NULL;
    PamelaNode *copy = arena_copy_array(rewriter->arena, node, 1, sizeof *node);
    copy->name = cpu_name(found, type, rewriter->arena);
    return copy;
}

/* ---- Models ---- */

static PamelaNode *rewrite(const Rewriter *rewriter, PamelaNode *node, int unit);

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
        PamelaNode *child = node->children[i] ? rewrite(rewriter, node->children[i], unit) : NULL;
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

static const Expr *number(const Rewriter *rewriter, double value)
{
    return expr_rational(rewriter->model->space, (int64_t)llround(value * 65536), 65536);
}

/* Of data that come again and again, a processor learns which way branches go. */
static PamelaNode *surprise(const Rewriter *rewriter, bool learns, double times)
{
    CpuType type = learns ? CPU_INT8 : CPU_INT32;
    return operation(rewriter, cpu_name(CPU_SURPRISE, type, rewriter->arena), number(rewriter, times));
}

/* The share of the conditional's runs in which this side runs. */
static double share_of_side(const Rewriter *rewriter, int side)
{
    const CompiledRegion *regions = rewriter->regions->items;
    int around = regions[side].outer;
    return around >= 0 && regions[around].count > 0 ? fmin(1, regions[side].count / regions[around].count) : 0.5;
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
    double times = is_case ? share * (1 - share) : fmin(share, 1 - share);
    node->amount = number(rewriter, share);
    return region->has_branch && times > 0
               ? sequence(rewriter, surprise(rewriter, rewriter->learns && !is_case, times), node)
               : node;
}

static PamelaNode *rewrite_if(const Rewriter *rewriter, const PamelaNode *node, int unit)
{
    PamelaNode *copy = rewrite_all(rewriter, node, unit);
    int sides[2] = {find_side(rewriter, node, 0), find_side(rewriter, node, 1)};
    PamelaNode **children = arena_new_array(rewriter->arena, PamelaNode *, 2);
    for (unsigned i = 0; i < 2; i++)
        children[i] = with_region(rewriter, copy->children[i], rewriter->is_marking ? sides[i] : -1);
    copy->children = children;
    return with_surprises(rewriter, copy, unit, sides[0]);
}

/* Whether data tell when the loop ends. */
static bool ends_by_data(const Rewriter *rewriter, const PamelaNode *node)
{
    const PamelaNode *body = node->children[0];
    while (body->kind == PAMELA_SEQUENCE && body->n_children == 1)
        body = body->children[0];
    return has_name_of(rewriter, node->to, "iterations_") || has_name_of(rewriter, node->to, "share_") ||
           (body->kind == PAMELA_IF && has_name_of(rewriter, body->amount, "share_"));
}

/* The end of a loop that seldom runs is no surprise; its beginning is one. */
static PamelaNode *rewrite_seq(const Rewriter *rewriter, const PamelaNode *node)
{
    int region = find_region(rewriter, node, COMPILED_LOOP, 0);
    PamelaNode *copy = rewrite_all(rewriter, node, region);
    PamelaNode *const children[] = {with_region(rewriter, copy->children[0], region)};
    copy->children = arena_copy_array(rewriter->arena, children, 1, sizeof *children);
    if (!is_compiled(rewriter, region) || !ends_by_data(rewriter, node))
        return copy;
    int around = rewriter->regions->items[region].outer;
    double reached = around >= 0 ? rewriter->regions->items[around].count : 0;
    double iterations = reached > 0 ? rewriter->regions->items[region].count / reached : 1;
    if (reached > 0 && has_name_of(rewriter, node->to, "iterations_"))
        copy->to = number(rewriter, iterations);
    return sequence(rewriter, surprise(rewriter, rewriter->learns, fmin(1, iterations)), copy);
}

static PamelaNode *rewrite(const Rewriter *rewriter, PamelaNode *node, int unit)
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

static const PamelaModel *rewrite_model(const Rewriter *rewriter)
{
    const PamelaModel *model = rewriter->model;
    PamelaModel *copy = arena_copy_array(rewriter->arena, model, 1, sizeof *model);
    PamelaSub *subs = arena_copy_array(rewriter->arena, model->subs, model->n_subs, sizeof *subs);
    for (size_t i = 0; i < model->n_subs; i++) {
        int region = find_function(rewriter, &subs[i]);
        subs[i].body = with_region(rewriter, rewrite(rewriter, subs[i].body, region), region);
    }
    copy->subs = subs;
    if (rewriter->is_marking) {
        size_t n = rewriter->regions->n;
        PamelaParameter *parameters = arena_new_array(rewriter->arena, PamelaParameter, model->n_parameters + n);
        memcpy(parameters, model->parameters, model->n_parameters * sizeof *parameters);
        for (size_t i = 0; i < n; i++)
            parameters[model->n_parameters + i] = (PamelaParameter){
                .name = arena_printf(rewriter->arena, MARK "%zu", i), .value = expr_integer(model->space, 0)};
        copy->parameters = parameters;
        copy->n_parameters += n;
    }
    return copy;
}

/* ---- Counts ---- */

/* The number of the region whose cost the symbol is; -1: none. */
static int region_of_symbol(const char *name)
{
    int region;
    return sscanf(name, MARK "%d", &region) == 1 ? region : -1;
}

static bool is_time(const char *name)
{
    return strchr(name, '[') || strncmp(name, "cost_", 5) == 0 || strcmp(name, "ts") == 0 || strcmp(name, "tw") == 0;
}

static bool count_regions(const CostPrediction *prediction, CompiledRegions *regions, Arena *arena, Err *err)
{
    ExprBinding *bindings = arena_new_array(arena, ExprBinding, prediction->n_numbers);
    for (size_t i = 0; i < prediction->n_numbers; i++) {
        const PredictionNumber *number = &prediction->numbers[i];
        bindings[i] = (ExprBinding){number->name, is_time(number->name) ? (Interval){0, 0} : number->value};
    }
    for (size_t i = 0; i < prediction->n_numbers; i++) {
        int region = region_of_symbol(bindings[i].name);
        Interval count;
        if (region < 0 || (size_t)region >= regions->n)
            continue;
        bindings[i].value = (Interval){1, 1};
        if (!expr_evaluate(prediction->expressions->whole.without_contention, bindings, prediction->n_numbers, &count,
                           NULL, err))
            return false;
        bindings[i].value = (Interval){0, 0};
        regions->items[region].count = interval_middle(count);
    }
    return true;
}

static void keep_numbers(const CostPrediction *prediction, ContextRewritten *rewritten, Arena *arena)
{
    PredictionNumber *kept = arena_new_array(arena, PredictionNumber, prediction->n_numbers);
    for (size_t i = 0; i < prediction->n_numbers; i++)
        if (!is_time(prediction->numbers[i].name))
            kept[rewritten->n_numbers++] = prediction->numbers[i];
    rewritten->numbers = kept;
}

static bool find_counts(const PaslApplication *application, size_t batch, const PamelaModel *marked,
                        const PredictOptions *how, CompiledRegions *regions, double *bytes, ContextRewritten *rewritten,
                        Arena *arena, Err *err)
{
    PaslApplication alone = *application;
    PaslBatch own = application->batches[batch];
    PredictOptions options = *how;
    Predictor *predictor = NULL;
    CostPrediction *prediction;
    own.n_before = 0;
    alone.n_batches = 1;
    alone.batches = &own;
    options.n_calibrations = 0;
    options.is_part = true;
    options.without_messages = true;
    const MachineChoice choice = {how->machine->processors[0].name, 1, 1};
    bool ok = predictor_new(&alone, &marked, &options, arena, &predictor, err) &&
              predictor_predict(predictor, &choice, 1, &prediction, err) &&
              count_regions(prediction, regions, arena, err);
    predictor_end(predictor);
    *bytes = ok ? prediction->task_bytes : 0;
    if (ok)
        keep_numbers(prediction, rewritten, arena);
    return ok;
}

/* ---- The whole ---- */

bool context_rewrite(const PaslApplication *application, size_t batch, const PamelaModel *model,
                     const ContextSource *source, const PredictOptions *how, Arena *arena, ContextRewritten *rewritten,
                     Err *err)
{
    const char *entry = application->batches[batch].entry;
    const SourceFunction *function = source_find(source->program, entry);
    if (!function)
        return err_set(err, ERR_INPUT, "the source has no function `%s` with a body", entry);
    Rewriter rewriter = {model, compiled_regions(source->program, function->place.file, arena), true, false, arena};
    double bytes;
    *rewritten = (ContextRewritten){0};
    if (!find_counts(application, batch, rewrite_model(&rewriter), how, rewriter.regions, &bytes, rewritten, arena,
                     err) ||
        !compiled_cost(source->code, entry, rewriter.regions, arena, err))
        return false;
    rewriter.is_marking = false;
    rewriter.learns = bytes > 0 && bytes <= source->near_bytes;
    rewritten->model = rewrite_model(&rewriter);
    for (size_t i = 0; i < rewriter.regions->n; i++) {
        const CompiledRegion *region = &rewriter.regions->items[i];
        bool is_loop = region->kind == COMPILED_LOOP && region->count > 0;
        rewritten->n_loops += is_loop;
        rewritten->n_compiled += is_loop && region->is_compiled;
    }
    return true;
}
