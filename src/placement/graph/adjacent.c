/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups messages by pairs (adjacent.h). Each task's messages are sorted by peer, in a time that is linear in their
 * number; only the peers are compared. A pair then is a group of either task. So memory holds each message once. */
#include "placement/graph/adjacent.h"

#include "placement/graph/steps.h"
#include <stdlib.h>

typedef struct Sorting {
    Arena *arena;
    uint32_t *group_of; /* [n_tasks] group + 1 of a peer of the current task, or 0 */
    VEC(PeerMessages) groups;
} Sorting;

static bool is_of_pair(const Step *step, uint32_t task)
{
    return step->kind != STEP_COMPUTE && step->peer != task;
}

static bool is_one_sided(const Step *step)
{
    return step->kind == STEP_PUT || step->kind == STEP_GET;
}

static int compare_peers(const void *left, const void *right)
{
    const PeerMessages *a = left, *b = right;
    return (a->peer > b->peer) - (a->peer < b->peer);
}

/* Finds the task's peers, and how many messages it exchanges with each. Returns the number of all messages. */
static size_t find_groups(Sorting *sorting, uint32_t task, const Step *steps, uint32_t n_steps)
{
    size_t n = 0;
    sorting->groups.count = 0;
    for (uint32_t i = 0; i < n_steps; i++) {
        if (!is_of_pair(&steps[i], task))
            continue;
        uint32_t *group = &sorting->group_of[steps[i].peer];
        if (!*group) {
            *vec_push(&sorting->groups) = (PeerMessages){.peer = steps[i].peer};
            *group = (uint32_t)sorting->groups.count;
        }
        if (is_one_sided(&steps[i]))
            continue;
        sorting->groups.items[*group - 1].n_messages++;
        n++;
    }
    return n;
}

/* Sorts the groups by peer, and gives each its part of `messages`. */
static void place_groups(Sorting *sorting, const PairMessage *messages)
{
    size_t n = sorting->groups.count;
    if (n)
        qsort(sorting->groups.items, n, sizeof(PeerMessages), compare_peers);
    for (size_t i = 0; i < n; i++) {
        PeerMessages *group = &sorting->groups.items[i];
        group->messages = messages;
        messages += group->n_messages;
        group->n_messages = 0;
        sorting->group_of[group->peer] = (uint32_t)i + 1;
    }
}

static void add_volume(PairVolume *volume, const Step *step)
{
    volume->bytes += step->bytes * (double)step->times;
    volume->n_messages += step->times;
}

static void add_message(PeerMessages *group, const Step *step, double compute_s, PairMessage *message)
{
    if (step->kind == STEP_SEND || step->kind == STEP_PUT)
        add_volume(&group->sent, step);
    else if (step->kind == STEP_GET)
        add_volume(&group->got, step);
    if (is_one_sided(step))
        return;
    *message = (PairMessage){compute_s, step->times, step->first, step->kind == STEP_SEND};
    group->n_messages++;
}

static AdjacentTask sort_task(Sorting *sorting, uint32_t task, const Step *steps, uint32_t n_steps)
{
    size_t n = find_groups(sorting, task, steps, n_steps);
    PairMessage *messages = arena_new_array(sorting->arena, PairMessage, n);
    AdjacentTask sorted = {.n_steps = n_steps, .n_peers = (uint32_t)sorting->groups.count};
    place_groups(sorting, messages);
    for (uint32_t i = 0; i < n_steps; i++) {
        if (steps[i].kind == STEP_COMPUTE)
            sorted.compute_s += steps[i].seconds;
        if (!is_of_pair(&steps[i], task))
            continue;
        PeerMessages *group = &sorting->groups.items[sorting->group_of[steps[i].peer] - 1];
        size_t at = (size_t)(group->messages - messages) + group->n_messages;
        add_message(group, &steps[i], sorted.compute_s, &messages[at]);
    }
    for (size_t i = 0; i < sorting->groups.count; i++)
        sorting->group_of[sorting->groups.items[i].peer] = 0;
    sorted.peers = vec_copy(&sorting->groups, sorting->arena);
    return sorted;
}

AdjacentTasks adjacent_tasks(const TaskGraph *graph, Arena *arena)
{
    AdjacentTask *tasks = arena_new_array(arena, AdjacentTask, graph->n_tasks);
    Sorting sorting = {.arena = arena, .group_of = arena_new_array(arena, uint32_t, graph->n_tasks)};
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        const Task *task = &graph->tasks[i];
        StepList folded = {0};
        if (graph->is_folded) {
            tasks[i] = sort_task(&sorting, i, task->steps, task->n_steps);
            continue;
        }
        steps_add_folded(&folded, task->steps, task->n_steps);
        tasks[i] = sort_task(&sorting, i, folded.steps.items, (uint32_t)folded.steps.count);
        vec_free(&folded.steps);
    }
    vec_free(&sorting.groups);
    return (AdjacentTasks){.n_tasks = graph->n_tasks, .tasks = tasks};
}

static const PeerMessages *find_peer(const AdjacentTask *task, uint32_t peer)
{
    const PeerMessages wanted = {.peer = peer};
    return task->n_peers ? bsearch(&wanted, task->peers, task->n_peers, sizeof wanted, compare_peers) : NULL;
}

/* Whether the peer sends to the task, without the task's doing. */
static bool is_sent_to(const AdjacentTasks *tasks, uint32_t task, uint32_t peer)
{
    const PeerMessages *theirs = find_peer(&tasks->tasks[peer], task);
    return theirs && theirs->sent.n_messages;
}

uint32_t adjacent_count_senders(const AdjacentTasks *tasks)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < tasks->n_tasks; i++)
        for (uint32_t k = 0; k < tasks->tasks[i].n_peers; k++) {
            const PeerMessages *own = &tasks->tasks[i].peers[k];
            n += own->sent.n_messages > 0;
            n += own->got.n_messages > 0 && !is_sent_to(tasks, i, own->peer);
        }
    return n;
}

static void set_side(AdjacentPair *pair, int side, const AdjacentTask *task, const PeerMessages *messages)
{
    pair->sides[side].compute_s = task->compute_s;
    if (!messages)
        return;
    pair->sides[side].messages = messages->messages;
    pair->sides[side].n_messages = messages->n_messages;
    pair->sent[side].bytes += messages->sent.bytes;
    pair->sent[side].n_messages += messages->sent.n_messages;
    pair->sent[!side].bytes += messages->got.bytes;
    pair->sent[!side].n_messages += messages->got.n_messages;
}

bool adjacent_next(AdjacentTasks *tasks, AdjacentPair *pair)
{
    for (; tasks->at < tasks->n_tasks; tasks->at++, tasks->at_peer = 0) {
        const AdjacentTask *task = &tasks->tasks[tasks->at];
        while (tasks->at_peer < task->n_peers) {
            const PeerMessages *own = &task->peers[tasks->at_peer++];
            const AdjacentTask *other = &tasks->tasks[own->peer];
            const PeerMessages *theirs = find_peer(other, tasks->at);
            int side = tasks->at > own->peer;
            if (side && theirs)
                continue; /* came with the lower task */
            *pair = (AdjacentPair){0};
            pair->tasks[side] = tasks->at;
            pair->tasks[!side] = own->peer;
            set_side(pair, side, task, own);
            set_side(pair, !side, other, theirs);
            return true;
        }
    }
    return false;
}
