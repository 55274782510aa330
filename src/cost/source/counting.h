/* SPDX-License-Identifier: BSD-3-Clause */
/* How often a loop runs. Private to the folder.
 *
 *     induction.c  variables that each iteration steps by the same rule
 *     bound.c      how often a comparison holds while its index goes on
 *     range.c      the loop's index, and its count from all parts of the condition
 *     counted.c    the seq of a body that runs so often */
#pragma once

#include "cost/source/value.h"

/* start + amount*k, start*amount^k or floor(start/amount^k), k = 0, 1, … */
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
/* scope: as before the loop. */
Inductions inductions_find(Scope *scope, const LoopParts *parts, const AssignedSet *assigned);
/* The variable's value in iteration k. */
Amount induction_value(const Scope *scope, const Induction *induction, Amount k);

typedef struct IndexProgress {
    const char *index; /* its symbol */
    InductionKind kind;
    Amount start, amount;
} IndexProgress;
typedef struct Bound {
    Amount count, limit; /* iterations, or not known; the last value that the index may have, as far as it's a number */
    bool is_always;      /* it holds whatever the index */
} Bound;
Bound bound_of(const Scope *scope, const SourceExpression *comparison, const IndexProgress *progress);

typedef struct LoopRange {
    Amount count;             /* not known: neither is how often it runs */
    bool may_end_early;       /* a part of the condition isn't decidable */
    const Induction *primary; /* the index takes its values; NULL: it counts k = 0, 1, … */
    Amount limit;             /* of the primary's values; not known where from and step say all */
} LoopRange;
/* The index: a symbol. Its value in the iteration, from which those of inductions follow. */
const Induction *index_variable(const LoopParts *parts, const Inductions *inductions);
void index_set(Scope *scope, const Inductions *inductions, const Induction *primary, const char *index);
/* scope: as before the loop, which assigns `assigned`. index: a symbol that is free. */
LoopRange range_find(Scope *scope, const LoopParts *parts, const Inductions *inductions, const Induction *primary,
                     const AssignedSet *assigned, const char *index);

/* body: made with the index as index_set made it. may_end_early: only a share of the count is run. */
PamelaNode *loop_seq(Scope *scope, const SourceStatement *statement, const LoopRange *range, const char *index,
                     PamelaNode *body);
