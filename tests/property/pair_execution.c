/* SPDX-License-Identifier: BSD-3-Clause */
/* See pair_execution.h. */
#include "pair_execution.h"

#include "placement/graph/pair.h"

#define STEPS_LIMIT ((uint64_t)1 << 24)

/* A phase of computation, in its task's computation time. */
typedef struct PhaseStretch {
    double from_s, to_s;
} PhaseStretch;

typedef struct PhaseList {
    VEC(PhaseStretch) phases;
} PhaseList;

static void collect_phases(const Step *steps, uint32_t n_steps, PhaseList *list, double *compute_s)
{
    for (uint32_t i = 0; i < n_steps; i++) {
        for (uint64_t k = 0; steps[i].kind == STEP_LOOP && k < steps[i].times; k++)
            collect_phases(steps[i].body, steps[i].n_body, list, compute_s);
        if (steps[i].kind != STEP_COMPUTE || steps[i].seconds <= 0)
            continue;
        *vec_push(&list->phases) = (PhaseStretch){*compute_s, *compute_s + steps[i].seconds};
        *compute_s += steps[i].seconds;
    }
}

/* Shifts each phase by the waits before it. */
static const ExecutionInterval *place_phases(const PhaseList *list, const PairWait *waits, size_t n_waits, Arena *arena)
{
    ExecutionInterval *intervals = arena_new_array(arena, ExecutionInterval, list->phases.count);
    size_t at = 0;
    for (size_t i = 0; i < list->phases.count; i++) {
        const PhaseStretch *phase = &list->phases.items[i];
        double middle_s = (phase->from_s + phase->to_s) / 2; /* waits lie between phases, except for rounding */
        while (at + 1 < n_waits && waits[at + 1].compute_s < middle_s)
            at++;
        intervals[i] = (ExecutionInterval){phase->from_s + waits[at].late_s, phase->to_s + waits[at].late_s};
    }
    return intervals;
}

static uint64_t open_steps(const Task *task)
{
    const TaskGraph alone = {.n_tasks = 1, .tasks = task};
    return graph_size(&alone).n_steps_open;
}

static void execute(const Task *tasks[2], const PairRun *run, Arena *arena, PairExecution *execution)
{
    *execution = (PairExecution){.overlap_s = run->overlap_s};
    for (int i = 0; i < 2; i++) {
        PhaseList list = {0};
        double compute_s = 0;
        collect_phases(tasks[i]->steps, tasks[i]->n_steps, &list, &compute_s);
        execution->intervals[i] = place_phases(&list, run->side[i].waits.items, run->side[i].waits.count, arena);
        execution->n[i] = (uint32_t)list.phases.count;
        vec_free(&list.phases);
    }
}

bool pair_execute(const TaskGraph *graph, uint32_t first, uint32_t second, Arena *arena, PairExecution *execution,
                  Err *err)
{
    const Task *tasks[2] = {&graph->tasks[first], &graph->tasks[second]};
    const uint32_t peers[2] = {second, first};
    PairMessages lists[2] = {0};
    PairSide sides[2];
    PairRun run = {0};
    for (int i = 0; i < 2; i++)
        if (open_steps(tasks[i]) > STEPS_LIMIT)
            return err_set(err, ERR_INPUT,
                           "task `%.80s` has more steps than can be looked at with its loops run through",
                           tasks[i]->name);
    for (int i = 0; i < 2; i++)
        sides[i] = pair_messages_collect(graph, peers[!i], peers[i], &lists[i]);
    bool ok = pair_simulate(&run, sides) || pair_deadlock(graph, first, second, err);
    if (ok)
        execute(tasks, &run, arena, execution);
    pair_run_free(&run);
    vec_free(&lists[0].messages);
    vec_free(&lists[1].messages);
    return ok;
}
