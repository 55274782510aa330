/* SPDX-License-Identifier: BSD-3-Clause */
/* A task graph as flat programs that a simulation can step through: loops are jumps, and who sends to whom is a
 * channel's number. Private to mapping/. */
#pragma once

#include "base/arena.h"
#include "model/tfg.h"

typedef enum OperationKind {
    OPERATE_COMPUTE,
    OPERATE_SEND,
    OPERATE_RECV,
    OPERATE_LOOP,
    OPERATE_AGAIN,
    OPERATE_END
} OperationKind;

typedef struct Operation {
    OperationKind kind;
    uint32_t target; /* send, recv: the channel; again: its loop's operation */
    double amount;   /* compute: seconds; send: bytes */
    uint64_t times;  /* loop: iterations, at least 1 */
} Operation;

/* From one task to another. */
typedef struct Channel {
    uint32_t from, to;
} Channel;

typedef struct Programs {
    uint32_t n_tasks, n_channels;
    size_t n_operations;
    double n_steps;         /* computations and messages of all tasks, loops expanded */
    const uint32_t *starts; /* [n_tasks] each task's first operation; OPERATE_END ends it */
    const Operation *operations;
    const Channel *channels;
} Programs;

/* The outermost loops run so many times less, but those of few iterations as often as they say. 1: as the graph is. */
Programs programs_make(const TaskGraph *graph, double shortening, Arena *arena);

/* n_steps of such programs. */
double programs_count_steps(const TaskGraph *graph, double shortening);
