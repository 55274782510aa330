/* SPDX-License-Identifier: BSD-3-Clause */
/* Speedup, efficiency, laws of scaling and what they say of more processes. Public interface of the folder; spec 5. */
#ifndef FIRMA_SCALING_SCALING_H
#define FIRMA_SCALING_SCALING_H

#include "base/arena.h"
#include "base/err.h"
#include "model/machine.h" /* Estimated */
#include "model/runs.h"

/* One point, against the least p of its size. */
typedef struct ScalePoint {
    const RunPoint *run;
    Estimated speedup;   /* relative: T(n, 1)/T(n, p); where no p = 1 was run, T(n, p0) p0 / T(n, p) */
    double real_speedup; /* T* / T(n, p); NAN without a sequential time */
    double efficiency;   /* speedup / p */
    double serial_share; /* Karp and Flatt's, (1/S - 1/p) / (1 - 1/p); NAN at p = 1 */
    bool superlinear;    /* above p by more than its interval */
} ScalePoint;

typedef enum LawKind { LAW_AMDAHL, LAW_GUSTAFSON, LAW_USL, LAW_POWER } LawKind;

enum { LAW_PARAMETERS_LIMIT = 4 };

/* A law fitted to the times of one problem size (Gustafson: of sizes that grow with p). */
typedef struct LawFit {
    LawKind kind;
    const char *name, *formula; /* "Amdahl", "T(1) (s + (1-s)/p)" */
    uint32_t n_parameters;
    const char *parameters[LAW_PARAMETERS_LIMIT];
    Estimated values[LAW_PARAMETERS_LIMIT];
    double error;            /* relative, of the fit */
    double predictive_error; /* relative, leave-one-p-out, the largest p weighing most: what the choice is made by */
} LawFit;

typedef struct SizeScaling {
    double n;
    uint32_t n_points;
    const ScalePoint *points; /* ascending p */
    uint32_t n_laws;
    const LawFit *laws;    /* best first */
    double speedup_bound;  /* 1/s of Amdahl; INFINITY */
    double most_processes; /* the largest p with efficiency >= the limit, by the best law where it is beyond what was
                              measured; and whether it is: */
    bool most_is_extrapolated;
} SizeScaling;

typedef struct IsoefficiencyPoint {
    double p;
    Estimated n; /* the size that keeps the efficiency; NAN: none does */
} IsoefficiencyPoint;

typedef struct Scaling {
    uint32_t n_sizes;
    const SizeScaling *sizes; /* ascending */
    double efficiency_limit;
    uint32_t n_isoefficiency;
    const IsoefficiencyPoint *isoefficiency; /* where there are several sizes */
    bool is_scalable;                        /* a size keeps the efficiency at each p that was measured */
    uint32_t n_warnings;
    const char *const *warnings; /* what the data can't carry */
} Scaling;

typedef struct ScalingOptions {
    double sequential_s;         /* T*; 0: not given */
    double efficiency_limit;     /* 0.5 */
    const uint32_t *extrapolate; /* further p to predict, n_extrapolate of them */
    uint32_t n_extrapolate;
} ScalingOptions;

/* Never fails: what can't be said is a warning. */
const Scaling *scaling_make(const Runs *runs, const ScalingOptions *options, Arena *arena);

/* T(p) by a law, with the interval that its parameters' covariance gives. */
Estimated law_time_s(const LawFit *law, double p);

#endif
