/* SPDX-License-Identifier: BSD-3-Clause */
/* Speedup, efficiency, laws of scaling, and what they predict for more processes. docs/METHOD.md,
 * section 19. Public interface of the folder. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "model/machine.h" /* Estimated */
#include "model/runs.h"
#include "scaling/linear.h"

/* Why a speedup may be above p, as far as the runs tell. */
typedef enum SuperlinearCause {
    CAUSE_NONE,      /* the speedup isn't above p */
    CAUSE_BASELINE,  /* the sequential program is faster than this one on one process: the real
                        speedup isn't above p */
    CAUSE_LESS_WORK, /* repeats differ much more than elsewhere: for example a search that ends
                        early */
    CAUSE_MEMORY,    /* efficiency jumps directly after the least p: there, the data didn't fit
                        memory or cache */
    CAUSE_CACHE      /* a process's share became small enough for a cache */
} SuperlinearCause;

/* One point, compared with the least p of its size. */
typedef struct ScalePoint {
    const RunPoint *run;
    Estimated speedup;   /* relative: T(n, 1)/T(n, p); if p = 1 wasn't run: T(n, p0) p0 / T(n, p) */
    double real_speedup; /* T* / T(n, p); NAN without a sequential time */
    double efficiency;   /* speedup / p */
    /* Karp and Flatt's serial share, (1/S - 1/p) / (1 - 1/p); NAN at the least p. */
    double serial_share;
    SuperlinearCause superlinear; /* why the speedup's interval lies above p */
} ScalePoint;

typedef enum LawKind {
    LAW_AMDAHL,
    LAW_USL,
    LAW_POWER,
    LAW_CACHE,
    LAW_CONSTANT,
    LAW_GUSTAFSON,
    LAW_JOINT, /* of n and p */
    LAW_COUNT
} LawKind;

enum { LAW_PARAMETERS_LIMIT = LINEAR_TERMS_LIMIT };

/* The exponents of T(n, p) = a + b W/p + c n^size p^exponent log2(p)^log_exponent + d D, with the work
 * W = n^work log2(n)^work_log, and D = n^rest p^own, or n^rest log2(p) for own = 0. */
typedef struct JointShape {
    double work, work_log, size, rest, own;
} JointShape;

/* A law, fitted to the times of one problem size. Gustafson's: to the speedups of runs whose size
 * grows with p. */
typedef struct LawFit LawFit;
struct LawFit {
    LawKind kind;
    const char *name, *formula; /* "Amdahl", "T(1) (s + (1-s)/p)" */
    uint32_t n_parameters;
    const char *parameters[LAW_PARAMETERS_LIMIT];
    Estimated values[LAW_PARAMETERS_LIMIT];
    double error;            /* relative error of the fit: root mean square */
    double predictive_error; /* relative error when each p is left out in turn; larger p have
                                more weight. NAN: too few points */
    bool has_few_points;     /* at most one more than what was fitted: coefficients, exponents, a threshold */
    bool is_noisy;           /* farther from the points than LAW_NOISY, or repeats differ by more */
    bool plausible;          /* the runs can't distinguish it from the best law */
    /* Fields for law_time_s(): */
    LinearFit linear;
    double exponent, log_exponent;                    /* of LAW_POWER: p^exponent log2(p)^log_exponent */
    JointShape joint;                                 /* of LAW_JOINT */
    bool lacks_share;                                 /* of LAW_POWER: without the term c/p */
    double threshold_p;                               /* of LAW_CACHE: from this p on, the data fit the cache */
    bool is_rare;                                     /* few programs have such a law */
    bool is_between;                                  /* its exponent is between those that programs have */
    double least_s, least_n, most_n, least_p, most_p; /* of the points; by which no time reaches 0 */
    double charge, slack;                             /* see linear_range() */
    double cost;                                      /* the best law has the least */
    uint32_t n_alternatives; /* plausible laws of this kind, with these and other exponents or thresholds */
    const LawFit *alternatives;
};

/* A law that is farther from the points doesn't describe them; a share. */
extern const double LAW_NOISY;

/* Predictions of a larger distance are far. */
enum { LAW_FAR = 4 };

/* How far a place is from the runs. */
typedef struct Distance {
    double times;                 /* over the largest of the runs, or the least of them over it; 1: among them */
    bool is_extrapolated, is_far; /* above 1; above LAW_FAR */
} Distance;

Distance scaling_distance(double x, double least, double most);

/* What the laws predict for one number of processes. */
typedef struct ScalePrediction {
    double p;
    Estimated time_s;  /* by the best law; the interval contains those of all plausible laws */
    Estimated by_best; /* by the best law alone, with its own interval */
    double speedup, efficiency;
    Distance distance;
} ScalePrediction;

/* The best law's time, with the interval of all plausible laws. */
typedef struct ScaleCurvePoint {
    double p;
    Estimated time_s;
} ScaleCurvePoint;

typedef struct SizeScaling {
    double n;
    uint32_t n_points;
    const ScalePoint *points; /* ascending p */
    double sequential_s;      /* T*; 0: not given */
    uint32_t n_laws;
    const LawFit *laws;      /* best first */
    Estimated speedup_bound; /* 1/s + p0 - 1 of Amdahl's law; INFINITY; NAN: it isn't plausible */
    double fastest_p;        /* p at which the best law's time is least; INFINITY: it falls
                                without end; NAN: no law */
    double most_processes;   /* the largest p with at least the wanted efficiency; NAN: none has
                                it. Beyond the measured p, by the best law */
    bool most_is_extrapolated;
    uint32_t n_predictions;
    const ScalePrediction *predictions;
    uint32_t n_curve;             /* 0: no law, or no curve is wanted */
    const ScaleCurvePoint *curve; /* from the least p to twice the largest one, or to the largest predicted one */
} SizeScaling;

/* The same for runs whose size grows with p. */
typedef struct WeakPrediction {
    double p, n;       /* n: the size that belongs to p */
    Estimated time_s;  /* by the best law; the interval contains those of all plausible laws */
    Estimated by_best; /* by the best law alone, with its own interval */
    double efficiency; /* T(p0) / T(p), by the best law */
    Distance distance;
} WeakPrediction;

/* Runs whose size grows with p. */
typedef struct WeakPoint {
    const RunPoint *run;
    double single_s;   /* T(n, 1), of runs on one process or of the sequential program; NAN: not known */
    double speedup;    /* scaled: T(n, 1) / T(n, p); NAN without T(n, 1) */
    double efficiency; /* T(p0) / T(p); p0 is the least p */
} WeakPoint;

typedef struct WeakScaling {
    uint32_t dimension; /* d = 1, 2 or 3: n^d / p is the same in all runs */
    double share;       /* n^d / p */
    uint32_t n_points;
    const WeakPoint *points;
    uint32_t n_laws;
    const LawFit *laws; /* of the time over p; best first */
    uint32_t n_predictions;
    const WeakPrediction *predictions;
    bool has_gustafson; /* enough scaled speedups are known */
    LawFit gustafson;
} WeakScaling;

typedef struct IsoefficiencyPoint {
    double p;
    Estimated n;          /* the size that keeps the efficiency; NAN: none does */
    bool is_extrapolated; /* beyond the measured sizes */
} IsoefficiencyPoint;

typedef struct Isoefficiency {
    uint32_t n_points;
    const IsoefficiencyPoint *points; /* one for each p that was measured with several sizes */
    bool is_scalable;                 /* a size keeps the efficiency at each of them */
    Estimated exponent;               /* n grows as p to this power; NAN: too few points */
} Isoefficiency;

/* What the model of both size and processes, T(n, p), predicts. */
typedef struct JointPrediction {
    double n, p;
    Estimated time_s;  /* by the best model; the interval contains those of all plausible models */
    Estimated by_best; /* by the best model alone, with its own interval */
    double efficiency; /* T(n, 1) / (p T(n, p)), by the best model */
    Distance distance;
} JointPrediction;

typedef struct JointScaling {
    uint32_t n_laws; /* 1; 0: too few sizes or numbers of processes */
    const LawFit *laws;
    /* By how much a model that is fitted without the largest sizes, or numbers of processes, misses them, as a
     * share for each doubling; 0: they lie in its interval. Intervals of predictions grow with it. */
    double missed_by_size, missed_by_processes;
    uint32_t n_predictions;
    const JointPrediction *predictions;
    Isoefficiency isoefficiency; /* by the plausible models, with their 95 % intervals */
} JointScaling;

/* Strong: a size was run on several numbers of processes. Weak: sizes grow with p. */
typedef enum ScalingKind { SCALING_NONE, SCALING_STRONG, SCALING_WEAK, SCALING_BOTH } ScalingKind;

typedef struct Scaling {
    const Runs *runs;
    ScalingKind kind;
    const char *law; /* the only law that was fitted; NULL: firma chose */
    uint32_t n_sizes;
    const SizeScaling *sizes; /* ascending */
    uint32_t n_weak;
    const WeakScaling *weak;
    double efficiency_limit;
    Isoefficiency isoefficiency; /* without points: too few sizes */
    JointScaling joint;
    uint32_t n_warnings;
    const char *const *warnings; /* what the data are not sufficient for */
} Scaling;

/* The names of laws that runs can be fitted by, by LawKind; NULL behind the last one. */
const char *law_kind_name(size_t index);

typedef struct ScalingOptions {
    const char *law;             /* the only law to fit, by its name; NULL: firma chooses */
    double sequential_s;         /* T* of every size for which the runs have none; 0: not given */
    double efficiency_limit;     /* 0.5 */
    const uint32_t *extrapolate; /* further p to predict, ascending */
    uint32_t n_extrapolate;
    const uint64_t *sizes; /* for the model of n and p to predict; without any, those that were run */
    uint32_t n_sizes;
    bool wants_curves; /* for pictures: their intervals take time */
} ScalingOptions;

/* Never fails: what the data aren't sufficient for becomes a warning. Result in the arena. */
const Scaling *scaling_make(const Runs *runs, const ScalingOptions *options, Arena *arena);

/* T(p) by a law, with the interval of the fit. */
Estimated law_time_s(const LawFit *law, double p);

/* T(p) by the first law; the interval contains its own, and the times by which some plausible law
 * still is one. n_laws > 0. */
Estimated laws_time_s(const LawFit *laws, uint32_t n_laws, double p);

/* The cause in words: "cache: …". "" for CAUSE_NONE. */
const char *superlinear_cause_text(SuperlinearCause cause);
