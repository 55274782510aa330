/* SPDX-License-Identifier: BSD-3-Clause */
/* Which occurrences are simulated, and for how many each of them stands. Private to the folder. */
#pragma once

#include "base/vec.h"
#include "model/signature.h"

enum { SAMPLE_FEATURES = 3 };

/* The block of outermost iterations that was drawn with an occurrence. */
typedef struct SampleUnit {
    uint64_t loop, iteration; /* numbers of the first occurrences of the loop and of the block */
    double weight;            /* the number of iterations of the loop that it stands for; 0: none was drawn */
} SampleUnit;

typedef struct Sampled {
    uint64_t occurrence;
    double weight;       /* the number of occurrences that it stands for; 0: it only comes before others, or behind */
    double drawn_weight; /* the same, before calibrate() */
    SampleUnit unit;
    /* How it differs from others of its phase, in the trace; set by calibrate(). They are
     * centred and orthogonal in each phase. */
    double features[SAMPLE_FEATURES];
} Sampled;

typedef VEC(Sampled) Sample;

static inline bool sampled_is_drawn(const Sampled *sampled)
{
    return sampled->unit.weight > 0;
}

/* It stands for itself alone. */
static inline bool sampled_is_known(const Sampled *sampled)
{
    return sampled->weight > 0 && !sampled_is_drawn(sampled);
}

/* Keeps at most `iterations` of each loop of the sequence, and fewer of loops with loops in them: the first
 * ones and the last one, which stand for themselves, and others that are spread over the loop and share the
 * rest. Whole iterations are left out, so that all processes go on in the state in which they were left. 0:
 * keeps all. Otherwise, at least 3. block: so many iterations of the innermost loops are drawn together. In the first
 * half of a block of several, processes get as far apart as they were in the run; its second half stands for others,
 * without the last iteration, behind which others come than in the run. */
void sample_choose(const Loop *sequence, uint64_t iterations, uint64_t block, Sample *sample);
