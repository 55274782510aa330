/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers for the symbols of an application's expressions, and where each is from. Private to the folder. */
#pragma once

#include "base/vec.h"
#include "cost/predict/predict.h"

/* What a batch may be calibrated as: the symbol scale_BATCH_KIND. */
typedef struct ScaleName {
    const char *symbol;
    const Calibration *calibration;
} ScaleName;

typedef struct Numbers {
    const PredictOptions *options;
    ExprSpace *space;
    Arena *arena;
    const PamelaModel *model;
    const CostPlatform *platform;
    const char *const *kinds; /* [platform->n_groups] names in the machine model */
    const char *language;     /* of symbols that don't say it */
    bool is_calibrated;
    size_t n_scales;
    const ScaleName *scales;
    Interval message_bytes; /* of all messages, */
    bool sizes_are_known;   /* which come before what messages cost */
    uint64_t n_workers;
    VEC(PredictionNumber) found;  /* in no order */
    VEC(ExprBinding) bindings;    /* the same */
    VEC(const char *) missing;    /* lines for people */
    VEC(const char *) unmeasured; /* operations, as "mod_int64 on old" */
    VEC(const char *) open;       /* parameters whose formulas are being found: a cycle stands there twice */
} Numbers;

/* For all symbols of the expression, but what messages cost before their sizes are known. What has no number is noted
 * in `missing`, `unmeasured`. */
bool numbers_find(Numbers *numbers, const Expr *expr, Err *err);

/* The parameter that is meant by a name, or by its place in the source; NULL: none. */
const PamelaParameter *numbers_parameter(const PamelaModel *model, const char *name);

/* An error that names all that is missing; true: nothing is. */
bool numbers_complete(const Numbers *numbers, Err *err);

static inline bool numbers_evaluate(const Numbers *numbers, const Expr *expr, Interval *value, bool *approximated,
                                    Err *err)
{
    return expr_evaluate(expr, numbers->bindings.items, numbers->bindings.count, value, approximated, err);
}

void numbers_end(Numbers *numbers);

/* What a message costs between two kinds of machines ("master": where the master runs), by the paths of the machine
 * model: the hull of all that may be meant. */
typedef struct MessageCost {
    Interval alpha_s, beta_s; /* latency, and time per byte */
    const char *assumed;      /* NULL: as measured between these; else what was taken instead */
} MessageCost;
bool messages_find(const Numbers *numbers, const char *first, const char *second, MessageCost *cost, Err *err);

/* From the least to the most bytes that a message of the model has, as far as its sizes are known. */
void messages_sizes(Numbers *numbers);
