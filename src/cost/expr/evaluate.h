/* SPDX-License-Identifier: BSD-3-Clause */
/* One evaluation: values of atoms under bindings, each computed once. Private to this folder. */
#pragma once

#include "cost/expr/canonical.h"
#include "cost/expr/value.h"

/* An atom's value holds as long as no symbol in it has got another one: an index of a sum gets many. */
typedef struct Known {
    const Atom *atom;
    HeldValue held;
    uint64_t since; /* when it was computed; 0: never */
    bool is_bound;  /* a parameter, not only an index */
    struct Known **symbols;
    size_t n_symbols;
    struct SumLoop *loop; /* of a sum, and what it has added up so far */
    HeldValue total;
} Known;

/* A product that stands in the bodies of a loop's sums, and its own sum as far as it is exact. */
typedef struct SumPart {
    Term term; /* its coefficient is 1 */
    Value value;
    HeldValue total;
} SumPart;

/* Sums over the same index and range are added up together: what their bodies have in common is computed once. */
typedef struct SumLoop {
    const Atom *first; /* has the range of all */
    Known *index;
    VEC(Known *) sums;
    VEC(SumPart) parts; /* each once; of largest values: none */
    Map part_of;        /* a monomial's number to its part's */
} SumLoop;

typedef struct Evaluation Evaluation;
struct Evaluation {
    Arena *arena;
    RationalPool pool;
    Map known; /* atom's number to a Known */
    Map loops; /* range to a SumLoop */
    VEC(Known *) all;
    VEC(SumLoop *) all_loops;
    uint64_t now, forgotten; /* values of atoms from before then don't count */
    double most_terms;       /* of sums */
    double points_left;      /* of sums, before they're too many */
    double points;           /* that the next sum may take, if approximating */
    bool approximates;       /* adds up by blocks what is too long */
    bool is_approximated, has_too_many;
    bool (*evaluate)(Evaluation *evaluation, const Expr *expr, Value *value); /* evaluate.c's, for parts of sums */
    Err *err;
};

bool evaluate_sums(Evaluation *evaluation, SumLoop *loop); /* evaluate_sum.c: sets the values of all */
/* One with at most two arguments: not max. */
bool evaluate_function(ExprFunction function, const Value *arguments, RationalPool *pool, Value *value, Err *err);

static inline void evaluation_set(Evaluation *evaluation, Known *known, Value value)
{
    value_hold(&known->held, value);
    known->since = ++evaluation->now;
}
