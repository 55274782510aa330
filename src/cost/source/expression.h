/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations of expressions. Private to the folder. */
#pragma once

#include "cost/source/scope.h"

/* Appends the operations to the block, and follows assignments. */
void emit_expression(Scope *scope, const SourceExpression *expression);
/* The condition's probability; a named parameter, 1/2 by the paper's rule, if it isn't decidable. suffix: "" for
 * conditionals. */
const Expr *probability_or_q(Scope *scope, const SourceExpression *condition, const char *suffix, const char *meaning);
