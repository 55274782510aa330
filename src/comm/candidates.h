/* SPDX-License-Identifier: BSD-3-Clause */
/* Candidate models: what a collective costs if a library uses a known algorithm. Fits them to
 * measurements, and chooses the one that describes a library best (docs/METHOD.md, section 12). */
#pragma once

#include "base/arena.h"
#include "model/comm.h"
#include "model/machine.h"

/* A model is t(p, n) = latency_factor(p) · α + byte_factor(p) · n / β, with p processes and n
 * bytes. comm/protocol.h ("Sizes") says what n counts for each operation. */
typedef struct Candidate {
    const char *operation, *name; /* "broadcast", "binomial tree" */
    const char *formula;          /* "⌈log₂ p⌉ (α + n/β)" */
    double (*latency_factor)(double p);
    double (*byte_factor)(double p); /* 0 for a barrier */
} Candidate;

extern const Candidate candidates[];
extern const unsigned n_candidates;

typedef struct CandidateFit {
    const Candidate *candidate;
    Estimated latency_s, s_per_byte;
    double error;      /* median over all points of |fit / measured - 1| */
    double mean_error; /* mean over all points of |ln(fit / measured)|; orders the fits */
} CandidateFit;

/* Fits all candidates of the series' operation to a statistic of all points of the series, best first. The series
 * share a configuration and an operation, and differ in the number of processes. Each candidate has
 * two parameters, so none has an advantage.
 *
 * Candidates tie, with equal errors and in table order, if one is a multiple of the other. If the
 * series have one number of processes only, all candidates of the same shape tie. Returns no fit if
 * fewer than two points are above 0 s (for a barrier, if none is). */
const CandidateFit *candidates_fit(const CommSeries *const *series, uint32_t n_series, CommStatistic statistic,
                                   Arena *arena, uint32_t *n_fits);

/* Chooses among the fits that tie with the first one (n_fits >= 1, in the order of candidates_fit):
 * the fit whose α and β are nearest to the path's costs of messages. Returns the first fit if the
 * path is NULL. */
const CandidateFit *candidates_choose(const CandidateFit *fits, uint32_t n_fits, const MachinePath *path);
