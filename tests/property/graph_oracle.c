/* SPDX-License-Identifier: BSD-3-Clause */
/* See graph_oracle.h. */
#include "graph_oracle.h"

#include <math.h>

#define NEVER INFINITY

typedef struct Side {
    const Task *task;
    uint32_t number, next; /* number of the task, and of its next step */
    double *starts;        /* of steps; NEVER: not known yet */
    double now_s;
    uint64_t n_received; /* from the other task */
} Side;

static Side make_side(const TaskGraph *graph, uint32_t number, Arena *arena)
{
    Side side = {.task = &graph->tasks[number], .number = number};
    side.starts = arena_new_array(arena, double, side.task->n_steps);
    for (uint32_t i = 0; i < side.task->n_steps; i++)
        side.starts[i] = NEVER;
    return side;
}

/* The time at which the side sends a message to the other. In a folded graph, the time of the last
 * step whose first message has this number or a lower one. Searches its steps, O(r). */
static double sent_at(const TaskGraph *graph, const Side *side, uint32_t peer, uint64_t number)
{
    double time = NEVER;
    uint64_t count = 0;
    for (uint32_t i = 0; i < side->task->n_steps; i++) {
        const Step *step = &side->task->steps[i];
        if (step->kind == STEP_SEND && step->peer == peer && (graph->is_folded ? step->first : count++) <= number)
            time = side->starts[i];
    }
    return time;
}

/* Advances a side until it ends or waits. Returns true if it advanced. */
static bool advance(const TaskGraph *graph, Side *side, const Side *other)
{
    uint32_t before = side->next;
    for (; side->next < side->task->n_steps; side->next++) {
        const Step *step = &side->task->steps[side->next];
        if (step->kind == STEP_RECV && step->peer == other->number) {
            double sent = sent_at(graph, other, side->number, graph->is_folded ? step->first : side->n_received);
            if (sent == NEVER)
                break;
            side->n_received++;
            side->now_s = fmax(side->now_s, sent);
        }
        side->starts[side->next] = side->now_s;
        if (step->kind == STEP_COMPUTE)
            side->now_s += step->seconds;
    }
    return side->next > before;
}

typedef struct Interval {
    double from_s, to_s;
} Interval;

static uint32_t collect_phases(const Side *side, Interval *phases)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < side->task->n_steps; i++)
        if (side->task->steps[i].kind == STEP_COMPUTE)
            phases[n++] = (Interval){side->starts[i], side->starts[i] + side->task->steps[i].seconds};
    return n;
}

double oracle_overlap(const TaskGraph *graph, uint32_t first, uint32_t second, Arena *arena)
{
    Side sides[2] = {make_side(graph, first, arena), make_side(graph, second, arena)};
    for (bool moved = true; moved;) {
        moved = advance(graph, &sides[0], &sides[1]);
        moved |= advance(graph, &sides[1], &sides[0]);
    }
    Interval *phases[2];
    uint32_t n[2];
    for (int i = 0; i < 2; i++) {
        phases[i] = arena_new_array(arena, Interval, sides[i].task->n_steps);
        n[i] = collect_phases(&sides[i], phases[i]);
    }
    double overlap_s = 0;
    for (uint32_t i = 0; i < n[0]; i++)
        for (uint32_t k = 0; k < n[1]; k++) {
            double from_s = phases[0][i].from_s > phases[1][k].from_s ? phases[0][i].from_s : phases[1][k].from_s;
            double to_s = phases[0][i].to_s < phases[1][k].to_s ? phases[0][i].to_s : phases[1][k].to_s;
            overlap_s += to_s > from_s ? to_s - from_s : 0;
        }
    return overlap_s;
}
