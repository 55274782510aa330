/* SPDX-License-Identifier: BSD-3-Clause */
/* Guards: conditionals of which a side gives up. That side has the probability 0, unless the user
 * gives another one. Private to this folder. */
#pragma once

#include "cost/source/values/scope.h"

/* Whether this side (0: the condition holds) gives up: it never returns; or it leaves a function that
 * doesn't call itself, after a test of a reference against NULL or with a value that stands for an
 * error. docs/SOURCES.md, *Guards*, has the rule. */
bool side_gives_up(const Scope *scope, const SourceStatement *choice, int side);

/* Whether evaluating the expression ends the program as after an error: it never returns, and isn't exit(0). */
bool expression_gives_up(const Generator *all, const SourceExpression *expression);

/* Whether a case of a switch ends so, perhaps in the case into which it falls through. */
bool case_gives_up(const Scope *scope, const SourceStatement *statement, size_t i);

/* How the body of a loop may end, without guards. is_endless: only its body ends the loop. */
unsigned ends_without_guards(const Scope *scope, const SourceStatement *body, bool is_endless);
