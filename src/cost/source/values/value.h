/* SPDX-License-Identifier: BSD-3-Clause */
/* Symbolic values of expressions, and probabilities of conditions, without costs or effects.
 * Private to cost/source. */
#pragma once

#include "cost/source/values/scope.h"

/* Of an expression that has been run; NULL: it hasn't. */
const RunValue *run_value(const Scope *scope, const SourceExpression *expression);
Amount amount_of(const Scope *scope, const SourceExpression *expression);
Ordering ordering_of(const Scope *scope, const SourceExpression *condition);
/* The function for which such a value of a pointer stands, while a program runs; NULL: none. */
const SourceFunction *function_of_value(const SourceProgram *program, double value);
/* A variable's value behind ++ or --. */
Amount value_stepped(const Scope *scope, const SourceExpression *increment);
/* NULL if parameters and indexes don't decide the condition. */
const Expr *probability_of(const Scope *scope, const SourceExpression *condition);
