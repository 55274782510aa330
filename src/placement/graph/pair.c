/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates a pair (pair.h). Runs each side in turn as far as possible, until both are finished or
 * both wait. */
#include "placement/graph/pair.h"

#include <assert.h>

void pair_run_free(PairRun *run)
{
    for (int i = 0; i < 2; i++) {
        vec_free(&run->side[i].waits);
        vec_free(&run->side[i].sends);
    }
}

static double late_s(const PairRun *run, int side)
{
    assert(run->side[side].waits.count);
    return run->side[side].waits.items[run->side[side].waits.count - 1].late_s;
}

static void send(PairRun *run, int side, const PairMessage *message)
{
    run->side[side].sends.items[run->side[side].n_sent++].at_s = message->compute_s + late_s(run, side);
}

/* False: the message wasn't sent yet. */
static bool receive(PairRun *run, int side, const PairMessage *message)
{
    const PairSend *sends = run->side[!side].sends.items;
    size_t *matched = &run->side[side].matched;
    while (*matched + 1 < run->side[!side].sends.count && sends[*matched + 1].first <= message->first)
        ++*matched;
    if (*matched >= run->side[!side].n_sent)
        return false;
    if (sends[*matched].at_s > message->compute_s + late_s(run, side))
        *vec_push(&run->side[side].waits) = (PairWait){message->compute_s, sends[*matched].at_s - message->compute_s};
    return true;
}

/* Whether the side came any further. */
static bool advance(PairRun *run, int number, const PairSide *side)
{
    size_t before = run->side[number].next, *next = &run->side[number].next;
    for (; *next < side->n_messages; ++*next) {
        const PairMessage *message = &side->messages[*next];
        if (message->sends)
            send(run, number, message);
        else if (!receive(run, number, message))
            break;
    }
    return *next > before;
}

/* The stretch of computation between two waits, in simulated time. False: there are no more. */
static bool next_stretch(const PairRun *run, int number, const PairSide *side, size_t at, double *from_s, double *to_s)
{
    const PairWait *waits = run->side[number].waits.items;
    size_t n = run->side[number].waits.count;
    if (at >= n)
        return false;
    *from_s = waits[at].compute_s + waits[at].late_s;
    *to_s = (at + 1 < n ? waits[at + 1].compute_s : side->compute_s) + waits[at].late_s;
    return true;
}

/* Both lists of stretches are sorted and don't overlap themselves, so one merge is enough. */
static double overlap_s(const PairRun *run, const PairSide sides[2])
{
    size_t at[2] = {0};
    double from_s[2], to_s[2], sum_s = 0;
    while (next_stretch(run, 0, &sides[0], at[0], &from_s[0], &to_s[0]) &&
           next_stretch(run, 1, &sides[1], at[1], &from_s[1], &to_s[1])) {
        double from = from_s[0] > from_s[1] ? from_s[0] : from_s[1], to = to_s[0] < to_s[1] ? to_s[0] : to_s[1];
        if (to > from)
            sum_s += to - from;
        at[to_s[0] < to_s[1] ? 0 : 1]++;
    }
    return sum_s;
}

static void start(PairRun *run, int number, const PairSide *side)
{
    run->side[number].waits.count = run->side[number].sends.count = 0;
    run->side[number].next = run->side[number].n_sent = run->side[number].matched = 0;
    *vec_push(&run->side[number].waits) = (PairWait){0, 0};
    for (size_t i = 0; i < side->n_messages; i++)
        if (side->messages[i].sends)
            *vec_push(&run->side[number].sends) = (PairSend){side->messages[i].first, side->messages[i].times, 0};
}

bool pair_simulate(PairRun *run, const PairSide sides[2])
{
    start(run, 0, &sides[0]);
    start(run, 1, &sides[1]);
    for (bool moved = true; moved;) {
        moved = advance(run, 0, &sides[0]);
        moved |= advance(run, 1, &sides[1]);
    }
    if (run->side[0].next < sides[0].n_messages || run->side[1].next < sides[1].n_messages)
        return false;
    run->overlap_s = overlap_s(run, sides);
    return true;
}

/* Adds further iterations, which repeat the first one at later times. */
static void repeat(PairMessages *list, size_t first, uint64_t times, double iteration_s)
{
    size_t n = list->messages.count - first;
    if (!n)
        return;
    vec_reserve(&list->messages, n * (times - 1));
    for (uint64_t i = 1; i < times; i++)
        for (size_t k = 0; k < n; k++) {
            PairMessage message = list->messages.items[first + k];
            message.compute_s += (double)i * iteration_s;
            *vec_push(&list->messages) = message;
        }
}

static void collect(const Step *steps, uint32_t n_steps, uint32_t peer, PairMessages *list, double *compute_s)
{
    for (uint32_t i = 0; i < n_steps; i++) {
        const Step *step = &steps[i];
        if (step->kind == STEP_LOOP) {
            size_t first = list->messages.count;
            double before_s = *compute_s;
            collect(step->body, step->n_body, peer, list, compute_s);
            double iteration_s = *compute_s - before_s;
            repeat(list, first, step->times, iteration_s);
            *compute_s = before_s + (double)step->times * iteration_s;
        } else if (step->kind == STEP_COMPUTE) {
            *compute_s += step->seconds;
        } else if (step->peer == peer && (step->kind == STEP_SEND || step->kind == STEP_RECV)) {
            *vec_push(&list->messages) = (PairMessage){*compute_s, step->times, step->first, step->kind == STEP_SEND};
        }
    }
}

PairSide pair_messages_collect(const TaskGraph *graph, uint32_t task, uint32_t peer, PairMessages *list)
{
    double compute_s = 0;
    uint64_t n[2] = {0};
    list->messages.count = 0;
    collect(graph->tasks[task].steps, graph->tasks[task].n_steps, peer, list, &compute_s);
    for (size_t i = 0; i < list->messages.count && !graph->is_folded; i++)
        list->messages.items[i].first = n[list->messages.items[i].sends]++;
    return (PairSide){list->messages.items, list->messages.count, compute_s};
}

bool pair_deadlock(const TaskGraph *graph, uint32_t first, uint32_t second, Err *err)
{
    return err_set(err, ERR_INPUT,
                   "tasks `%.80s` and `%.80s` wait for each other: each for a message that the other "
                   "sends only later",
                   graph->tasks[first].name, graph->tasks[second].name);
}
