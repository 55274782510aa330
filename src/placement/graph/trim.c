/* SPDX-License-Identifier: BSD-3-Clause */
/* Leaves out receives (trim.h). A loop in which messages run out is split: iterations with all
 * messages, the iteration in which they run out, and iterations without. */
#include "placement/graph/trim.h"

#include "placement/graph/steps.h"
#include <assert.h>

typedef struct Trimming {
    ReceiveLimit *limits;
    size_t n_limits;
    Arena *arena;
} Trimming;

static ReceiveLimit *limit_of(const Trimming *trimming, uint32_t from)
{
    for (size_t i = 0; i < trimming->n_limits; i++)
        if (trimming->limits[i].from == from)
            return &trimming->limits[i];
    return NULL;
}

static uint64_t count_receives(const Step *steps, uint32_t n_steps, uint32_t from)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < n_steps; i++) {
        if (steps[i].kind == STEP_LOOP)
            count += steps[i].times * count_receives(steps[i].body, steps[i].n_body, from);
        else
            count += steps[i].kind == STEP_RECV && steps[i].peer == from;
    }
    return count;
}

/* Copies the steps without receives whose messages have run out. Doesn't use up any limit. */
static void add_rest(const Trimming *trimming, const Step *steps, uint32_t n_steps, StepList *list)
{
    for (uint32_t i = 0; i < n_steps; i++) {
        const Step *step = &steps[i];
        const ReceiveLimit *limit = step->kind == STEP_RECV ? limit_of(trimming, step->peer) : NULL;
        if (step->kind == STEP_LOOP) {
            StepList body = {0};
            add_rest(trimming, step->body, step->n_body, &body);
            steps_add_loop(list, step->times, &body, trimming->arena);
        } else if (step->kind == STEP_COMPUTE) {
            steps_add_compute(list, step->seconds);
        } else if (!limit || limit->n_messages) {
            *vec_push(&list->steps) = *step;
        }
    }
}

/* The number of iterations, at most `left`, for which there are enough messages. */
static uint64_t whole_iterations(const Trimming *trimming, const Step *loop, uint64_t left)
{
    for (size_t i = 0; i < trimming->n_limits; i++) {
        uint64_t there = trimming->limits[i].n_messages;
        uint64_t needed = there ? count_receives(loop->body, loop->n_body, trimming->limits[i].from) : 0;
        if (needed && there / needed < left)
            left = there / needed;
    }
    return left;
}

static void trim_steps(const Trimming *trimming, const Step *steps, uint32_t n_steps, StepList *list);

static void trim_loop(const Trimming *trimming, const Step *loop, StepList *list)
{
    for (uint64_t left = loop->times; left;) {
        uint64_t whole = whole_iterations(trimming, loop, left);
        assert(whole <= left);
        if (!whole) {
            trim_steps(trimming, loop->body, loop->n_body, list);
            left--;
            continue;
        }
        StepList body = {0};
        add_rest(trimming, loop->body, loop->n_body, &body);
        steps_add_loop(list, whole, &body, trimming->arena);
        for (size_t i = 0; i < trimming->n_limits; i++)
            if (trimming->limits[i].n_messages)
                trimming->limits[i].n_messages -=
                    whole * count_receives(loop->body, loop->n_body, trimming->limits[i].from);
        left -= whole;
    }
}

static void trim_steps(const Trimming *trimming, const Step *steps, uint32_t n_steps, StepList *list)
{
    for (uint32_t i = 0; i < n_steps; i++) {
        ReceiveLimit *limit = steps[i].kind == STEP_RECV ? limit_of(trimming, steps[i].peer) : NULL;
        if (steps[i].kind == STEP_LOOP)
            trim_loop(trimming, &steps[i], list);
        else
            add_rest(trimming, &steps[i], 1, list);
        if (limit && limit->n_messages)
            limit->n_messages--;
    }
}

void trim_receives(Task *task, ReceiveLimit *limits, size_t n_limits, Arena *arena)
{
    const Trimming trimming = {limits, n_limits, arena};
    StepList list = {0};
    trim_steps(&trimming, task->steps, task->n_steps, &list);
    task->steps = steps_take(&list, arena, &task->n_steps);
}
