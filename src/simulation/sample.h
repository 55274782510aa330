/* SPDX-License-Identifier: BSD-3-Clause */
/* Which occurrences are simulated, and for how many each of them stands. Private to the folder. */
#pragma once

#include "base/vec.h"
#include "model/signature.h"

enum { SAMPLE_FEATURES = 2 };

/* The outermost iteration that was drawn with an occurrence. */
typedef struct SampleUnit {
    uint64_t loop, iteration; /* numbers of their first occurrences */
    double weight;            /* the number of iterations of the loop that it stands for; 0: none was drawn */
} SampleUnit;

typedef struct Sampled {
    uint64_t occurrence;
    double weight;       /* the number of occurrences that it stands for */
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

/* Keeps at most `iterations` of each loop of the sequence, and fewer of loops with loops in them: the first
 * ones and the last one, which stand for themselves, and others that are spread over the loop and share the
 * rest. Whole iterations are left out, so that all processes go on in the state in which they were left. 0:
 * keeps all. Otherwise, at least 3. */
void sample_choose(const Loop *sequence, uint64_t iterations, Sample *sample);
