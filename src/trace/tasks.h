/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks for the tasks of a PVM program. PVM knows tasks by ids alone; nobody knows beforehand how
 * many there will be. The order in which they came gives them ranks:
 *
 *     rank 0     the task that enrolled first and was not spawned (the master)
 *     rank 1 …   the others, in the order in which pvm_spawn returned them; a task that no recorded
 *                task spawned, by the time at which it enrolled
 *
 * A task that was spawned, but left no record, has a rank, too. */
#pragma once

#include "base/arena.h"
#include "trace/segment.h"
#include <stdbool.h>

typedef struct TaskRank {
    int32_t task;
    uint32_t rank;
} TaskRank;

typedef struct Tasks {
    uint32_t n;            /* 0: no program of PVM */
    const TaskRank *ranks; /* [n], ascending by task */
} Tasks;

/* Reads the tasks of a recording. While the program runs (has_ended is false), a task whose parent
 * hasn't returned from pvm_spawn yet has no rank, so ranks don't change when further tasks come.
 * Files that can't be read, or are of another version, are left out; their reader says so. */
Tasks tasks_load(const char *recording, bool has_ended, Arena *arena);

/* The rank of a task, or -1. */
int32_t tasks_rank(const Tasks *tasks, int32_t task);

/* Sets the rank, and the number of processes, in the ProcessFile of a PVM task. */
void tasks_number(const Tasks *tasks, ProcessFile *process);
