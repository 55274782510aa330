/* SPDX-License-Identifier: BSD-3-Clause */
/* Rewrites the model of a batch's tasks. See rewrite.h. */
#include "cost/context/rewriter.h"

#include "base/vec.h"
#include <math.h>
#include <string.h>

static const PamelaModel *rewrite_model(const Rewriter *rewriter)
{
    const PamelaModel *model = rewriter->model;
    PamelaModel *copy = arena_copy_array(rewriter->arena, model, 1, sizeof *model);
    PamelaSub *subs = arena_copy_array(rewriter->arena, model->subs, model->n_subs, sizeof *subs);
    for (size_t i = 0; i < model->n_subs; i++)
        subs[i].body = rewriter_rewrite_sub(rewriter, &subs[i]);
    copy->subs = subs;
    if (rewriter->is_marking) {
        static const char *const others[] = {REWRITER_BYTES, REWRITER_RECYCLED};
        size_t n = rewriter->regions->n, n_others = sizeof others / sizeof *others;
        PamelaParameter *parameters =
            arena_new_array(rewriter->arena, PamelaParameter, model->n_parameters + n + n_others);
        memcpy(parameters, model->parameters, model->n_parameters * sizeof *parameters);
        for (size_t i = 0; i < n + n_others; i++)
            parameters[copy->n_parameters++] =
                (PamelaParameter){.name = i < n ? rewriter_mark((int)i, rewriter->arena) : others[i - n],
                                  .value = expr_integer(model->space, 0)};
        copy->parameters = parameters;
    }
    return copy;
}

/* ---- Counts ---- */

static bool is_time(const char *name)
{
    return strchr(name, '[') || strncmp(name, "cost_", 5) == 0 || strcmp(name, "ts") == 0 || strcmp(name, "tw") == 0;
}

static bool count_regions(const CostPrediction *prediction, Rewriter *rewriter, Arena *arena, Err *err)
{
    ExprBinding *bindings = arena_new_array(arena, ExprBinding, prediction->n_numbers);
    for (size_t i = 0; i < prediction->n_numbers; i++) {
        const PredictionNumber *number = &prediction->numbers[i];
        bindings[i] = (ExprBinding){number->name, is_time(number->name) ? (Interval){0, 0} : number->value};
    }
    for (size_t i = 0; i < prediction->n_numbers; i++) {
        Interval count;
        if (!rewriter_is_mark(bindings[i].name))
            continue;
        bindings[i].value = (Interval){1, 1};
        if (!expr_evaluate(prediction->expressions->whole.without_contention, bindings, prediction->n_numbers, &count,
                           NULL, err))
            return false;
        bindings[i].value = (Interval){0, 0};
        rewriter_take(rewriter, bindings[i].name, interval_middle(count));
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

static void keep_assumed(const ContextRewritten *rewritten, Rewriter *rewriter, Arena *arena)
{
    rewriter->assumed = arena_new_array(arena, const char *, rewritten->n_numbers);
    for (size_t i = 0; i < rewritten->n_numbers; i++)
        if (rewritten->numbers[i].origin == NUMBER_ASSUMED)
            rewriter->assumed[rewriter->n_assumed++] = rewritten->numbers[i].name;
}

static bool find_counts(const PaslApplication *application, size_t batch, const PamelaModel *marked,
                        const PredictOptions *how, Rewriter *rewriter, ContextRewritten *rewritten, Arena *arena,
                        Err *err)
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
              count_regions(prediction, rewriter, arena, err);
    predictor_end(predictor);
    if (ok) {
        rewriter->bytes = prediction->task_bytes;
        keep_numbers(prediction, rewritten, arena);
        keep_assumed(rewritten, rewriter, arena);
    }
    return ok;
}

/* ---- The whole ---- */

struct ContextRewrite {
    Rewriter rewriter;
    ContextSource source;
    ContextRewritten rewritten;
};

bool context_begin(const PaslApplication *application, size_t batch, const PamelaModel *model,
                   const ContextSource *source, const PredictOptions *how, Arena *arena, ContextRewrite **rewrite,
                   Err *err)
{
    const char *entry = application->batches[batch].entry;
    ContextRewrite *begun = *rewrite = arena_alloc(arena, sizeof *begun);
    *begun = (ContextRewrite){.source = *source};
    if (!rewriter_new(source, entry, arena, &begun->rewriter, err))
        return false;
    begun->rewriter.model = model;
    return find_counts(application, batch, rewrite_model(&begun->rewriter), how, &begun->rewriter, &begun->rewritten,
                       arena, err) &&
           rewriter_walk(&begun->rewriter, source, entry, err);
}

bool context_simulate(ContextRewrite *const *all, size_t n, Arena *arena, Err *err)
{
    VEC(CompiledWalks *) walks = {0};
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < all[i]->rewriter.n_walks; k++)
            *vec_push(&walks) = all[i]->rewriter.walks[k];
    bool fine = compiled_schedule(walks.items, walks.count, arena, err);
    vec_free(&walks);
    return fine;
}

const ContextRewritten *context_end(ContextRewrite *rewrite)
{
    rewriter_price(&rewrite->rewriter, &rewrite->source, &rewrite->rewritten.loops);
    rewrite->rewritten.model = rewrite_model(&rewrite->rewriter);
    return &rewrite->rewritten;
}
