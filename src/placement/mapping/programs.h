/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns a task graph into flat programs for the simulation: loops become jumps, and each pair of
 * sender and receiver becomes the number of a channel. Private to mapping/. */
#pragma once

#include "base/arena.h"
#include "model/tfg.h"

typedef enum OperationKind {
    OPERATE_COMPUTE,
    OPERATE_SEND,
    OPERATE_RECV,
    OPERATE_ACCESS, /* a put or a get */
    OPERATE_LOOP,
    OPERATE_AGAIN,
    OPERATE_END
} OperationKind;

typedef struct Operation {
    OperationKind kind;
    bool blocks;       /* send, recv, access: as of the step */
    bool is_outermost; /* loop: no loop is around it */
    uint32_t target; /* send, recv, access: the channel; again: the operation of its loop; outermost loop: its number */
    double amount;   /* compute: seconds; send, access: bytes */
    uint64_t times;  /* loop: number of iterations, at least 1 */
} Operation;

/* The messages from one task to another. One-sided ones have channels of their own. */
typedef struct Channel {
    uint32_t from, to;
    uint32_t accessor; /* of one-sided messages: the task that puts or gets; NO_ACCESSOR: others */
    /* Nonblocking receives count as posted before their messages are sent. */
    bool has_posted, has_blocking; /* receives of this kind */
    size_t receives;               /* if it has both: the first of the operations that receive its messages, in
                                      receive_operations */
    double bytes;                  /* of all messages */
} Channel;

#define NO_ACCESSOR UINT32_MAX

typedef struct Programs {
    uint32_t n_tasks, n_channels;
    size_t n_operations;
    double n_steps;              /* computations and messages of all tasks, with loops run through */
    const uint32_t *starts;      /* [n_tasks] each task's first operation; OPERATE_END ends it */
    const uint32_t *first_loops; /* [n_tasks + 1] the number of each task's first outermost loop */
    const double *work_s;        /* [n_tasks] each task's computation */
    const Operation *operations;
    size_t n_receive_operations;
    const Operation *receive_operations; /* of each channel with both kinds: the receiver's program without all
                                            that doesn't receive from this channel */
    const Channel *channels;
} Programs;

Programs programs_make(const TaskGraph *graph, Arena *arena);
