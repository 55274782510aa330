/* SPDX-License-Identifier: BSD-3-Clause */
/* Laws of scaling, fitted to points. docs/METHOD.md, section 19. Private to the folder. */
#pragma once

#include "base/arena.h"
#include "scaling/scaling.h"

/* A point for a fit: a time, which is the mean of runs without those far from the others, or a
 * scaled speedup. */
typedef struct LawPoint {
    double n, p, value;
    double squares, freedom; /* Σ (of a single run - value)², and its degrees of freedom */
    double count;            /* the weight, in runs */
} LawPoint;

/* far_off: least relative distance from the median at which a run is left out. *left_out grows by
 * their number. */
LawPoint law_point(const RunPoint *run, double far_off, uint32_t *left_out);

typedef enum LawFamily {
    FAMILY_STRONG, /* of one size */
    FAMILY_WEAK,   /* of sizes that grow with p */
    FAMILY_JOINT,  /* of several sizes on several p */
    FAMILY_SIZE    /* of several sizes on one p; the size stands for p */
} LawFamily;

/* Fits the laws of a family, best first. With too few points, fewer laws, or none. points: ascending
 * p. only: the one kind to fit; LAW_COUNT: all. Returns the number of laws. */
uint32_t laws_fit(LawFamily family, LawKind only, const LawPoint *points, uint32_t n, Arena *arena,
                  const LawFit **laws);

/* Whether the runs allow that time doesn't fall with p. */
bool laws_may_not_fall(const LawFit *laws, uint32_t n);

/* The kind with this name; LAW_COUNT without a name. */
LawKind law_kind(const char *name);

/* The law of this kind; NULL: it wasn't fitted. */
const LawFit *laws_find(const LawFit *laws, uint32_t n, LawKind kind);

/* S(p) = T(n, 1)/T(n, p) for runs of one size. */
LawPoint law_scaled_speedup(const LawPoint *single, const LawPoint *run);

/* Fits Gustafson's law to scaled speedups. is_relative: they are over the program's own times on one process, so S(1) is 1,
 * and isn't among them. False: too few points. */
bool laws_fit_gustafson(const LawPoint *speedups, uint32_t n, bool is_relative, Arena *arena, LawFit *law);

/* The predicted time, or Gustafson's speedup, without an interval, which is fast. n matters to LAW_JOINT alone. */
double law_value_s(const LawFit *law, double p);
double law_value_at(const LawFit *law, double n, double p);

/* As law_time_s() and laws_time_s(), at a size. */
Estimated law_time_at(const LawFit *law, double n, double p);
Estimated laws_time_at(const LawFit *laws, uint32_t n_laws, double n, double p);
