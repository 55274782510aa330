/* SPDX-License-Identifier: BSD-3-Clause */
/* The function that is being made a sub-model, and what is known of its variables at this point. Private to the folder.
 */
#pragma once

#include "cost/source/block.h"
#include "cost/source/syntax.h"

typedef struct Known {
    const SourceVariable *variable;
    Amount value;
} Known;

/* How a loop is left early: `if (condition, probability) node` follows it. */
typedef struct LoopExit {
    const char *condition, *comment;
    const Expr *probability;
    PamelaNode *node;
    bool is_return;
} LoopExit;

typedef struct Loop Loop;
struct Loop {
    Loop *outer;
    const char *index; /* its symbol in the sub-model */
    VEC(LoopExit) exits;
};

struct Scope {
    Generator *all;
    ExprSpace *space; /* all's */
    const SourceFunction *function;
    Block *block;
    Loop *loop;     /* NULL: none */
    bool in_switch; /* break ends a case */
    bool in_exit;   /* what's done once when a loop is left: jumps just end it */
    bool in_loop_condition;
    unsigned n_returns;
    Amount returned; /* the same by all of them */
    VEC(Known) known;
    VEC(const SourceVariable *) escaped; /* their addresses are taken: others may assign them */
};

Amount variable_value(const Scope *scope, const SourceVariable *variable);
void variable_set(Scope *scope, const SourceVariable *variable, Amount value);
typedef struct Snapshot {
    Known *items;
    size_t count;
} Snapshot;
Snapshot variables_save(const Scope *scope);
void variables_restore(Scope *scope, const Snapshot *snapshot);
/* What holds after a conditional: now is the end of its first side, `otherwise` that of the other. ordering, exact: of
 * the condition, before it (amount_chosen). */
void variables_merge(Scope *scope, const Snapshot *otherwise, const Ordering *ordering, const Expr *exact);
void variables_forget_symbol(Scope *scope, const char *symbol);
void variables_forget(Scope *scope, const AssignedSet *set);
