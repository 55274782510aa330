/* SPDX-License-Identifier: BSD-3-Clause */
/* How volumes and computation change with the number of processes: factors over the largest run. Private to the
 * folder. */
#pragma once

#include "scaling/extrapolate/runs.h"

typedef struct Values {
    double *sent, *received; /* [kinds] factors of volumes */
    double *growth;          /* [kinds] of a hypercube: volume along a mask over that along half of it */
    Map computation;         /* by this and the earlier event's kind: index into factors */
    VEC(double) factors;
    double other_factor; /* of computation whose place some run lacks */
    double width;        /* relative half width of all computation's 95 % interval */
    uint64_t n_kept;     /* kinds whose volumes follow no law */
} Values;

void values_find(const LoadedRun *runs, uint32_t n, const Kinds *kinds, uint32_t p, Values *values);
void values_free(Values *values);

/* The factor of the computation between two events of these kinds. */
double values_computation(const Values *values, uint32_t before, uint32_t kind);
