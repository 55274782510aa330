/* SPDX-License-Identifier: BSD-3-Clause */
/* One evaluation: the values of atoms under bindings, each computed once. Private to this
 * folder. */
#pragma once

#include "cost/expr/canonical.h"
#include "cost/expr/value.h"

/* The value of an atom. It is current while no symbol in the atom has got a later value; the index
 * of a sum gets many. */
typedef struct AtomValue {
    const Atom *atom;
    HeldValue held;
    uint64_t since; /* time of computation, as counted by Evaluation.now; 0: never */
    bool is_bound;  /* has a binding; false for indexes of sums */
    struct AtomValue **symbols;
    size_t n_symbols;
    struct SumLoop *loop; /* of a sum; `total` is the sum of the terms so far */
    HeldValue total;
} AtomValue;

/* A product that occurs in the bodies of a loop's sums, and its own sum while all terms are
 * exact. */
typedef struct SumPart {
    Term term; /* the coefficient is 1 */
    Value value;
    HeldValue total;
} SumPart;

/* Sums over the same index and range, which are added up in one loop. Common products of their
 * bodies are computed once. */
typedef struct SumLoop {
    const Atom *first; /* one of the sums; all have its range */
    AtomValue *index;
    VEC(AtomValue *) sums;
    VEC(SumPart) parts; /* each product once; none for largest values */
    Map part_of;        /* from a monomial's id to an index into parts */
    bool has_columns;   /* `columns` is known; it may be NULL */
    struct Columns *columns;
} SumLoop;

typedef struct Evaluation Evaluation;
struct Evaluation {
    Arena *arena;
    RationalPool pool;
    Map atom_value; /* from an atom's id to an AtomValue */
    Map loops;      /* from a range to a SumLoop */
    VEC(AtomValue *) all;
    VEC(SumLoop *) all_loops;
    uint64_t now, stale_until; /* values computed at stale_until or before are stale */
    double most_terms;         /* limit of terms in a sum */
    double points_left;        /* terms that the current expression may still take */
    double points;             /* blocks for the next sum, if approximating */
    bool approximates;         /* adds up long sums by blocks */
    bool is_approximated, has_too_many;
    /* The function of evaluate.c; evaluate_sum.c calls it for bounds and bodies. */
    bool (*evaluate)(Evaluation *evaluation, const Expr *expr, Value *value);
    Err *err;
};

/* evaluate_sum.c: sets the values of all the loop's sums. */
bool evaluate_sums(Evaluation *evaluation, SumLoop *loop);
/* Evaluates a function of at most two arguments (not max, which evaluate.c does). */
bool evaluate_function(ExprFunction function, const Value *arguments, RationalPool *pool, Value *value, Err *err);

static inline void evaluation_set(Evaluation *evaluation, AtomValue *atom_value, Value value)
{
    value_hold(&atom_value->held, value);
    atom_value->since = ++evaluation->now;
}
