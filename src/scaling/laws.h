/* SPDX-License-Identifier: BSD-3-Clause */
/* Laws of scaling, fitted to points. docs/METHOD.md, section 19. Private to the folder. */
#pragma once

#include "base/arena.h"
#include "scaling/scaling.h"

/* A point's time for a fit: the mean of its runs, without those far from the others. */
typedef struct LawPoint {
    double p;
    uint32_t count;
    double time_s, squares;    /* squares: Σ (time of a run - time_s)² */
    double rate, rate_squares; /* the same for 1/time */
} LawPoint;

/* far_off: least relative distance from the median at which a run is left out. *left_out grows by
 * their number. */
LawPoint law_point(const RunPoint *run, double far_off, uint32_t *left_out);

/* Fits the laws of one size and the power law, best first. With too few points, fewer laws. points: ascending p. Returns the number of laws. */
uint32_t laws_fit(const LawPoint *points, uint32_t n, Arena *arena, const LawFit **laws);

/* The law of this kind; NULL: it wasn't fitted. */
const LawFit *laws_find(const LawFit *laws, uint32_t n, LawKind kind);

/* Fits Gustafson's law to runs whose size grows with p. False: too few points. */
bool laws_fit_gustafson(const LawPoint *points, uint32_t n, Arena *arena, LawFit *law);

/* The predicted time without an interval, which is fast. */
double law_value_s(const LawFit *law, double p);
