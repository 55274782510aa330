/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of counts at a size that is predicted. */
#pragma once

#include "cost/count/task_counts.h"

typedef struct TaskCountsChosen {
    const TaskCountsValue *value; /* counted at the nearest size that reached its place; NULL: none did */
    const TaskCountsRun *run;
    double low, number, high; /* at the predicted size; low and high are apart if three sizes differ in their growth */
    bool is_other_size;       /* the run's sizes aren't the predicted ones */
    const char *growth;       /* such as "N^1.5", between the nearest sizes; NULL: the number is that of the run */
    size_t n_known;           /* sizes that tell the growth: 2 or 3; of several parameters, the fewest */
    const char *unknown;      /* a parameter that differs, of which nothing tells how the number grows; NULL: none */
} TaskCountsChosen;

/* Whether such a value may grow with the size. */
bool task_counts_may_grow(CountKind kind);

/* name: of the parameter. False: the batch's counts don't have it. */
bool task_counts_choose(const TaskCountsBatch *batch, const char *name, const TaskSize *sizes, size_t n_sizes,
                        Arena *arena, TaskCountsChosen *chosen);
