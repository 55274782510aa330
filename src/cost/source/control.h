/* SPDX-License-Identifier: BSD-3-Clause */
/* Statements that hold statements, and ways out of loops. Each gives the probability that what follows is reached.
 * Private to the folder. */
#pragma once

#include "cost/source/scope.h"

const Expr *emit_loop(Scope *scope, const SourceStatement *statement);   /* loop.c */
const Expr *emit_switch(Scope *scope, const SourceStatement *statement); /* switch.c */

/* exits.c: a list of statements, as a node. */
PamelaNode *list_apart(Scope *scope, SourceStatement *const *list, size_t count, const Expr **reaches);
/* Whether the branch always leaves a loop: it's done once, whatever the loop's count. */
bool leaves_loop(const Scope *scope, const SourceStatement *branch);
/* The branch that leaves the innermost loop, or all, is done after it with a probability. */
void leave_loop(Scope *scope, const SourceStatement *branch, const char *condition, const char *comment,
                const Expr *probability);
/* The ways out, each taken once with its probability; the probability that the function goes on after the loop. */
const Expr *emit_exits(Scope *scope, Loop *loop);
