/* SPDX-License-Identifier: BSD-3-Clause */
/* From a node of a PAMELA model to its cost. Private to the folder.
 *
 * Two questions are asked of a node: how long it takes without contention (parallel parts: the longest), and how much
 * it asks of one resource (all parts: the sum). A resource is a range of processors, which may be symbolic, as the
 * processors, or as the link, of each machine of a class; or it's what `use` names. */
#pragma once

#include "cost/model/cost.h"

typedef enum SelectorKind {
    SELECT_TIME,      /* no resource: T0 */
    SELECT_ALL,       /* all operations: a task on the processor that it runs on */
    SELECT_PROCESSOR, /* operations on processors low … high */
    SELECT_LINK,      /* messages from or to them */
    SELECT_NAMED      /* use(name, t) */
} SelectorKind;

typedef struct Selector {
    SelectorKind kind;
    const Expr *low, *high; /* may hold the symbol of a class */
    int64_t least, most;    /* they lie within */
    const char *name;
} Selector;

/* A sub-model that computes alone, on the processor that calls it, costs the same wherever it's called. */
typedef struct TaskCost {
    const PamelaSub *sub;
    const char *kind;
    SelectorKind selector; /* SELECT_TIME or SELECT_ALL */
    const Expr *cost;
} TaskCost;

/* What stands for a name: an argument, or the index of a loop. Innermost first. */
typedef struct Scope {
    const struct Scope *outer;
    const char *name;
    const Expr *value;
} Scope;

/* A loop whose index names a processor, within known bounds. */
typedef struct Loop {
    const Expr *symbol;
    int64_t least, most;
    bool is_inside; /* of the selector's range */
    bool is_known;
} Loop;

typedef struct SubFacts {
    bool is_known, is_local, is_parallel;
} SubFacts;

typedef struct Walk {
    const PamelaModel *model;
    const char *const *languages; /* of each sub-model; NULL: the same for all */
    const CostPlatform *platform; /* NULL: one processor of `kind` */
    const char *kind;
    ExprSpace *space;
    Arena *arena;
    const Selector *selector;
    SubFacts *facts; /* [n_subs] */
    struct {
        Loop *items;
        size_t count, capacity;
    } loops;
    struct {
        TaskCost *items;
        size_t count, capacity;
    } tasks;
    Err *err;
} Walk;

/* Where something runs, seen from the selector. */
typedef struct Place {
    const char *kind;
    bool is_master;
    const Expr *number; /* NULL: not numbered */
    const Expr *share;  /* 1: the selector's, 0: not; or an expression that becomes one of them */
} Place;

/* NULL: failed. */
const Expr *walk_node(Walk *walk, const PamelaNode *node, const Scope *scope, const Place *place,
                      const PamelaSub *within);

static inline bool walk_is_selecting(const Walk *walk)
{
    return walk->selector->kind == SELECT_PROCESSOR || walk->selector->kind == SELECT_LINK;
}

/* The group of a worker, and which is the group's last. */
const CostGroup *walk_group(const CostPlatform *platform, int64_t worker, int64_t *last);

/* Whether there is such a processor. */
bool walk_check_number(const Walk *walk, const PamelaNode *node, int64_t value);

/* A processor by its number, as it's written at the node. */
bool walk_place(Walk *walk, const Expr *number, const PamelaNode *node, Place *place);

/* An expression of the model, with what stands for its names. */
const Expr *walk_expr(const Walk *walk, const Expr *expr, const Scope *scope);

/* The callee's names: its arguments. */
const Scope *walk_arguments(const Walk *walk, const PamelaNode *call, const PamelaSub *sub, const Scope *scope);

/* A loop that is walked into: what its ends are outside, and its index stands for inside. */
typedef struct OpenLoop {
    const char *index; /* a name that nothing else has */
    const Expr *from, *to, *step;
    Scope inner;
} OpenLoop;

void walk_loop_open(Walk *walk, const PamelaNode *node, const Scope *scope, const PamelaSub *within, OpenLoop *loop);
void walk_loop_close(Walk *walk);

/* Computes alone where it's called: no message, no resource, no other processor. */
bool walk_is_local(Walk *walk, const PamelaNode *node);
bool walk_is_parallel(Walk *walk, const PamelaNode *node);

/* Whether the name may decide where something runs. */
bool walk_names_processor(Walk *walk, const PamelaNode *node, const char *name);
