/* SPDX-License-Identifier: BSD-3-Clause */
/* The cost of a node of a PAMELA model. Private to this folder.
 *
 * A selector chooses one of two questions. How long does the node take without contention? (Of
 * parallel parts, the longest counts.) Or: how much does the node load a resource? (All parts add
 * up.) A resource is a range of processors, namely the processors or the link of each machine of a
 * class, and may be symbolic. Or it is a resource that `use` names. */
#pragma once

#include "cost/model/cost.h"

typedef enum SelectorKind {
    SELECT_TIME,      /* no resource: T0 */
    SELECT_ALL,       /* all operations: a task on the processor where it runs */
    SELECT_PROCESSOR, /* operations on processors low … high */
    SELECT_LINK,      /* messages from or to these processors */
    SELECT_NAMED      /* use(name, t) */
} SelectorKind;

typedef struct Selector {
    SelectorKind kind;
    const Expr *low, *high; /* may contain the class's symbol */
    int64_t least, most;    /* bounds of low and high */
    const char *name;
} Selector;

/* The cost of a sub-model that computes alone, on the caller's processor, doesn't depend on the
 * call. */
typedef struct TaskCost {
    const PamelaSub *sub;
    const char *kind;
    SelectorKind selector; /* SELECT_TIME or SELECT_ALL */
    const Expr *cost;
} TaskCost;

/* The value of a name: an argument, or the index of a loop. A list, innermost first. */
typedef struct Scope {
    const struct Scope *outer;
    const char *name;
    const Expr *value;
} Scope;

/* An enclosing loop. If is_known, its index is a processor between `least` and `most`. */
typedef struct Loop {
    const Expr *symbol;
    int64_t least, most;
    bool is_inside; /* the range is inside the selector's */
    bool is_known;
} Loop;

typedef struct SubFacts {
    bool is_known, is_local, is_parallel;
} SubFacts;

typedef struct Walk {
    const PamelaModel *model;
    const char *const *languages; /* [n_subs]; NULL: all have the same */
    const CostPlatform *platform; /* NULL: a single processor of `kind` */
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

/* The processor on which something runs, relative to the selector. */
typedef struct Place {
    const char *kind;
    bool is_master;
    const Expr *number; /* NULL: not numbered */
    const Expr *share;  /* 1: selected, 0: not; or an expression with these values */
} Place;

/* The cost of a node by walk->selector. NULL: failed. */
const Expr *walk_node(Walk *walk, const PamelaNode *node, const Scope *scope, const Place *place,
                      const PamelaSub *within);

static inline bool walk_is_selecting(const Walk *walk)
{
    return walk->selector->kind == SELECT_PROCESSOR || walk->selector->kind == SELECT_LINK;
}

/* The group of a worker; *last is the group's last worker. */
const CostGroup *walk_group(const CostPlatform *platform, int64_t worker, int64_t *last);

/* Whether the processor exists; otherwise an error. */
bool walk_check_number(const Walk *walk, const PamelaNode *node, int64_t value);

/* The place of a processor, given by an expression at the node. */
bool walk_place(Walk *walk, const Expr *number, const PamelaNode *node, Place *place);

/* An expression of the model, with the values of its names. */
const Expr *walk_expr(const Walk *walk, const Expr *expr, const Scope *scope);

/* The scope of a called sub-model: its parameters have the arguments' values. */
const Scope *walk_arguments(const Walk *walk, const PamelaNode *call, const PamelaSub *sub, const Scope *scope);

/* A loop while its body is walked. */
typedef struct OpenLoop {
    const char *index; /* a name that isn't used elsewhere */
    const Expr *from, *to, *step;
    Scope inner;
} OpenLoop;

/* The wanted name, or the first of name_2, name_3 … that no parameter and no open loop has. */
const char *walk_free_name(const Walk *walk, const char *wanted, const PamelaSub *within);
void walk_loop_open(Walk *walk, const PamelaNode *node, const Scope *scope, const PamelaSub *within, OpenLoop *loop);
void walk_loop_close(Walk *walk);

/* Whether the node computes alone on the caller's processor: no message, resource or other
 * processor. */
bool walk_is_local(Walk *walk, const PamelaNode *node);
bool walk_is_parallel(Walk *walk, const PamelaNode *node);

/* Whether the name may determine the processor on which something runs. */
bool walk_names_processor(Walk *walk, const PamelaNode *node, const char *name);
