/* SPDX-License-Identifier: BSD-3-Clause */
/* Times of stages on machines with more workers than processors, where each worker has its tasks beforehand. An
 * operating system lets the workers of a machine progress equally. So c processors have done the work W_1 ≤ … ≤ W_n
 * of n > c workers after
 *
 *     W_n + (W_1 + … + W_{n - c})/c
 *
 * which is never less than the loads of cost/model, and never falls if a W grows. */
#include "cost/predict/predictor.h"

#include <gsl/gsl_sort_double.h>
#include <math.h>
#include <string.h>

/* Seconds that each worker computes in a stage, with all costs at one end. */
typedef struct Work {
    double *low_s, *high_s; /* [n_workers] */
} Work;

static bool evaluate(const Numbers *numbers, const CostWork *work, Work *all, bool *approximated, Err *err)
{
    const size_t n = numbers->bindings.count;
    const bool varies = expr_has_symbol(work->compute, work->index);
    ExprBinding *bindings = arena_new_array(numbers->arena, ExprBinding, n + 1);
    Interval time_s = {0, 0};
    for (size_t i = 0; i < n; i++)
        bindings[i] = numbers->bindings.items[i];
    for (uint64_t worker = work->first; worker <= work->last; worker++) {
        bool was_approximated = false;
        bindings[n] = (ExprBinding){work->index, {(double)worker, (double)worker}};
        if ((varies || worker == work->first) &&
            !expr_evaluate(work->compute, bindings, n + 1, &time_s, &was_approximated, err))
            return false;
        *approximated = *approximated || was_approximated;
        all->low_s[worker - 1] = time_s.low;
        all->high_s[worker - 1] = time_s.high;
    }
    return true;
}

/* Sorts the seconds of n workers. */
static double shared_time(double *seconds, size_t n, size_t n_cores)
{
    double waiting_s = 0;
    gsl_sort(seconds, 1, n);
    for (size_t i = 0; i + n_cores < n; i++)
        waiting_s += seconds[i];
    return seconds[n - 1] + waiting_s / (double)n_cores;
}

static Interval longest_machine(const CostPlatform *platform, Work work)
{
    Interval longest_s = {0, 0};
    for (size_t i = 0; i < platform->n_groups; i++) {
        const CostGroup *group = &platform->groups[i];
        for (uint32_t k = 0; k < group->n_machines; k++) {
            if (group->workers_each > group->n_cores) {
                longest_s.low = fmax(longest_s.low, shared_time(work.low_s, group->workers_each, group->n_cores));
                longest_s.high = fmax(longest_s.high, shared_time(work.high_s, group->workers_each, group->n_cores));
            }
            work.low_s += group->workers_each;
            work.high_s += group->workers_each;
        }
    }
    return longest_s;
}

double sharing_most(const CostPlatform *platform)
{
    double most = 0;
    for (size_t i = 0; i < platform->n_groups; i++)
        most = fmax(most, (double)platform->groups[i].workers_each / platform->groups[i].n_cores);
    return most;
}

bool sharing_times(const Predictor *predictor, const CostPlatform *platform, const Numbers *numbers,
                   CostPrediction *prediction, Err *err)
{
    const uint64_t n_workers = cost_workers(platform);
    const CostWork *works;
    size_t n;
    if (!cost_work(predictor->application, &n, &works, err))
        return false;
    Work work = {memory_zeroed(n_workers, sizeof(double)), memory_zeroed(n_workers, sizeof(double))};
    bool ok = true;
    for (size_t i = 0; ok && i < n;) {
        const uint32_t level = works[i].level;
        Interval *stage_s = &prediction->stage_s[level];
        memset(work.low_s, 0, n_workers * sizeof(double));
        memset(work.high_s, 0, n_workers * sizeof(double));
        for (; ok && i < n && works[i].level == level; i++)
            ok = evaluate(numbers, &works[i], &work, &prediction->is_approximated, err);
        const Interval shared_s = longest_machine(platform, work);
        *stage_s = (Interval){fmax(stage_s->low, shared_s.low), fmax(stage_s->high, shared_s.high)};
    }
    prediction->time_s = (Interval){0, 0};
    for (size_t i = 0; i < prediction->expressions->n_stages; i++) {
        prediction->time_s.low += prediction->stage_s[i].low;
        prediction->time_s.high += prediction->stage_s[i].high;
    }
    free(work.low_s);
    free(work.high_s);
    return ok;
}
