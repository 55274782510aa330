/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups messages by pairs (adjacent.h). Tasks are visited in ascending order. So the lower task's
 * messages of a pair come first, then the higher task's, each in order. The time is linear in the
 * number of messages; only the pairs are sorted. */
#include "placement/graph/adjacent.h"

#include "base/map.h"
#include "placement/graph/steps.h"
#include <assert.h>
#include <stdlib.h>

typedef struct Numbering {
    Map number_of; /* lower, higher task -> number in pairs */
    VEC(AdjacentPair) pairs;
} Numbering;

static AdjacentPair *pair_between(Numbering *numbering, uint32_t task, uint32_t peer)
{
    assert(task != peer);
    uint32_t low = task < peer ? task : peer, high = task < peer ? peer : task;
    size_t number = map_number(&numbering->number_of, (MapKey){low, high}, numbering->pairs.count);
    if (number == numbering->pairs.count)
        *vec_push(&numbering->pairs) = (AdjacentPair){.tasks = {low, high}};
    return &numbering->pairs.items[number];
}

static bool is_of_pair(const Step *step, uint32_t task)
{
    return step->kind != STEP_COMPUTE && step->peer != task;
}

/* Counts the messages of each side of each pair. Returns their sum. */
static size_t count_messages(const TaskGraph *folded, Numbering *numbering)
{
    size_t sum = 0;
    for (uint32_t task = 0; task < folded->n_tasks; task++)
        for (uint32_t i = 0; i < folded->tasks[task].n_steps; i++) {
            const Step *step = &folded->tasks[task].steps[i];
            if (!is_of_pair(step, task))
                continue;
            pair_between(numbering, task, step->peer)->sides[task > step->peer].n_messages++;
            sum++;
        }
    return sum;
}

/* Gives each side its part of `messages`. next[pair]: place for the pair's next message, first the
 * lower task's. */
static void place_sides(Numbering *numbering, PairMessage *messages, PairMessage **next)
{
    for (size_t i = 0; i < numbering->pairs.count; i++) {
        next[i] = messages;
        for (int side = 0; side < 2; side++) {
            numbering->pairs.items[i].sides[side].messages = messages;
            messages += numbering->pairs.items[i].sides[side].n_messages;
        }
    }
}

static void add_message(AdjacentPair *pair, int side, const Step *step, double compute_s, PairMessage *message)
{
    *message = (PairMessage){compute_s, step->times, step->first, step->kind == STEP_SEND};
    if (message->sends) {
        pair->sent[side].bytes += step->bytes * (double)step->times;
        pair->sent[side].n_messages += step->times;
    }
}

/* Returns the task's computation. */
static double fill_messages(const Task *steps_of, uint32_t task, Numbering *numbering, PairMessage **next)
{
    double compute_s = 0;
    for (uint32_t i = 0; i < steps_of->n_steps; i++) {
        const Step *step = &steps_of->steps[i];
        if (step->kind == STEP_COMPUTE)
            compute_s += step->seconds;
        if (!is_of_pair(step, task))
            continue;
        AdjacentPair *pair = pair_between(numbering, task, step->peer);
        add_message(pair, task > step->peer, step, compute_s, next[pair - numbering->pairs.items]++);
    }
    return compute_s;
}

static int compare_pairs(const void *left, const void *right)
{
    const AdjacentPair *a = left, *b = right;
    for (int i = 0; i < 2; i++)
        if (a->tasks[i] != b->tasks[i])
            return a->tasks[i] < b->tasks[i] ? -1 : 1;
    return 0;
}

AdjacentPairs adjacent_pairs(const TaskGraph *folded, Arena *arena)
{
    Numbering numbering = {0};
    PairMessage *messages = arena_new_array(arena, PairMessage, count_messages(folded, &numbering));
    size_t n = numbering.pairs.count;
    PairMessage **next = arena_new_array(arena, PairMessage *, n);
    double *compute_s = arena_new_array(arena, double, folded->n_tasks);
    place_sides(&numbering, messages, next);
    for (uint32_t task = 0; task < folded->n_tasks; task++)
        compute_s[task] = fill_messages(&folded->tasks[task], task, &numbering, next);
    assert(n == numbering.pairs.count);
    AdjacentPair *pairs = arena_new_array(arena, AdjacentPair, n);
    for (size_t i = 0; i < n; i++) {
        pairs[i] = numbering.pairs.items[i];
        for (int side = 0; side < 2; side++)
            pairs[i].sides[side].compute_s = compute_s[pairs[i].tasks[side]];
    }
    qsort(pairs, n, sizeof *pairs, compare_pairs);
    map_free(&numbering.number_of);
    vec_free(&numbering.pairs);
    return (AdjacentPairs){n, pairs};
}
