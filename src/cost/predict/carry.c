/* SPDX-License-Identifier: BSD-3-Clause */
/* See carry.h. A task's time is linear in the costs c of operations. So with the amounts a, from one kind to the
 * other,
 *
 *     ratio = Σ a c' / Σ a c
 *     Σ a c'^2/c / Σ a c = ratio^2 (1 + v)
 *
 * where v is the variance of c'/c over the operations, relative to ratio^2, by their parts of the time on the first
 * kind. The same from the other kind to this one takes their parts there. */
#include "cost/predict/carry.h"

#include "cost/predict/scale.h"
#include "cost/predict/task_parts.h"
#include <math.h>
#include <string.h>

/* The deviation of the logarithm of a carried time, for kinds with the same costs; the share of the ratios' variance
 * that is one of tasks, whose operations are mixed. */
static const double SAME_COSTS = 0.4, VARIANCE_SHARE = 0.15;
static const double CONFIDENCE_DEVIATIONS = 2;

typedef Interval (*CostOf)(Interval before, Interval after);

/* A batch's tasks on a kind. */
typedef struct Tasks {
    const CalibratedUse *use;
    size_t batch;
    const char *kind;
    Arena *arena;
} Tasks;

/* Costs are factors apart. */
static double middle(Interval cost)
{
    return cost.low > 0 ? sqrt(cost.low * cost.high) : interval_middle(cost);
}

static bool is_known(Interval cost)
{
    return cost.low <= cost.high;
}

static Interval cost_before(Interval before, Interval after)
{
    (void)after;
    return (Interval){middle(before), middle(before)};
}

static Interval cost_after(Interval before, Interval after)
{
    return cost_before(after, before);
}

/* An operation that is free on one of both kinds says nothing of the ratio. */
static Interval cost_square(Interval before, Interval after)
{
    double square = middle(before) > 0 ? middle(after) * middle(after) / middle(before) : 0;
    return (Interval){square, square};
}

static const CpuFar *find_far(const CpuCosts *costs, const char *operation)
{
    for (uint32_t i = 0; i < costs->n_far; i++)
        if (strcmp(costs->far[i].operation, operation) == 0)
            return &costs->far[i];
    return NULL;
}

/* What loads and stores of large data cost more, on data that are large on the kind of `near`. */
static void combine_far(CpuCosts *made, const CpuCosts *near, const CpuCosts *before, const CpuCosts *after,
                        CostOf cost_of, Arena *arena)
{
    CpuFar *far = arena_new_array(arena, CpuFar, near->n_far);
    for (uint32_t i = 0; i < near->n_far; i++) {
        const CpuFar *first = find_far(before, near->far[i].operation), *last = find_far(after, near->far[i].operation);
        far[i] = near->far[i];
        far[i].cost_s = cost_of(first ? first->cost_s : (Interval){0, 0}, last ? last->cost_s : (Interval){0, 0});
    }
    made->n_far = near->n_far;
    made->far = far;
}

/* Costs that are made of those on both kinds. */
static CpuCosts combine(const CpuCosts *before, const CpuCosts *after, CostOf cost_of, Arena *arena)
{
    CpuCosts made = *after;
    for (int operation = 0; operation < CPU_OPERATIONS; operation++)
        for (int type = 0; type < CPU_TYPES; type++) {
            Interval first = cpu_cost(before, (CpuOperation)operation, (CpuType)type, 0),
                     last = cpu_cost(after, (CpuOperation)operation, (CpuType)type, 0);
            made.cost_s[operation][type] = is_known(first) && is_known(last) ? cost_of(first, last) : (Interval){0, -1};
        }
    combine_far(&made, cost_of == cost_before ? before : after, before, after, cost_of, arena);
    return made;
}

static bool predict_on(const Tasks *tasks, const CpuModel *cpu, TaskParts *task, Err *err)
{
    const MachineModel machine = {.n_processors = 1, .processors = cpu};
    PredictOptions how = *tasks->use->how;
    how.machine = &machine;
    return task_parts(tasks->use->application, tasks->use->models, &how, tasks->batch, cpu->name, 0, tasks->arena, task,
                      err);
}

/* A task's time with costs that are made of those of both kinds. */
static bool predict_with(const Tasks *tasks, const CpuCosts *before, const CpuCosts *after, CostOf cost_of,
                         double *time_s, Err *err)
{
    const CpuCosts costs = combine(before, after, cost_of, tasks->arena);
    const CpuModel cpu = {.name = tasks->kind, .n_cores = 1, .n_languages = 1, .languages = &costs};
    TaskParts task;
    if (!predict_on(tasks, &cpu, &task, err))
        return false;
    *time_s = task_parts_s(task);
    return true;
}

/* Of the ratio's logarithm over the operations, by the time with squares of their costs. */
static double variance_of(double square_s, double before_s, double after_s)
{
    return log1p(fmax(square_s * before_s / (after_s * after_s) - 1, 0));
}

static Interval carried_scale(Interval measured, double ratio, double deviation)
{
    double half = hypot(log(measured.high / measured.low) / 2, CONFIDENCE_DEVIATIONS * deviation);
    double middle_scale = sqrt(measured.low * measured.high) * ratio;
    return (Interval){middle_scale * exp(-half), middle_scale * exp(half)};
}

bool carry_scale(const CalibratedUse *use, size_t batch, const char *kind, Arena *arena, Calibration *made, Err *err)
{
    const Calibration *from = made;
    const Tasks tasks = {use, batch, kind, arena};
    const CpuModel *to = machine_find_processor(use->how->machine, kind);
    const CpuCosts *before = calibrated_costs(from->cpu, &use->application->batches[batch]),
                   *after = calibrated_costs(to, &use->application->batches[batch]);
    TaskParts there, here;
    double before_s, after_s, there_s, back_s;
    if (!before || !after)
        return err_set(err, ERR_INPUT, "%s lacks the costs of operations in the language of batch `%s`",
                       before ? kind : from->kind, from->batch);
    if (!predict_on(&tasks, from->cpu, &there, err) || !predict_on(&tasks, to, &here, err) ||
        !predict_with(&tasks, before, after, cost_before, &before_s, err) ||
        !predict_with(&tasks, before, after, cost_after, &after_s, err) ||
        !predict_with(&tasks, before, after, cost_square, &there_s, err) ||
        !predict_with(&tasks, after, before, cost_square, &back_s, err))
        return false;
    made->carried = from->kind;
    made->kind = kind;
    made->scale = made->busy_scale = (Interval){1, 1};
    if (!(task_parts_s(here) > 0 && task_parts_s(there) > 0 && before_s > 0 && after_s > 0))
        return true;
    double variance = (variance_of(there_s, before_s, after_s) + variance_of(back_s, after_s, before_s)) / 2;
    double deviation = hypot(SAME_COSTS, sqrt(VARIANCE_SHARE * variance));
    double ratio = task_parts_s(there) / task_parts_s(here) * after_s / before_s;
    const Interval own = {here.time_s.low / task_parts_s(here), here.time_s.high / task_parts_s(here)};
    made->scale = carried_scale(scale_at(from, there, 0), ratio, deviation);
    made->busy_scale = carried_scale(scale_at(from, there, 1), ratio, deviation);
    made->is_of_model = own.low > 0 && own.high / own.low < made->scale.high / made->scale.low;
    if (made->is_of_model)
        made->scale = made->busy_scale = own;
    return true;
}
