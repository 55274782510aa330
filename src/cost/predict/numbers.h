/* SPDX-License-Identifier: BSD-3-Clause */
/* Values for the symbols of an application's expressions, and their origins. Private to this
 * folder. */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "cost/predict/predict.h"

/* A calibration's symbol, scale_BATCH_KIND. */
typedef struct ScaleName {
    const char *symbol;
    const Calibration *calibration;
    Interval value; /* by the workers on each machine */
} ScaleName;

/* The code of batches: a language, compiled with the same options. `index` names it in symbols. */
typedef struct CodeName {
    const char *index, *language, *options;
} CodeName;

typedef struct Numbers {
    const PredictOptions *options;
    ExprSpace *space;
    Arena *arena;
    const PamelaModel *model;
    const CostPlatform *platform;
    const char *const *kinds; /* [platform->n_groups] names of kinds in the machine model */
    const char *language;     /* for symbols without a language */
    size_t n_codes;
    const CodeName *codes;
    bool has_context, has_single; /* operations were measured in context; one by one */
    double task_bytes;            /* of a task's data; 0: not known (yet) */
    double n_tasks;               /* of one process, one after the other; 0: not known (yet) */
    double n_recycled;            /* blocks of these tasks that may have been used before */
    bool is_calibrated;
    size_t n_scales;
    const ScaleName *scales;
    /* Smallest to largest message. They must be known before costs of messages are. */
    Interval message_bytes;
    bool sizes_are_known;
    uint64_t n_workers;
    VEC(PredictionNumber) found;  /* unordered */
    VEC(ExprBinding) bindings;    /* unordered, the same names */
    VEC(size_t) uncertain;        /* bindings of counted numbers at a size that wasn't counted: intervals */
    VEC(const char *) missing;    /* parameters without a value, as texts for people */
    VEC(const char *) unmeasured; /* operations without costs, as "mod_int64 on old" */
    /* Parameters whose formulas are being evaluated; a cycle contains one of them again. */
    VEC(const char *) open;
    /* Parameters that are the probability of an `if` of the model; filled in when first needed. */
    Map probabilities;
    enum { ASSUMES_UNKNOWN, ASSUMES, ASSUMES_NOT } assumes; /* probabilities */
    bool has_probabilities;
} Numbers;

/* Whether the symbol has a value already. */
bool numbers_have(const Numbers *numbers, const char *name);

/* Finds values for all symbols of the expression. Skips costs of messages until sizes are known.
 * Adds symbols without a value to `missing` or `unmeasured`. */
bool numbers_find(Numbers *numbers, const Expr *expr, Err *err);

/* The mean number of bytes of a task's data, and how many blocks of memory it gets, by the time without contention: that
 * time where each such byte, or block, costs a second, and all else nothing. */
bool numbers_find_bytes(Numbers *numbers, const Expr *without_contention, uint64_t n_tasks, Err *err);

/* The parameter with this name, or with this place in the source. NULL: none. */
const PamelaParameter *numbers_parameter(const PamelaModel *model, const char *name);

/* Returns false with an error that names all missing values, if there are any. */
bool numbers_complete(const Numbers *numbers, Err *err);

static inline bool numbers_evaluate(const Numbers *numbers, const Expr *expr, Interval *value, bool *approximated,
                                    Err *err)
{
    return expr_evaluate(expr, numbers->bindings.items, numbers->bindings.count, value, approximated, err);
}

/* The bindings with all counted numbers at one end of their intervals, and if asked for with all costs. With whole
 * intervals, what has a symbol several times would seem less certain than it is. */
typedef enum End { END_LOW, END_MIDDLE, END_HIGH } End;
ExprBinding *numbers_at(const Numbers *numbers, bool with_costs, End end, Arena *arena);

void numbers_end(Numbers *numbers);

/* The cost of a message between two kinds of machines, or "master" (where the master runs), from
 * the paths of the machine model: the hull of all possible paths. */
typedef struct MessageCost {
    Interval alpha_s, beta_s; /* latency, and time per byte */
    const char *assumed;      /* NULL: measured between these kinds; else what was assumed */
    const char *chosen;       /* NULL: there was one configuration; else which one of several it is */
} MessageCost;
bool messages_find(const Numbers *numbers, const char *first, const char *second, MessageCost *cost, Err *err);

/* The cost of messages between equal processes, each on a host of its own if hosts were measured. False: there
 * is none. */
bool messages_own(const Numbers *numbers, MessageCost *cost);

/* Finds the sizes of the model's smallest and largest messages, as far as they are known. */
void messages_sizes(Numbers *numbers);
