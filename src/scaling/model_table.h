/* SPDX-License-Identifier: BSD-3-Clause */
/* What cost models say: times, speedups and efficiencies over sizes and numbers of processes; which size keeps the
 * efficiency; what comes of more processes; where one model becomes better than another. Spec 5. */
#pragma once

#include "scaling/formula.h"

typedef struct ModelQuestion {
    uint32_t n_formulas;
    const Formula *formulas;
    const Formula *sequential; /* the best sequential algorithm; NULL: speedups are relative, T(n, 1) / T(n, p) */
    FormulaParameters parameters;
    uint32_t n_sizes, n_processes;
    const double *sizes, *processes; /* ascending */
    double efficiency;               /* that is to be kept */
} ModelQuestion;

typedef struct ModelCell {
    Estimated time_s, speedup, efficiency;
} ModelCell;

typedef enum IsoKind {
    ISO_ANY, /* any size keeps it */
    ISO_SIZE,
    ISO_NONE /* no size up to 2^MODEL_LARGEST_EXPONENT does */
} IsoKind;

typedef struct ModelIso {
    IsoKind kind;
    Estimated n; /* the least size that keeps the efficiency; exact: as the middle says */
} ModelIso;

typedef enum LimitKind {
    LIMIT_PEAK,  /* there is a best number of processes; beyond it, it gets slower */
    LIMIT_BOUND, /* the speedup grows up to a bound */
    LIMIT_NONE   /* it grows with p without end */
} LimitKind;

/* What becomes of one size on more and more processes, by the parameters' middle. */
typedef struct ModelLimit {
    LimitKind kind;
    double best_p;         /* of a peak */
    double speedup;        /* at the peak, or the bound */
    double most_processes; /* the largest p that keeps the efficiency; INFINITY: each does; NAN: none */
} ModelLimit;

typedef struct ModelTable {
    const Formula *formula;
    const ModelCell *cells;   /* [n_sizes][n_processes] */
    const ModelIso *iso;      /* [n_processes] */
    const ModelLimit *limits; /* [n_sizes] */
    bool is_scalable;         /* a size keeps the efficiency at each p up to 2^MODEL_SCALES_EXPONENT */
    double growth;            /* n ~ p^growth keeps it there; NAN: not scalable, or any size does */
} ModelTable;

/* From `at` on, `second` is faster than `first` was up to there; over p at a size, or over n at a number of processes.
 */
typedef struct Crossover {
    uint32_t first, second; /* formulas */
    bool over_processes;
    double fixed, at;
} Crossover;

typedef struct ModelAnswer {
    const ModelTable *tables; /* [n_formulas] */
    uint32_t n_crossovers;
    const Crossover *crossovers;
} ModelAnswer;

/* Sizes and numbers of processes that are looked at for limits. */
#define MODEL_LARGEST_EXPONENT 60 /* n up to 2^60 */
#define MODEL_FAR_EXPONENT 40     /* p up to 2^40, and whether it scales up to 2^20 */
#define MODEL_SCALES_EXPONENT 20

/* ERR_INPUT that names formula, n and p: a time isn't defined, negative, or 0. */
bool model_answer(const ModelQuestion *question, Arena *arena, ModelAnswer *answer, Err *err);

/* For the parts. Speedup by the parameters' middle, or at a corner; NAN where a time isn't defined. */
double model_speedup_at(const ModelQuestion *question, const Formula *formula, uint32_t corner, double n, double p);

/* with_interval: also at all corners of the parameters. */
ModelIso model_isoefficiency(const ModelQuestion *question, const Formula *formula, double p, bool with_interval);
ModelLimit model_limit(const ModelQuestion *question, const Formula *formula, double n);
/* Into the arena; their number. */
uint32_t model_crossovers(const ModelQuestion *question, Arena *arena, const Crossover **crossovers);
