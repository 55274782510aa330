/* SPDX-License-Identifier: BSD-3-Clause */
/* Private to compare/: the communication matrices of both traces, a row at a time. */
#ifndef FIRMA_SIGNATURE_COMPARE_PAIRS_H
#define FIRMA_SIGNATURE_COMPARE_PAIRS_H

#include "base/map.h"
#include "base/vec.h"
#include "signature/compare/compare.h"

/* What one process sends, in both traces. */
typedef struct Pairs {
    uint32_t source;
    Map numbers; /* destination -> number in `list` */
    VEC(PairDifference) list;
} Pairs;

void pairs_init(Pairs *pairs, uint32_t source);
void pairs_free(Pairs *pairs);
void pairs_add(Pairs *pairs, int side, uint32_t destination, uint64_t bytes);

/* Adds the row to the result: counts, and the pairs that differ most of all so far. */
void pairs_finish(const Pairs *pairs, TraceDifference *difference);

#endif
