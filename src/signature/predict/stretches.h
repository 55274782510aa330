/* SPDX-License-Identifier: BSD-3-Clause */
/* Private to predict/: which stretches of the sequence were measured. A prefix measures one; saved states one each. */
#pragma once

#include "base/arena.h"
#include "model/signature.h"
#include "model/times.h"

typedef struct Stretch {
    double from, to; /* occurrences */
} Stretch;

typedef struct Stretches {
    uint32_t n; /* one that was measured several times is there several times, as its durations are */
    const Stretch *items;
    uint32_t n_states; /* that they come from: N in METHOD.md */
} Stretches;

/* Windows that follow each other in one state are one stretch. */
Stretches stretches_measured(const PhaseTimes *times, Arena *arena);

/* Of several states, the paces (target time over traced time) of the windows of each, as an estimate of the run's: half
 * of the 95 % interval of their mean, relative; of one state, the same of its windows' paces. 0: nothing can be said.
 */
double stretches_half_width(const PhaseTimes *times);

/* What it adds to the prediction's uncertainty that a program communicates otherwise each time: the relative standard
 * deviation of the predicted time; 0 where all phases came as in the traced run. */
double order_variation(const Signature *signature, const PhaseTimes *times);
