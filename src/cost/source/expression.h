/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations of expressions. Private to this folder. */
#pragma once

#include "cost/source/values/scope.h"

/* What is assumed about a condition that can't be decided. */
typedef enum Guess { GUESS_HALF, GUESS_FALSE, GUESS_TRUE } Guess;

/* Appends the operations to the block, and follows assignments. */
void emit_expression(Scope *scope, const SourceExpression *expression);
/* The same for a condition that is expected to hold (GUESS_TRUE) or not to, since a side gives up: so are its
 * parts, as far as that follows. */
void emit_condition(Scope *scope, const SourceExpression *condition, Guess expected);
/* Notes that a run must count how often the condition holds, unless that is known: a condition of an expression `around`
 * it, or of a statement. */
void count_condition(Scope *scope, const SourceExpression *condition, const char *suffix,
                     const SourceExpression *around, const SourceStatement *statement);
/* The condition's probability. If it is undecidable, a named parameter with the guessed value: 1/2 (the paper's rule);
 * or 0 or 1 since the side that seldom runs does what `seldom` says, such as "gives up"; or since floating-point numbers
 * are compared. suffix: part of the name; "" for conditionals. meaning: prefix of the finding. */
const Expr *probability_or(Scope *scope, const SourceExpression *condition, const char *suffix, const char *meaning,
                           Guess guess, const char *seldom);

/* The bytes that an allocation gets, as far as they are known. */
void emit_allocated_bytes(Scope *scope, const SourceExpression *allocation);
