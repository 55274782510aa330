/* SPDX-License-Identifier: BSD-3-Clause */
/* How often a loop runs. Private to cost/source.
 *
 *     induction.c  variables that change by the same rule in each iteration
 *     bound.c      how often a comparison holds while its index advances
 *     range.c      the loop's index, and its count from all parts of the condition
 *     counted.c    the seq of a body with this count */
#pragma once

#include "cost/source/values/value.h"

/* The value in iteration k = 0, 1, …: start + amount*k, start*amount^k or floor(start/amount^k). */
typedef enum InductionKind { INDUCTION_ADD, INDUCTION_MULTIPLY, INDUCTION_DIVIDE } InductionKind;
typedef struct Induction {
    const SourceVariable *variable;
    InductionKind kind;
    Amount start, amount;
    bool in_condition; /* the loop's condition changes it */
} Induction;
typedef struct Inductions {
    size_t count;
    const Induction *items;
} Inductions;
/* Finds a loop's inductions. `scope`: before the loop. */
Inductions inductions_find(Scope *scope, const LoopParts *parts, const AssignedSet *assigned);
/* The variable's value in iteration k. */
Amount induction_value(const Scope *scope, const Induction *induction, Amount k);

typedef struct IndexProgress {
    const char *index; /* the symbol */
    InductionKind kind;
    Amount start, amount;
    bool is_fraction; /* of a floating-point variable */
} IndexProgress;
typedef struct Bound {
    /* count: iterations, may be unknown; limit: the index's last value, may be unknown. */
    Amount count, limit;
    bool is_always; /* the comparison holds for each index */
    bool may_pass;  /* of i != n: the index may pass by n, or begin beyond it */
} Bound;
Bound bound_of(const Scope *scope, const SourceExpression *comparison, const IndexProgress *progress);

enum { LOOP_BOUNDS = 4 }; /* further ones aren't kept */
typedef struct LoopRange {
    Amount count;             /* may be unknown */
    bool may_end_early;       /* a part of the condition is undecidable */
    const Induction *primary; /* its values are the index; NULL: the index counts k = 0, 1, … */
    /* The last value of `primary`; unknown if `from` and the count determine it. */
    Amount limit;
    size_t n_bounds; /* comparisons that give the count */
    const SourceExpression *bounds[LOOP_BOUNDS];
} LoopRange;
/* index_variable() chooses the induction whose values are the index, or NULL. index_set() sets all
 * inductions to their values in the iteration of the symbol `index`. */
const Induction *index_variable(const LoopParts *parts, const Inductions *inductions);
void index_set(Scope *scope, const Inductions *inductions, const Induction *primary, const char *index);
/* Finds the index and the count. `scope`: before the loop, which assigns `assigned`. index: an
 * unused symbol. */
LoopRange range_find(Scope *scope, const LoopParts *parts, const Inductions *inductions, const Induction *primary,
                     const AssignedSet *assigned, const char *index);

/* Makes the seq. `body` was made after index_set(). If may_end_early, only a share of the count
 * runs. */
PamelaNode *loop_seq(Scope *scope, const SourceStatement *statement, const LoopRange *range, const char *index,
                     PamelaNode *body);
