/* SPDX-License-Identifier: BSD-3-Clause */
/* Candidate models of collectives (spec 3 §3.3), and which of them a library's behaviour matches. */
#pragma once

#include "base/arena.h"
#include "model/comm.h"
#include "model/machine.h"

/* t(p, n) = latency_factor(p) · α + byte_factor(p) · n / β. What n is: comm/protocol.h. */
typedef struct Candidate {
    const char *operation, *name; /* "broadcast", "binomial tree" */
    const char *formula;          /* "⌈log₂ p⌉ (α + n/β)" */
    double (*latency_factor)(double p);
    double (*byte_factor)(double p); /* 0: of a barrier */
} Candidate;

extern const Candidate candidates[];
extern const unsigned n_candidates;

typedef struct CandidateFit {
    const Candidate *candidate;
    Estimated latency_s, s_per_byte;
    double error;      /* relative: median over all points of |fit / measured - 1| */
    double mean_error; /* mean over all points of |ln(fit / measured)|: fits are ordered by it */
} CandidateFit;

/* All candidates of the series' operation fitted to all their points (series of one configuration and operation, of
 * several numbers of processes), best first: all have two parameters, so that none has an advantage. Where only one p
 * was measured, models with the same shape tie, and always those of which one is a multiple of the other: they stand in
 * table order, and the caller sees equal errors. None, if fewer than two points are above 0 (a barrier: one). */
const CandidateFit *candidates_fit(const CommSeries *const *series, uint32_t n_series, Arena *arena, uint32_t *n_fits);

/* Which of the fits (in their order, at least one) a library's behaviour matches: of those that tie with the first, the
 * one whose α and β are nearest to what messages cost on a path. NULL for the path: the first. */
const CandidateFit *candidates_choose(const CandidateFit *fits, uint32_t n_fits, const MachinePath *path);
