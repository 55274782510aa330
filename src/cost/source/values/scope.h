/* SPDX-License-Identifier: BSD-3-Clause */
/* The function whose sub-model is being made, and its variables' values at the current point, in
 * terms of the sub-model's symbols. Private to cost/source. */
#pragma once

#include "cost/source/program/syntax.h"
#include "cost/source/values/block.h"

/* The value of a variable or, while a program runs (generator.h), of a part of one. */
typedef struct VariableValue {
    const SourceVariable *variable;
    Amount value;
    const char *part; /* such as "[3].left" (place.h); NULL: the whole */
    /* A reference's target, if firma follows the reference; NULL: it doesn't. */
    const Place *target;
} VariableValue;

/* An early exit of a loop, to be emitted behind it as `if (condition, probability) node`. */
typedef struct LoopExit {
    Condition condition;
    const Expr *probability;
    PamelaNode *node;
    bool is_return;
} LoopExit;

/* Threads that execute the current statement. */
typedef struct Team {
    const Expr *threads; /* of the parallel region; NULL: none */
    bool has_shares;     /* each thread has a share of a loop's iterations */
} Team;

typedef struct Loop Loop;
struct Loop {
    Loop *outer;
    const SourceStatement *statement;
    const char *index;           /* its symbol in the sub-model */
    bool is_endless;             /* only its body ends it */
    int longest_chain;           /* steps that wait for the iteration before (chain.h) */
    int hidden_steps;            /* of these, beside other work */
    const AssignedSet *assigned; /* by its iterations */
    VEC(LoopExit) exits;
};

struct Scope {
    Generator *all;
    ExprSpace *space; /* the generator's */
    const SourceFunction *function;
    Block *block;
    Loop *loop; /* NULL: none */
    Team team;
    bool in_switch; /* `break` ends a case */
    /* Emitting an exit of a loop, which runs once: jumps just end it. */
    bool in_exit;
    bool in_loop_condition;
    const SourceExpression *object; /* of the next call (Java); NULL: none */
    /* In a side that gives up (guard.h) or makes room (growth.h), which is not reached unless the user says so. */
    bool is_seldom;
    const char *unknown; /* as of the sub-model (MadeSub) */
    unsigned n_returns;
    VEC(PartParameter) parts;
    unsigned n_part_returns; /* without those of guards */
    PartEffects returned_parts;
    /* The last call of a function with source, and the parts of what it returned. */
    const SourceExpression *last_call;
    PartEffects last_returned;
    Amount returned; /* unknown if returns differ */
    VEC(VariableValue) values;
    const struct Definition *definitions; /* latest first; of chain.h alone */
    /* Their addresses are taken, so unseen code may assign them. */
    VEC(const SourceVariable *) escaped;
};

/* The value of a parameter that the user must give: NULL; 0 where it isn't needed, in a guard's
 * side. */
const Expr *value_to_give(const Scope *scope);
/* Of the whole variable; NULL: none. */
VariableValue *variable_entry(const Scope *scope, const SourceVariable *variable);
Amount variable_value(const Scope *scope, const SourceVariable *variable);
void variable_set(Scope *scope, const SourceVariable *variable, Amount value);
/* Sets an assigned value. While a program runs, fractions are rounded to doubles, and a value that
 * the source doesn't tell is the one that the user gave for a variable of this name. */
void variable_assign(Scope *scope, const SourceVariable *variable, Amount value);
typedef struct Snapshot {
    VariableValue *items;
    size_t count;
} Snapshot;
Snapshot variables_save(const Scope *scope);
void variables_restore(Scope *scope, const Snapshot *snapshot);
/* Merges values behind a conditional. The current values are those of its first side; `otherwise`
 * has those of the other side. ordering, exact: of the condition (see amount_chosen). */
void variables_merge(Scope *scope, const Snapshot *otherwise, const Ordering *ordering, const Expr *exact);
bool variable_is_escaped(const Scope *scope, const SourceVariable *variable);
bool same_target(const Place *a, const Place *b); /* NULL: none */
void variable_escape(Scope *scope, const Place *target);
void variables_forget_symbol(Scope *scope, const char *symbol);
void variables_forget(Scope *scope, const AssignedSet *set);
