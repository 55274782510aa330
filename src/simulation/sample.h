/* SPDX-License-Identifier: BSD-3-Clause */
/* Which occurrences are simulated, and for how many each of them stands. Private to the folder. */
#pragma once

#include "base/vec.h"
#include "model/signature.h"

typedef struct Sampled {
    uint64_t occurrence;
    double weight; /* the number of occurrences that it stands for */
} Sampled;

typedef VEC(Sampled) Sample;

/* Keeps at most `iterations` of each loop of the sequence: the first and the last one, which stand for
 * themselves, and others that are spread over the loop and share the rest. Whole iterations are left out,
 * so that all processes go on in the state in which they were left. 0: keeps all. */
void sample_choose(const Loop *sequence, uint64_t iterations, Sample *sample);
