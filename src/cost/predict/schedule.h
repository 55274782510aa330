/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs through a master and workers in numbers: the master gives the next task to the worker that has returned a
 * result, as `firma cost run --allocation dynamic` does (list scheduling, Graham 1966). Source: docs/METHOD.md,
 * section 16, *Tasks on demand*. */
#pragma once

#include "cost/model/cost.h"

/* Seconds of a task on a worker of a group: its message to the worker, the task on a processor of its own, and the
 * message back. */
typedef struct ScheduleTask {
    double give_s, compute_s, take_s;
} ScheduleTask;

typedef struct ScheduleTasks {
    uint64_t n_tasks; /* in the order in which the master gives them */
    ScheduleTask (*cost)(const void *self, uint64_t task, size_t group);
    const void *self;
} ScheduleTasks;

/* The time from the first message to the last. The master sends or receives one message at a time; the workers of a
 * machine share its cores. If a result arrives, its worker gets the next task before other results are taken.
 * worker_of: [n_tasks] becomes each task's worker, from 0; NULL: not wanted. */
double schedule_time(const CostPlatform *platform, const ScheduleTasks *tasks, uint64_t *worker_of);
