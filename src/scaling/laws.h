/* SPDX-License-Identifier: BSD-3-Clause */
/* Laws of scaling, fitted to points. Private to the folder. */
#pragma once

#include "base/arena.h"
#include "scaling/scaling.h"

/* A point's time for a fit: the mean of its runs, without those that lie far off the others. */
typedef struct LawPoint {
    double p;
    uint32_t count;
    double time_s, squares;    /* Σ (each - time_s)² */
    double rate, rate_squares; /* the same of 1/time */
} LawPoint;

/* far_off: relative distance from the median from which on a run is left out; *left_out counts them. */
LawPoint law_point(const RunPoint *run, double far_off, uint32_t *left_out);

/* Amdahl, USL and the power law of one size, best first; fewer where there are too few points (ascending p). */
uint32_t laws_fit(const LawPoint *points, uint32_t n, Arena *arena, const LawFit **laws);

/* The law of that kind; NULL: there is none. */
const LawFit *laws_find(const LawFit *laws, uint32_t n, LawKind kind);

/* Gustafson's law of runs whose size grows with p. False: too few points. */
bool laws_fit_gustafson(const LawPoint *points, uint32_t n, Arena *arena, LawFit *law);

/* The value alone, which is quick. */
double law_value_s(const LawFit *law, double p);
