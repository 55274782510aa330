/* SPDX-License-Identifier: BSD-3-Clause */
/* Statements that contain statements, and exits of loops. An exit is a branch that leaves the loop.
 * The functions emit_… return the probability that the code behind the statement is reached.
 * Private to this folder. */
#pragma once

#include "cost/source/values/scope.h"

const Expr *emit_loop(Scope *scope, const SourceStatement *statement);   /* loop.c */
const Expr *emit_switch(Scope *scope, const SourceStatement *statement); /* switch.c */

/* Probabilities of reaching a place aren't multiplied out if they become longer. */
enum { REACH_TERMS = 4 };

/* exits.c: emits a list of statements as a node. *reaches: the probability that its end is
 * reached. */
PamelaNode *list_to_node(Scope *scope, SourceStatement *const *list, size_t count, const Expr **reaches);
/* Whether the branch always leaves a loop, and so runs once, whatever the loop's count. */
bool leaves_loop(const Scope *scope, const SourceStatement *branch);
/* Emits a branch that gives up (guard.h), or makes room (growth.h). */
PamelaNode *seldom_to_node(Scope *scope, SourceStatement *const *list, size_t count, const Expr **reaches);
/* The loop that such a branch leaves: the innermost one, or the outermost one if the branch returns. */
Loop *loop_left(const Scope *scope, const SourceStatement *branch);
/* Stores a branch as an exit of the innermost loop, or of all loops if it returns. emit_exits()
 * emits the branch behind that loop, with the probability. */
void leave_loop(Scope *scope, const SourceStatement *branch, Condition condition, const Expr *probability,
                bool gives_up);
/* Emits the exits, once each with its probability. Returns the probability that the function goes
 * on behind the loop. */
const Expr *emit_exits(Scope *scope, Loop *loop);
