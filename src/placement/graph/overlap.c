/* SPDX-License-Identifier: BSD-3-Clause */
/* See overlap.h. pair.h simulates; here each message gets its times. */
#include "placement/graph/overlap.h"

#include "placement/graph/graph.h"
#include "placement/graph/pair.h"

/* Pairs with more messages are simulated with folded loops. */
enum { MESSAGES_IN_PICTURE = 1 << 20 };

typedef struct Walk {
    const PairRun *run;
    VEC(OverlapInterval) intervals;
    VEC(OverlapMessage) messages;
} Walk;

/* The send that a receive waits for, as pair.h defines it: *matched only grows. */
static const PairSend *find_send(const PairRun *run, int side, const PairMessage *receive, size_t *matched)
{
    const PairSend *sends = run->side[!side].sends.items;
    while (*matched + 1 < run->side[!side].sends.count && sends[*matched + 1].first <= receive->first)
        ++*matched;
    return &sends[*matched];
}

static void add_interval(Walk *walk, double from_s, double to_s)
{
    if (to_s > from_s)
        *vec_push(&walk->intervals) = (OverlapInterval){from_s, to_s};
}

/* Goes through a side's messages. A receive moves the computation behind it to when its message is
 * there. */
static void walk_side(Walk *walk, int number, const PairSide *side)
{
    double late_s = 0, begin_s = 0;
    size_t matched = 0;
    walk->intervals.count = 0;
    for (size_t i = 0; i < side->n_messages; i++) {
        const PairMessage *message = &side->messages[i];
        double at_s = message->compute_s + late_s;
        add_interval(walk, begin_s, at_s);
        begin_s = at_s;
        if (message->sends)
            continue;
        const PairSend *sent = find_send(walk->run, number, message, &matched);
        if (sent->at_s > at_s)
            late_s = sent->at_s - message->compute_s;
        begin_s = message->compute_s + late_s;
        *vec_push(&walk->messages) = (OverlapMessage){!number, sent->at_s, begin_s};
    }
    add_interval(walk, begin_s, side->compute_s + late_s);
}

static uint64_t count_messages(const Step *steps, uint32_t n, uint32_t peer)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n && sum <= MESSAGES_IN_PICTURE; i++) {
        if (steps[i].kind == STEP_LOOP) {
            uint64_t inner = count_messages(steps[i].body, steps[i].n_body, peer);
            sum += inner && steps[i].times > MESSAGES_IN_PICTURE / inner ? MESSAGES_IN_PICTURE + 1
                                                                         : inner * steps[i].times;
        } else if (steps[i].kind == STEP_SEND || steps[i].kind == STEP_RECV) {
            sum += steps[i].peer == peer;
        }
    }
    return sum;
}

static bool is_long(const TaskGraph *graph, const uint32_t tasks[2])
{
    for (int i = 0; i < 2; i++) {
        const Task *task = &graph->tasks[tasks[i]];
        if (count_messages(task->steps, task->n_steps, tasks[!i]) > MESSAGES_IN_PICTURE)
            return true;
    }
    return false;
}

static void keep(Walk *walk, const PairSide sides[2], Arena *arena, Overlap *overlap)
{
    for (int i = 0; i < 2; i++) {
        walk_side(walk, i, &sides[i]);
        overlap->n[i] = walk->intervals.count;
        overlap->intervals[i] = vec_copy(&walk->intervals, arena);
        overlap->compute_s[i] = sides[i].compute_s;
    }
    overlap->n_messages = walk->messages.count;
    overlap->messages = vec_copy(&walk->messages, arena);
    overlap->overlap_s = walk->run->overlap_s;
}

bool overlap_of_pair(const TaskGraph *graph, const uint32_t tasks[2], Arena *arena, Overlap *overlap, Err *err)
{
    Arena *scratch = arena_new();
    PairRun run = {0};
    PairMessages lists[2] = {0};
    PairSide sides[2];
    Overlap found = {.is_folded = is_long(graph, tasks)};
    const TaskGraph *simulated = found.is_folded ? graph_fold(graph, scratch) : graph;
    for (int i = 0; i < 2; i++)
        sides[i] = pair_messages_collect(simulated, tasks[i], tasks[!i], &lists[i]);
    bool ok = pair_simulate(&run, sides) || pair_deadlock(graph, tasks[0], tasks[1], err);
    if (ok) {
        Walk walk = {.run = &run};
        keep(&walk, sides, arena, &found);
        vec_free(&walk.intervals);
        vec_free(&walk.messages);
        *overlap = found;
    }
    pair_run_free(&run);
    for (int i = 0; i < 2; i++)
        vec_free(&lists[i].messages);
    arena_free(scratch);
    return ok;
}
