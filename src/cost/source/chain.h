/* SPDX-License-Identifier: BSD-3-Clause */
/* Chains: what an iteration computes of a variable's value that the iteration before left. A processor can't
 * overlap these operations. Private to this folder. */
#pragma once

#include "cost/source/values/scope.h"

/* What a variable was last assigned. */
typedef struct Definition {
    const SourceVariable *variable;
    const SourceExpression *value;
    const Loop *loop;
    const struct Definition *before;
} Definition;

/* How many steps pass while the processor computes all else of an iteration: a chain waits for the rest alone. Only in
 * warm Java; in C, costs of compiled code tell. */
int chain_hidden(Generator *all, const SourceStatement *body);

/* An assignment of a variable whose value data tell: `value` replaces it, or is combined with it by the
 * operator in front of "=". If this makes the loop's longest chain longer, appends the difference as
 * waiting. `value` NULL: one operation on the variable itself. */
void chain_assign(Scope *scope, const SourceVariable *variable, const char *operator, const SourceExpression * value);
