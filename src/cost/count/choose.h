/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of counts at a size that is predicted. */
#pragma once

#include "cost/count/task_counts.h"

typedef struct TaskCountsChosen {
    const TaskCountsValue *value; /* counted at the nearest size that reached its place; NULL: none did */
    const TaskCountsRun *run;
    double number;      /* at the predicted size */
    bool is_other_size; /* the run's sizes aren't the predicted ones */
    /* It grows with a size, as this power; two runs differ in this size alone. NULL: that isn't known. */
    const char *grows_with;
    double power;
} TaskCountsChosen;

/* Whether such a value may grow with the size. */
bool task_counts_may_grow(CountKind kind);

/* name: of the parameter. False: the batch's counts don't have it. */
bool task_counts_choose(const TaskCountsBatch *batch, const char *name, const TaskCountsSize *sizes, size_t n_sizes,
                        TaskCountsChosen *chosen);
