/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers questions about cost models: times, speedups and efficiencies for sizes and numbers of
 * processes; the size that keeps an efficiency; the limit for many processes; and where one model
 * becomes better than another. docs/METHOD.md, section 21. */
#pragma once

#include "scaling/formula.h"

typedef struct ModelQuestion {
    uint32_t n_formulas;
    const Formula *formulas;
    const Formula *sequential; /* the best sequential algorithm; NULL: speedups are T(n, 1) /
                                  T(n, p) */
    FormulaParameters parameters;
    uint32_t n_sizes, n_processes;
    const double *sizes, *processes; /* ascending */
    double efficiency;               /* the efficiency to keep */
} ModelQuestion;

typedef struct ModelCell {
    Estimated time_s, speedup, efficiency;
} ModelCell;

typedef enum IsoKind {
    ISO_ANY, /* any size keeps the efficiency */
    ISO_SIZE,
    ISO_NONE /* no size up to 2^MODEL_LARGEST_EXPONENT does */
} IsoKind;

typedef struct ModelIso {
    IsoKind kind;
    Estimated n; /* the least size that keeps the efficiency; the middle is exact */
} ModelIso;

typedef enum LimitKind {
    LIMIT_PEAK,  /* there is a best number of processes; with more, the time grows */
    LIMIT_BOUND, /* the speedup grows up to a bound */
    LIMIT_NONE   /* the speedup grows with p without end */
} LimitKind;

/* The limit for one size as p grows, by the middles of the parameters' intervals. */
typedef struct ModelLimit {
    LimitKind kind;
    double best_p;         /* p of a peak */
    double speedup;        /* at the peak, or the bound */
    double most_processes; /* the largest p that keeps the efficiency; INFINITY: each p does;
                              NAN: none */
} ModelLimit;

typedef struct ModelTable {
    const Formula *formula;
    const ModelCell *cells;   /* [n_sizes][n_processes] */
    const ModelIso *iso;      /* [n_processes] */
    const ModelLimit *limits; /* [n_sizes] */
    bool is_scalable;         /* a size keeps the efficiency at each p up to
                                 2^MODEL_SCALES_EXPONENT */
    double growth;            /* n ~ p^growth keeps the efficiency there; NAN: not scalable, or
                                 any size does */
} ModelTable;

/* Up to `at`, `first` is faster than `second`; from there on, `second` is faster. This is over p at
 * a fixed size, or over n at a fixed number of processes. */
typedef struct Crossover {
    uint32_t first, second; /* indices of formulas */
    bool over_processes;
    double fixed, at;
} Crossover;

typedef struct ModelAnswer {
    const ModelTable *tables; /* [n_formulas] */
    uint32_t n_crossovers;
    const Crossover *crossovers;
} ModelAnswer;

/* Ranges in which firma looks for limits. */
#define MODEL_LARGEST_EXPONENT 60 /* n up to 2^60 */
#define MODEL_FAR_EXPONENT 40     /* p up to 2^40; is_scalable: p up to 2^20 */
#define MODEL_SCALES_EXPONENT 20

/* ERR_INPUT names formula, n and p: a time isn't defined, negative, or 0. Results in the arena. */
bool model_answer(const ModelQuestion *question, Arena *arena, ModelAnswer *answer, Err *err);

/* The speedup with parameters in the middle of their intervals, or at a corner. NAN: a time isn't
 * defined. */
double model_speedup_at(const ModelQuestion *question, const Formula *formula, uint32_t corner, double n, double p);

/* with_interval: also evaluates all corners of the parameters' intervals. */
ModelIso model_isoefficiency(const ModelQuestion *question, const Formula *formula, double p, bool with_interval);
ModelLimit model_limit(const ModelQuestion *question, const Formula *formula, double n);
/* Results in the arena. Returns their number. */
uint32_t model_crossovers(const ModelQuestion *question, Arena *arena, const Crossover **crossovers);
