/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups the messages of a graph, with its loops folded, by pairs of tasks. Private to the folder. */
#pragma once

#include "placement/graph/pair.h"

/* What one task of a pair sends to the other. */
typedef struct PairVolume {
    double bytes;
    uint64_t n_messages;
} PairVolume;

typedef struct AdjacentPair {
    uint32_t tasks[2]; /* the lower number first */
    PairSide sides[2];
    PairVolume sent[2];
} AdjacentPair;

/* A task's messages to and from another task, in order. One-sided ones bind neither of the tasks: only
 * their volumes count. */
typedef struct PeerMessages {
    uint32_t peer, n_messages;
    const PairMessage *messages;
    PairVolume sent, got; /* got: what the task fetches by itself */
} PeerMessages;

typedef struct AdjacentTask {
    double compute_s;
    uint32_t n_steps; /* with loops folded */
    uint32_t n_peers;
    const PeerMessages *peers; /* ascending */
} AdjacentTask;

typedef struct AdjacentTasks {
    uint32_t n_tasks;
    const AdjacentTask *tasks;
    uint32_t at, at_peer; /* of the next pair */
} AdjacentTasks;

/* Messages of a task to itself are left out. Result in the arena. */
AdjacentTasks adjacent_tasks(const TaskGraph *graph, Arena *arena);

/* The number of ordered pairs of which the first task sends to the second. */
uint32_t adjacent_count_senders(const AdjacentTasks *tasks);

/* The next pair of tasks that exchange messages; each pair comes once. False: there are no more. */
bool adjacent_next(AdjacentTasks *tasks, AdjacentPair *pair);
