/* SPDX-License-Identifier: BSD-3-Clause */
/* See task_parts.h. Predicts an application that has one batch: on near data, and on distant ones. */
#include "cost/predict/task_parts.h"

#include <math.h>

static const Expr *for_task(ExprSpace *space, const Expr *expr, uint64_t number)
{
    const char *const name = "task";
    const Expr *with = expr_integer(space, (int64_t)number);
    return expr ? expr_substitute(space, expr, &name, &with, 1) : NULL;
}

static const PaslBinding *bindings_for_task(ExprSpace *space, const PaslBinding *bindings, size_t n, uint64_t number,
                                            Arena *arena)
{
    PaslBinding *bound = arena_new_array(arena, PaslBinding, n);
    for (size_t i = 0; i < n; i++) {
        bound[i] = bindings[i];
        bound[i].value = for_task(space, bindings[i].value, number);
    }
    return bound;
}

static PaslBatch batch_of_task(ExprSpace *space, const PaslBatch *batch, uint64_t number, Arena *arena)
{
    PaslBatch alone = *batch;
    alone.n_before = 0;
    alone.receives_bytes = alone.returns_bytes = expr_integer(space, 0);
    if (!number)
        return alone;
    alone.tasks = expr_integer(space, 1);
    alone.arguments = bindings_for_task(space, batch->arguments, batch->n_arguments, number, arena);
    alone.values = bindings_for_task(space, batch->values, batch->n_values, number, arena);
    return alone;
}

/* The mean of the batch's tasks. */
static bool predict_task(const PaslApplication *alone, const PamelaModel *model, const PredictOptions *options,
                         const char *kind, Arena *arena, Interval *time_s, double *data_bytes, Err *err)
{
    const MachineChoice choice = {kind, 1, 1};
    Predictor *predictor = NULL;
    CostPrediction *prediction;
    bool ok = predictor_new(alone, &model, options, arena, &predictor, err) &&
              predictor_predict(predictor, &choice, 1, &prediction, err);
    if (ok) {
        double n = (double)prediction->counts[0][0];
        *time_s = n > 0 ? (Interval){prediction->time_s.low / n, prediction->time_s.high / n} : (Interval){0, 0};
        *data_bytes = prediction->task_bytes;
    }
    predictor_end(predictor);
    return ok;
}

bool task_parts(const PaslApplication *application, const PamelaModel *const *models, const PredictOptions *options,
                size_t batch, const char *kind, uint64_t number, Arena *arena, TaskParts *parts, Err *err)
{
    const PaslBatch alone = batch_of_task(application->space, &application->batches[batch], number, arena);
    PaslApplication one = *application;
    PredictOptions how = *options;
    Interval time_s[FAR_NONE + 1];
    double middle_s[FAR_NONE + 1], data_bytes;
    one.batches = &alone;
    one.n_batches = 1;
    how.is_part = how.without_messages = true;
    how.is_dynamic = false;
    how.n_calibrations = 0;
    for (how.far = FAR_ALL; how.far <= FAR_NONE; how.far++) {
        if (!predict_task(&one, models[batch], &how, kind, arena, &time_s[how.far], &data_bytes, err))
            return false;
        middle_s[how.far] = interval_middle(time_s[how.far]);
    }
    *parts = (TaskParts){middle_s[FAR_NONE], fmax(middle_s[FAR_ALL] - middle_s[FAR_SCATTERED], 0),
                         fmax(middle_s[FAR_SCATTERED] - middle_s[FAR_NONE], 0), data_bytes, time_s[FAR_ALL]};
    return true;
}

void task_parts_add(TaskParts *mean, const TaskParts *task, double n)
{
    mean->computation_s += (task->computation_s - mean->computation_s) / n;
    mean->ordered_s += (task->ordered_s - mean->ordered_s) / n;
    mean->scattered_s += (task->scattered_s - mean->scattered_s) / n;
    mean->data_bytes += (task->data_bytes - mean->data_bytes) / n;
}
