/* SPDX-License-Identifier: BSD-3-Clause */
/* Times of stages whose tasks go to the first free worker. firma evaluates each task's costs, and runs through the
 * master's decisions with all costs at their low ends, and with all at their high ends.
 *
 * On equal workers, longer tasks never make such a run shorter, so these two times are the interval. Otherwise they
 * may: a longer task may keep the last task from a slow worker. Then the interval is wider by the longest task at
 * both ends, and never begins below the bounds of cost/model/share.c. See docs/METHOD.md, section 16, *Tasks on
 * demand*, for why that is enough. */
#include "cost/predict/predictor.h"
#include "cost/predict/schedule.h"

#include <math.h>

#define COSTS_LIMIT 3000000 /* tasks times groups of machines: half a minute for costs that are long formulas */

typedef enum Part { PART_GIVE, PART_COMPUTE, PART_TAKE, N_PARTS } Part;

/* One part of the costs of a batch's tasks on a group. */
typedef struct PartCosts {
    bool varies;
    Interval *times_s; /* [n_tasks], or one for all */
} PartCosts;

/* The batches of a level, and the tasks before each. */
typedef struct Stage {
    size_t n_batches, n_groups;
    const size_t *batches;
    const uint64_t *before;            /* [n_batches] */
    const PartCosts (*costs)[N_PARTS]; /* [batches of the application * n_groups] */
    End end;
} Stage;

static double at_end(Interval time_s, End end)
{
    return end == END_LOW ? time_s.low : end == END_HIGH ? time_s.high : interval_middle(time_s);
}

static double part_of(const Stage *stage, size_t batch, size_t group, Part part, uint64_t task)
{
    const PartCosts *costs = &stage->costs[batch * stage->n_groups + group][part];
    return at_end(costs->times_s[costs->varies ? task : 0], stage->end);
}

static ScheduleTask task_of(const Stage *stage, size_t batch, size_t group, uint64_t task)
{
    return (ScheduleTask){part_of(stage, batch, group, PART_GIVE, task),
                          part_of(stage, batch, group, PART_COMPUTE, task),
                          part_of(stage, batch, group, PART_TAKE, task)};
}

static ScheduleTask cost_of(const void *self, uint64_t task, size_t group)
{
    const Stage *stage = self;
    size_t at = 0;
    vec_bisect(at, stage->n_batches, stage->before[at] <= task);
    return task_of(stage, stage->batches[at - 1], group, task - stage->before[at - 1]);
}

/* ---- costs ----------------------------------------------------------------------------------------------------- */

/* The parts of a batch's costs are evaluated together, since they share much. Those that depend on the task come
 * first. */
typedef struct Parts {
    VEC(const Expr *) exprs;
    VEC(PartCosts *) costs;
    size_t n_varying;
} Parts;

static void list_parts(const CostTask *tasks, size_t n_groups, PartCosts (*costs)[N_PARTS], bool varies, Parts *parts)
{
    for (size_t i = 0; i < n_groups; i++) {
        const Expr *const exprs[N_PARTS] = {tasks[i].give, tasks[i].compute, tasks[i].take};
        for (Part part = 0; part < N_PARTS; part++)
            if (expr_has_symbol(exprs[part], tasks[i].index) == varies) {
                costs[i][part].varies = varies;
                *vec_push(&parts->exprs) = exprs[part];
                *vec_push(&parts->costs) = &costs[i][part];
            }
    }
    if (varies)
        parts->n_varying = parts->exprs.count;
}

/* Evaluates all parts for the first task, and then those that vary for the others. */
static bool evaluate(const Parts *parts, const char *index, uint64_t n_tasks, ExprBinding *bindings, size_t n_bindings,
                     End end, Arena *arena, bool *approximated, Err *err)
{
    Interval *found = arena_new_array(arena, Interval, parts->exprs.count);
    for (uint64_t task = 0; task < n_tasks; task++) {
        const double number = (double)task + 1;
        const size_t n = task ? parts->n_varying : parts->exprs.count;
        bool was_approximated = false;
        if (!n)
            break;
        bindings[n_bindings] = (ExprBinding){index, {number, number}};
        if (!expr_evaluate_all(parts->exprs.items, n, bindings, n_bindings + 1, found, &was_approximated, err))
            return false;
        *approximated = *approximated || was_approximated;
        for (size_t i = 0; i < n; i++)
            if (end == END_LOW)
                parts->costs.items[i]->times_s[task].low = found[i].low;
            else
                parts->costs.items[i]->times_s[task].high = found[i].high;
    }
    return true;
}

static bool find_costs(const Predictor *predictor, size_t batch, uint64_t n_tasks, const CostTask *tasks,
                       size_t n_groups, const Numbers *numbers, PartCosts (*costs)[N_PARTS], bool *approximated,
                       Err *err)
{
    Arena *arena = predictor->arena;
    Parts parts = {0};
    bool ok = true;
    list_parts(&tasks[batch * n_groups], n_groups, &costs[batch * n_groups], true, &parts);
    list_parts(&tasks[batch * n_groups], n_groups, &costs[batch * n_groups], false, &parts);
    for (size_t i = 0; i < parts.costs.count; i++)
        parts.costs.items[i]->times_s = arena_new_array(arena, Interval, parts.costs.items[i]->varies ? n_tasks : 1);
    for (End end = END_LOW; ok && end <= END_HIGH; end += END_HIGH - END_LOW)
        ok = evaluate(&parts, tasks[batch * n_groups].index, n_tasks, numbers_at(numbers, true, end, arena),
                      numbers->bindings.count, end, arena, approximated, err);
    vec_free(&parts.exprs);
    vec_free(&parts.costs);
    return ok;
}

/* ---- intervals ------------------------------------------------------------------------------------------------- */

/* Whether all messages of the stage take equally long, in each direction. */
static bool has_equal_messages(const Stage *stage)
{
    for (Part part = PART_GIVE; part <= PART_TAKE; part += PART_TAKE - PART_GIVE) {
        const Interval first = stage->costs[stage->batches[0] * stage->n_groups][part].times_s[0];
        for (size_t i = 0; i < stage->n_batches; i++)
            for (size_t k = 0; k < stage->n_groups; k++) {
                const PartCosts *costs = &stage->costs[stage->batches[i] * stage->n_groups + k][part];
                if (costs->varies || costs->times_s[0].low != first.low || costs->times_s[0].high != first.high)
                    return false;
            }
    }
    return true;
}

/* Whether longer tasks or messages never make the stage shorter. */
static bool is_monotone(const Stage *stage, const CostPlatform *platform, bool has_messages)
{
    const CostGroup *first = &platform->groups[0];
    for (size_t i = 1; i < platform->n_groups; i++)
        if (strcmp(platform->groups[i].kind, first->kind) != 0 || platform->groups[i].workers_each > first->n_cores)
            return false;
    if (first->workers_each > first->n_cores)
        return platform->n_groups == 1 && first->n_machines == 1 && !has_messages;
    return has_equal_messages(stage);
}

/* The longest task of the stage with its messages, on any group, beside as many others as its machine may have. */
static double longest_of(const Stage *stage, const CostPlatform *platform, const uint64_t *n_tasks)
{
    double longest_s = 0;
    for (size_t i = 0; i < stage->n_batches; i++)
        for (size_t k = 0; k < stage->n_groups; k++) {
            const CostGroup *group = &platform->groups[k];
            const double share = fmax(1, (double)group->workers_each / group->n_cores);
            for (uint64_t task = 0; task < n_tasks[stage->batches[i]]; task++) {
                const ScheduleTask cost = task_of(stage, stage->batches[i], k, task);
                longest_s = fmax(longest_s, cost.give_s + share * cost.compute_s + cost.take_s);
            }
        }
    return longest_s;
}

static Interval stage_interval(Stage *stage, const CostPlatform *platform, const uint64_t *n_tasks, bool has_messages,
                               const ScheduleTasks *all, Interval bound_s)
{
    const bool is_exact = is_monotone(stage, platform, has_messages);
    Interval time_s;
    stage->end = END_LOW;
    time_s.low = schedule_time(platform, all, NULL) - (is_exact ? 0 : longest_of(stage, platform, n_tasks));
    stage->end = END_HIGH;
    time_s.high = schedule_time(platform, all, NULL) + (is_exact ? 0 : longest_of(stage, platform, n_tasks));
    return (Interval){fmax(time_s.low, bound_s.low), fmax(time_s.high, bound_s.low)};
}

/* The longest task of the stage, if each is where it takes least: T0. */
static double bound_of(Stage *stage, const uint64_t *n_tasks, End end)
{
    double longest_s = 0;
    stage->end = end;
    for (size_t i = 0; i < stage->n_batches; i++)
        for (uint64_t task = 0; task < n_tasks[stage->batches[i]]; task++) {
            double least_s = INFINITY;
            for (size_t k = 0; k < stage->n_groups; k++) {
                const ScheduleTask cost = task_of(stage, stage->batches[i], k, task);
                least_s = fmin(least_s, cost.give_s + cost.compute_s + cost.take_s);
            }
            longest_s = fmax(longest_s, least_s);
        }
    return longest_s;
}

/* The workers' tasks of each batch, with costs in the middle. */
static void count(Stage *stage, const CostPlatform *platform, const ScheduleTasks *all, uint64_t *const *counts)
{
    uint64_t *worker_of = memory_zeroed(all->n_tasks + 1, sizeof *worker_of);
    stage->end = END_MIDDLE;
    schedule_time(platform, all, worker_of);
    for (size_t i = 0; i < stage->n_batches; i++) {
        const uint64_t end = i + 1 < stage->n_batches ? stage->before[i + 1] : all->n_tasks;
        for (uint64_t task = stage->before[i]; task < end; task++)
            counts[stage->batches[i]][worker_of[task]]++;
    }
    free(worker_of);
}

static bool check_limit(const Predictor *predictor, const uint64_t *n_tasks, size_t n_groups, Err *err)
{
    double all = 0;
    for (size_t i = 0; i < predictor->n_batches; i++)
        all += (double)n_tasks[i];
    return all * (double)n_groups <= COSTS_LIMIT ||
           err_set(
               err, ERR_INPUT,
               "%.15g tasks on %zu kind%s of machines: tasks that free workers get are predicted one by one, and at "
               "most %d",
               all, n_groups, n_groups == 1 ? "" : "s", COSTS_LIMIT) ||
           err_hint(err, "predict them with the static allocation, or with fewer and longer tasks");
}

bool dynamic_times(const Predictor *predictor, const CostPlatform *platform, const uint64_t *n_tasks,
                   const CostTask *tasks, const Numbers *numbers, CostPrediction *prediction, Err *err)
{
    Arena *arena = predictor->arena;
    const size_t n = predictor->n_batches, n_groups = platform->n_groups;
    PartCosts(*costs)[N_PARTS] = arena_alloc_array(arena, n * n_groups, sizeof *costs);
    uint64_t **counts = arena_new_array(arena, uint64_t *, n), *before = arena_new_array(arena, uint64_t, n);
    size_t *batches = arena_new_array(arena, size_t, n);
    if (!check_limit(predictor, n_tasks, n_groups, err))
        return false;
    for (size_t i = 0; i < n; i++) {
        counts[i] = arena_new_array(arena, uint64_t, cost_workers(platform));
        if (!find_costs(predictor, i, n_tasks[i], tasks, n_groups, numbers, costs, &prediction->is_approximated, err))
            return false;
    }
    prediction->counts = (const uint64_t *const *)counts;
    Interval without_contention_s = {0, 0};
    prediction->time_s = (Interval){0, 0};
    for (uint32_t level = 0; level < prediction->expressions->n_stages; level++) {
        Stage stage = {
            .n_groups = n_groups, .batches = batches, .before = before, .costs = (const PartCosts(*)[N_PARTS])costs};
        ScheduleTasks all = {.cost = cost_of, .self = &stage};
        for (size_t i = 0; i < n; i++) {
            if (cost_level(predictor->application, i) != level)
                continue;
            batches[stage.n_batches] = i;
            before[stage.n_batches++] = all.n_tasks;
            all.n_tasks += n_tasks[i];
        }
        without_contention_s.low += bound_of(&stage, n_tasks, END_LOW);
        without_contention_s.high += bound_of(&stage, n_tasks, END_HIGH);
        Interval *stage_s = &prediction->stage_s[level];
        *stage_s = stage_interval(&stage, platform, n_tasks, !predictor->options.without_messages, &all, *stage_s);
        count(&stage, platform, &all, counts);
        prediction->time_s.low += stage_s->low;
        prediction->time_s.high += stage_s->high;
    }
    prediction->without_contention_s = without_contention_s;
    return true;
}
