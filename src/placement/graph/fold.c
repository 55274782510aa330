/* SPDX-License-Identifier: BSD-3-Clause */
/* Folds a graph's loops, and counts its steps (graph.h). */
#include "base/map.h"
#include "placement/graph/graph.h"
#include "placement/graph/steps.h"
#include <assert.h>

/* Number of messages that a task has exchanged with each peer so far. */
typedef struct Folding {
    Map counts; /* kind, peer -> messages */
    StepList *list;
} Folding;

static uint64_t *count_of(Folding *folding, const Step *step)
{
    return map_put(&folding->counts, (MapKey){step->kind, step->peer}, NULL);
}

/* Counts the messages of further iterations. */
static void count_messages(Folding *folding, const Step *steps, uint32_t n_steps, uint64_t runs)
{
    for (uint32_t i = 0; i < n_steps; i++) {
        if (steps[i].kind == STEP_LOOP)
            count_messages(folding, steps[i].body, steps[i].n_body, runs * steps[i].times);
        else if (steps[i].kind != STEP_COMPUTE)
            *count_of(folding, &steps[i]) += runs;
    }
}

/* Each step stands where its first iteration is. `first` is the number of messages before that. */
static void fold_steps(Folding *folding, const Step *steps, uint32_t n_steps, uint64_t runs)
{
    for (uint32_t i = 0; i < n_steps; i++) {
        if (steps[i].kind == STEP_LOOP) {
            fold_steps(folding, steps[i].body, steps[i].n_body, runs * steps[i].times);
            assert(steps[i].times);
            count_messages(folding, steps[i].body, steps[i].n_body, steps[i].times - 1);
        } else if (steps[i].kind == STEP_COMPUTE) {
            steps_add_compute(folding->list, steps[i].seconds * (double)runs);
        } else {
            Step *message = vec_push(&folding->list->steps);
            *message = steps[i];
            message->times = runs;
            message->first = (*count_of(folding, &steps[i]))++;
        }
    }
}

void steps_add_folded(StepList *list, const Step *steps, uint32_t n_steps)
{
    Folding folding = {.list = list};
    fold_steps(&folding, steps, n_steps, 1);
    map_free(&folding.counts);
}

const TaskGraph *graph_fold(const TaskGraph *graph, Arena *arena)
{
    if (graph->is_folded)
        return graph;
    TaskGraph *folded = arena_new_array(arena, TaskGraph, 1);
    Task *tasks = arena_new_array(arena, Task, graph->n_tasks);
    *folded = *graph;
    folded->tasks = tasks;
    folded->is_folded = true;
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        StepList list = {0};
        steps_add_folded(&list, graph->tasks[i].steps, graph->tasks[i].n_steps);
        tasks[i].name = graph->tasks[i].name;
        tasks[i].steps = steps_take(&list, arena, &tasks[i].n_steps);
    }
    return folded;
}

static void measure_steps(const Step *steps, uint32_t n_steps, uint64_t runs, GraphSize *size)
{
    for (uint32_t i = 0; i < n_steps; i++) {
        const Step *step = &steps[i];
        size->n_steps++;
        if (step->kind == STEP_LOOP)
            measure_steps(step->body, step->n_body, runs * step->times, size);
        else
            size->n_steps_open += runs;
        if (step->kind == STEP_SEND || step->kind == STEP_PUT || step->kind == STEP_GET)
            size->n_messages += runs * step->times;
    }
}

GraphSize graph_size(const TaskGraph *graph)
{
    GraphSize size = {0};
    for (uint32_t i = 0; i < graph->n_tasks; i++)
        measure_steps(graph->tasks[i].steps, graph->tasks[i].n_steps, 1, &size);
    return size;
}
