/* SPDX-License-Identifier: BSD-3-Clause */
/* Speedup, efficiency, laws of scaling and what they say of more processes. Public interface of the folder; spec 5. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "model/machine.h" /* Estimated */
#include "model/runs.h"
#include "scaling/linear.h"

/* Why a speedup may be above p: what the runs themselves hint at. */
typedef enum SuperlinearCause {
    CAUSE_NONE,      /* it isn't above p */
    CAUSE_BASELINE,  /* the sequential program is faster than this one on one process: the real speedup isn't above p */
    CAUSE_LESS_WORK, /* repeats differ much more than elsewhere: a search that ends early does less in total */
    CAUSE_MEMORY,    /* efficiency jumps behind the least p, and stays: all the data didn't fit, paging or cache */
    CAUSE_CACHE      /* a process's share became small enough for a cache */
} SuperlinearCause;

/* One point, against the least p of its size. */
typedef struct ScalePoint {
    const RunPoint *run;
    Estimated speedup;   /* relative: T(n, 1)/T(n, p); where no p = 1 was run, T(n, p0) p0 / T(n, p) */
    double real_speedup; /* T* / T(n, p); NAN without a sequential time */
    double efficiency;   /* speedup / p */
    double
        serial_share; /* Karp and Flatt's, (1/S - 1/p) / (1 - 1/p), of two numbers of processes; NAN at the least p */
    SuperlinearCause superlinear; /* above p by more than its interval */
} ScalePoint;

typedef enum LawKind { LAW_AMDAHL, LAW_GUSTAFSON, LAW_USL, LAW_POWER } LawKind;

enum { LAW_PARAMETERS_LIMIT = 3 };

/* A law fitted to the times of one problem size; Gustafson's to those of sizes that grow with p. */
typedef struct LawFit LawFit;
struct LawFit {
    LawKind kind;
    const char *name, *formula; /* "Amdahl", "T(1) (s + (1-s)/p)" */
    uint32_t n_parameters;
    const char *parameters[LAW_PARAMETERS_LIMIT];
    Estimated values[LAW_PARAMETERS_LIMIT];
    double error;            /* relative, of the fit: root of mean squares */
    double predictive_error; /* relative, leave-one-p-out, the largest p weighing most: what the choice is made by */
    bool plausible;          /* the runs can't tell it from the best one */
    /* For law_time_s. */
    LinearFit linear;
    double exponent, log_exponent; /* of LAW_POWER: p^exponent log2(p)^log_exponent */
    bool lacks_share;              /* of LAW_POWER: no term c/p */
    uint32_t n_alternatives;       /* of LAW_POWER: with other exponents, that the runs can't tell from the best law */
    const LawFit *alternatives;
};

/* What the best law says of a number of processes. */
typedef struct ScalePrediction {
    double p;
    Estimated time_s;  /* the interval holds those of all plausible laws */
    Estimated by_best; /* the best law's alone: if it holds */
    double speedup, efficiency;
    bool is_extrapolated, is_far; /* beyond the largest p; beyond four times that */
} ScalePrediction;

typedef struct SizeScaling {
    double n;
    uint32_t n_points;
    const ScalePoint *points; /* ascending p */
    double sequential_s;      /* T*; 0: not given */
    uint32_t n_laws;
    const LawFit *laws;      /* best first */
    Estimated speedup_bound; /* 1/s of Amdahl; INFINITY; NAN without a fit */
    double fastest_p;        /* where the best law's time is least; INFINITY: it only falls; NAN: no law */
    double most_processes;   /* the largest p with efficiency >= the limit, by the best law where it is beyond what was
                                measured; and whether it is. NAN: none has */
    bool most_is_extrapolated;
    uint32_t n_predictions;
    const ScalePrediction *predictions;
} SizeScaling;

/* Runs whose size grows with p. */
typedef struct WeakPoint {
    const RunPoint *run;
    double speedup;    /* scaled: p T(p0) / T(p), relative to the least p, taken as p0 */
    double efficiency; /* T(p0) / T(p) */
} WeakPoint;

typedef struct WeakScaling {
    uint32_t dimension; /* n^dimension / p is the same in all: 1, 2 or 3 */
    double share;       /* that constant */
    uint32_t n_points;
    const WeakPoint *points;
    bool has_law;
    LawFit law; /* Gustafson's */
} WeakScaling;

typedef struct IsoefficiencyPoint {
    double p;
    Estimated n;          /* the size that keeps the efficiency; NAN: none does */
    bool is_extrapolated; /* beyond the sizes that were measured */
} IsoefficiencyPoint;

typedef struct Isoefficiency {
    uint32_t n_points;
    const IsoefficiencyPoint *points; /* of each p that was measured with several sizes */
    bool is_scalable;                 /* a size keeps the efficiency at each of them */
    Estimated exponent;               /* n grows as p to this; NAN: too few points */
} Isoefficiency;

typedef struct Scaling {
    const Runs *runs;
    uint32_t n_sizes;
    const SizeScaling *sizes; /* ascending */
    uint32_t n_weak;
    const WeakScaling *weak;
    double efficiency_limit;
    Isoefficiency isoefficiency; /* no points: there are too few sizes */
    uint32_t n_warnings;
    const char *const *warnings; /* what the data can't carry */
} Scaling;

typedef struct ScalingOptions {
    double sequential_s;         /* T*, of every size that has none in the runs; 0: not given */
    double efficiency_limit;     /* 0.5 */
    const uint32_t *extrapolate; /* further p to predict, ascending, n_extrapolate of them */
    uint32_t n_extrapolate;
} ScalingOptions;

/* Never fails: what can't be said is a warning. */
const Scaling *scaling_make(const Runs *runs, const ScalingOptions *options, Arena *arena);

/* T(p) by a law, with the interval that its parameters' covariance gives. */
Estimated law_time_s(const LawFit *law, double p);

/* The value of the first law, with an interval that holds those of all plausible ones. n_laws > 0. */
Estimated laws_time_s(const LawFit *laws, uint32_t n_laws, double p);

/* "cache": of one that isn't CAUSE_NONE. */
const char *superlinear_cause_text(SuperlinearCause cause);
