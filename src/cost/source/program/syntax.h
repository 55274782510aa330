/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of the source that don't depend on values: parts of loops, how statements end,
 * assigned variables. Private to cost/source. */
#pragma once

#include "base/vec.h"
#include "cost/source/program/program.h"

bool type_is_whole(CpuType type);
bool operator_is(const SourceExpression *expression, const char *operator);
const SourceExpression *without_casts(const SourceExpression *expression);

/* The first operand of which an allocation's bytes are a product. */
size_t allocation_first_size(const SourceExpression *allocation);
bool is_variable(const SourceExpression *expression, const SourceVariable *variable); /* apart from casts */
/* Also without hints to the compiler: __builtin_expect(condition, 0). */
const SourceExpression *condition_without_hints(const SourceExpression *condition);
/* Whether both say the same of variables, fields, what pointers lead to, and numbers. */
bool expression_is_same(const SourceExpression *a, const SourceExpression *b);
/* Of an increment: whether its value is that afterwards, as of ++i. */
bool increments_first(const SourceExpression *increment);
/* Whether a loop's condition is absent or a number other than 0. */
bool condition_is_true(const SourceExpression *condition);

/* The parts of a loop of any kind. */
typedef struct LoopParts {
    const SourceExpression *condition; /* NULL: none, which is true */
    const SourceExpression *step;
    SourceStatement *body;
    bool tests_last; /* a do loop */
} LoopParts;
LoopParts loop_parts(const SourceStatement *statement);

/* How a statement may end, as a set of these bits. ENDS_NEVER: in a call that never returns. */
enum { ENDS_NORMALLY = 1, ENDS_BREAK = 2, ENDS_CONTINUE = 4, ENDS_RETURN = 8, ENDS_NEVER = 16 };
enum { ENDS_FUNCTION = ENDS_RETURN | ENDS_NEVER };
unsigned ends_of(const SourceStatement *statement);
/* Without the sides of conditionals that are left out. */
typedef struct LeftOut {
    bool (*is_out)(const struct LeftOut *left_out, const SourceStatement *choice, int side);
} LeftOut;
unsigned ends_without(const SourceStatement *statement, const LeftOut *left_out);
/* Whether the expression always calls a function that never returns. */
bool expression_never_returns(const SourceExpression *expression);

/* The variable whose collection or text a call changes in size, such as list.add(x) (Java); NULL: none.
 * by_one: it grows by one. */
const SourceVariable *resized_variable(const SourceExpression *expression, bool *by_one);

/* How often a part of the source assigns or resizes a variable. */
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
