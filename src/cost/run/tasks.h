/* SPDX-License-Identifier: BSD-3-Clause */
/* The numbers that the tasks of a run get. Private to this folder. */
#pragma once

#include "cost/run/run.h"

/* Tasks that a worker gets together. */
typedef struct TaskPiece {
    uint64_t count, receives, returns; /* tasks, bytes */
    uint32_t worker;                   /* from 1; 0: the first free one */
} TaskPiece;

typedef struct TaskList {
    uint64_t n_tasks, n_pieces;
    const uint64_t *numbers; /* [n_tasks] */
    const double *arguments; /* [n_tasks*tasks_slots()] */
    const TaskPiece *pieces; /* [n_pieces] */
    uint32_t level;          /* length of the longest path of the flow to this batch */
    uint32_t threads;        /* of OpenMP; 0: OpenMP decides */
} TaskList;

/* How many numbers a task gets: one for each number, and the length and the seed of each array. */
size_t tasks_slots(const PaslBatch *batch);

/* [n_batches] */
bool tasks_list(const RunRequest *request, Arena *arena, const TaskList **lists, Err *err);
