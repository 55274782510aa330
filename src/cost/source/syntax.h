/* SPDX-License-Identifier: BSD-3-Clause */
/* What the source says as it stands, without values: parts of loops, how a statement can end, what it assigns. Private
 * to the folder. */
#pragma once

#include "base/vec.h"
#include "cost/source/program.h"

bool type_is_whole(CpuType type);
bool operator_is(const SourceExpression *expression, const char *operator);
const SourceExpression *without_casts(const SourceExpression *expression);
/* A loop's: NULL, or a number that isn't 0. */
bool condition_is_true(const SourceExpression *condition);

/* The parts of a loop, of whichever kind. */
typedef struct LoopParts {
    const SourceExpression *condition; /* NULL: none, true */
    const SourceExpression *step;
    SourceStatement *body;
    bool tests_last; /* do */
} LoopParts;
LoopParts loop_parts(const SourceStatement *statement);

enum { ENDS_NORMALLY = 1, ENDS_BREAK = 2, ENDS_CONTINUE = 4, ENDS_RETURN = 8 };
unsigned ends_of(const SourceStatement *statement);

/* How often a variable is assigned in a part of the source. */
typedef struct Assigned {
    const SourceVariable *variable;
    unsigned count;
} Assigned;
typedef struct AssignedSet {
    VEC(Assigned) items;
    VEC(const SourceVariable *) addressed;
} AssignedSet;
void assigned_in_expression(AssignedSet *set, const SourceExpression *expression);
void assigned_in_statement(AssignedSet *set, const SourceStatement *statement);
unsigned assigned_count(const AssignedSet *set, const SourceVariable *variable);
void assigned_free(AssignedSet *set);
