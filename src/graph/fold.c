/* SPDX-License-Identifier: BSD-3-Clause */
/* A graph as the model folds it, and how large it is. */
#include "graph/graph.h"
#include "graph/steps.h"

static void fold_steps(const Step *steps, uint32_t n_steps, uint64_t runs, StepList *list)
{
    for (uint32_t i = 0; i < n_steps; i++) {
        if (steps[i].kind == STEP_LOOP) {
            fold_steps(steps[i].body, steps[i].n_body, runs * steps[i].times, list);
        } else if (steps[i].kind == STEP_COMPUTE) {
            steps_add_compute(list, steps[i].seconds * (double)runs);
        } else {
            Step *message = vec_push(&list->steps);
            *message = steps[i];
            message->times *= runs;
        }
    }
}

const TaskGraph *graph_fold(const TaskGraph *graph, Arena *arena)
{
    TaskGraph *folded = arena_new_array(arena, TaskGraph, 1);
    Task *tasks = arena_new_array(arena, Task, graph->n_tasks);
    *folded = *graph;
    folded->tasks = tasks;
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        StepList list = {0};
        fold_steps(graph->tasks[i].steps, graph->tasks[i].n_steps, 1, &list);
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
        if (step->kind == STEP_SEND)
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
