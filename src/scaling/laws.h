/* SPDX-License-Identifier: BSD-3-Clause */
/* Laws of scaling, fitted to points. docs/METHOD.md, section 19. Private to the folder. */
#pragma once

#include "base/arena.h"
#include "scaling/scaling.h"

/* A point for a fit: a time, which is the mean of runs without those far from the others, or a
 * scaled speedup. */
typedef struct LawPoint {
    double p, value;
    double squares, freedom; /* Σ (of a single run - value)², and its degrees of freedom */
    double count;            /* the weight, in runs */
} LawPoint;

/* far_off: least relative distance from the median at which a run is left out. *left_out grows by
 * their number. */
LawPoint law_point(const RunPoint *run, double far_off, uint32_t *left_out);

/* Fits the laws of one size and the power law, best first. With too few points, fewer laws. points: ascending p. Returns the number of laws. */
uint32_t laws_fit(const LawPoint *points, uint32_t n, Arena *arena, const LawFit **laws);

/* The law of this kind; NULL: it wasn't fitted. */
const LawFit *laws_find(const LawFit *laws, uint32_t n, LawKind kind);

/* S(p) = T(n, 1)/T(n, p) for runs of one size. */
LawPoint law_scaled_speedup(const LawPoint *single, const LawPoint *run);

/* Fits Gustafson's law to scaled speedups on more than one process. False: too few points. */
bool laws_fit_gustafson(const LawPoint *speedups, uint32_t n, Arena *arena, LawFit *law);

/* The predicted time, or Gustafson's speedup, without an interval, which is fast. */
double law_value_s(const LawFit *law, double p);
