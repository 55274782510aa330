/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of AMGen share: the task that is analysed, and the function that is being turned into a sub-model.
 * Private to the folder.
 *
 *     statement.c  blocks, conditionals, jumps        loop.c        loops to seq
 *     switch.c     switch
 *     expression.c operations of expressions          induction.c   variables that a loop steps
 *     call.c       calls, known functions             bound.c       conditions of loops to counts
 *     amount.c      symbolic values, without costs     variables.c   what is known of variables
 *     condition.c  probabilities                      block.c       PAMELA nodes in the making
 *     range.c      loops' indexes and counts
 *     names.c      parameters, places, findings       notes.c       findings of the front end
 *     analyse.c    the whole */
#ifndef FIRMA_COST_SOURCE_GENERATE_H
#define FIRMA_COST_SOURCE_GENERATE_H

#include "base/vec.h"
#include "cost/source/analyse.h"

/* A variable's or expression's value in the symbols of the sub-model. expr NULL: not known. A reference's value is the
 * length of the array that it points to. */
typedef struct Amount {
    const Expr *expr;
    bool is_whole;
} Amount;
#define UNKNOWN_AMOUNT ((Amount){NULL, false})

/* A sub-model of a function; of recursive ones there's one a level. */
typedef struct MadeSub {
    const SourceFunction *function;
    unsigned level;
    const char *name;
    const char *const *names; /* [n_parameters] symbols */
    bool *is_used;            /* [n_parameters]: those that its cost depends on are its parameters */
    Amount returned;          /* in all its parameters */
} MadeSub;

typedef struct PlacedName {
    const char *name, *kind;
    SourcePlace place;
} PlacedName;

typedef struct ActiveCall {
    const SourceFunction *function;
    SourcePlace place; /* of the call */
    const char *name;  /* of the sub-model */
} ActiveCall;

/* The task. What fails first is in *err; the rest then does nothing. */
typedef struct Generator {
    const SourceProgram *program;
    const AnalysisOptions *options;
    ExprSpace *space;
    Arena *arena;
    Err *err;
    bool failed;
    VEC(PamelaParameter) parameters;
    VEC(AnalysisFinding) findings;
    VEC(PlacedName) names;
    VEC(PamelaSub) subs;
    VEC(MadeSub) made;
    VEC(ActiveCall) calls;
    VEC(const SourceVariable *) assigned_globals;
} Generator;

/* Nodes in the making. Equal operations of one straight-line stretch are added up. */
typedef struct Block {
    VEC(PamelaNode *) nodes;
    size_t stretch; /* its first node */
} Block;

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

/* The function in the making. */
typedef struct Scope {
    Generator *all;
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
} Scope;

/* names.c: parameters of the model and what the user is told. */
const char *name_made_legal(Generator *all, const char *name);
const char *name_of_place(Generator *all, const char *kind, const char *suffix, const SourcePlace *place);
const char *place_text(Generator *all, const SourcePlace *place); /* "pi.c:12" */
const Expr *parameter_make(Generator *all, const char *name, const Expr *value, const char *comment);
void finding_add(Generator *all, const SourcePlace *place, const char *parameter, const char *message);

/* used.c: leaves only the parameters on which costs depend. */
void drop_unused(Generator *all);

/* notes.c: of the functions that were made. */
void notes_to_findings(Generator *all);

/* block.c */
PamelaNode *node_new(Generator *all, PamelaKind kind);
void block_operation(Generator *all, Block *block, CpuOperation operation, CpuType type, const Expr *count);
void block_named_cost(Generator *all, Block *block, const char *name);
void block_append(Block *block, PamelaNode *node);
PamelaNode *block_end(Generator *all, Block *block);
bool node_is_empty(const PamelaNode *node);
bool node_has_symbol(const PamelaNode *node, const char *name);
/* `if`; nothing if both sides are empty; the side alone if the probability is 0 or 1. otherwise may be NULL. */
void block_if(Generator *all, Block *block, const char *condition, const char *comment, const Expr *probability,
              PamelaNode *node, PamelaNode *otherwise);

/* variables.c */
Amount variable_value(const Scope *scope, const SourceVariable *variable);
void variable_set(Scope *scope, const SourceVariable *variable, Amount value);
typedef struct Snapshot {
    Known *items;
    size_t count;
} Snapshot;
Snapshot variables_save(const Scope *scope);
void variables_restore(Scope *scope, const Snapshot *snapshot);
/* What a decidable condition compares, as less < more; {NULL, NULL}: nothing that is known. */
typedef struct Ordering {
    const Expr *less, *more;
} Ordering;
/* What holds after a conditional: now is the end of its first side. exact: 1 where that one was taken, else 0; NULL:
 * not decidable. ordering: of before it. */
void variables_merge(Scope *scope, const Snapshot *otherwise, const Ordering *ordering, const Expr *exact);
void variables_forget_symbol(Scope *scope, const char *symbol);

/* How often a variable is assigned in a part of the source. */
typedef struct Assigned {
    const SourceVariable *variable;
    unsigned count;
} Assigned;
typedef struct AssignedSet {
    VEC(Assigned) items;
    VEC(const SourceVariable *) addressed;
    bool calls; /* functions of the source, which may assign globals */
} AssignedSet;
void assigned_in_expression(AssignedSet *set, const SourceExpression *expression);
void assigned_in_statement(AssignedSet *set, const SourceStatement *statement);
unsigned assigned_count(const AssignedSet *set, const SourceVariable *variable);
void assigned_free(AssignedSet *set);
void variables_forget(Scope *scope, const AssignedSet *set);

/* amount.c: without costs or effects. */
Amount amount_of(const Scope *scope, const SourceExpression *expression);
Amount amount_number(const Scope *scope, double number);
Amount amount_floor(const Scope *scope, Amount value);
Amount amount_ceil(const Scope *scope, Amount value);
Amount amount_add(const Scope *scope, Amount a, Amount b);
Amount amount_subtract(const Scope *scope, Amount a, Amount b);
Amount amount_multiply(const Scope *scope, Amount a, Amount b);
Amount amount_divide(const Scope *scope, Amount a, Amount b);
Amount amount_function(const Scope *scope, ExprFunction function, Amount a, Amount b, bool is_whole);
bool amount_is_number(Amount value, double *number);
Ordering ordering_of(const Scope *scope, const SourceExpression *condition);
/* Of two values the one that the condition chooses; a < b ? a : b is min(a, b). */
Amount amount_chosen(const Scope *scope, const Ordering *ordering, const Expr *exact, Amount yes, Amount no);
const SourceExpression *without_casts(const SourceExpression *expression);
bool operator_is(const SourceExpression *expression, const char *operator);
bool type_is_whole(CpuType type);

/* condition.c: NULL if it isn't decidable from parameters and indexes. */
const Expr *probability_of(const Scope *scope, const SourceExpression *condition);
/* The same, else a named parameter, 1/2 by the paper's rule. suffix: "" for conditionals. */
const Expr *probability_or_q(Scope *scope, const SourceExpression *condition, const char *suffix, const char *meaning);

/* expression.c: appends the operations to the block, and follows assignments. */
void emit_expression(Scope *scope, const SourceExpression *expression);
void emit_operation(Scope *scope, CpuOperation operation, CpuType type);
/* Seconds that the user must give, as an operation of this name. */
void emit_named_cost(Scope *scope, const SourcePlace *place, const char *name, const char *message);
void emit_unknown(Scope *scope, const SourceExpression *expression);

/* call.c */
void emit_call(Scope *scope, const SourceExpression *call);
Amount amount_of_call(const Scope *scope, const SourceExpression *call);
/* The sub-model of the function; false: failed, or deeper than recursion is followed. */
bool sub_make(Generator *all, const SourceFunction *function, const SourcePlace *call, MadeSub *made);

/* statement.c: the probability that it ends normally, that is, that what follows is reached. */
const Expr *emit_statement(Scope *scope, const SourceStatement *statement);
enum { ENDS_NORMALLY = 1, ENDS_BREAK = 2, ENDS_CONTINUE = 4, ENDS_RETURN = 8 };
unsigned ends_of(const SourceStatement *statement);

const Expr *emit_list(Scope *scope, SourceStatement *const *list, size_t count);
/* What follows, reached with a probability. */
const Expr *emit_rest(Scope *scope, const Expr *reaches, SourceStatement *const *rest, size_t n_rest);
/* The branch that leaves the innermost loop, or all, is done after it with a probability. */
bool leaves_loop(const Scope *scope, const SourceStatement *branch);
void leave_loop(Scope *scope, const SourceStatement *branch, const char *condition, const char *comment,
                const Expr *probability);

/* switch.c: the same. */
const Expr *emit_switch(Scope *scope, const SourceStatement *statement);

/* loop.c: the same. */
const Expr *emit_loop(Scope *scope, const SourceStatement *statement);
/* The parts of a loop, of whichever kind. */
typedef struct LoopParts {
    const SourceExpression *condition; /* NULL: none, true */
    const SourceExpression *step;
    const SourceStatement *body;
    bool tests_last; /* do */
} LoopParts;
LoopParts loop_parts(const SourceStatement *statement);

/* induction.c: variables that each iteration changes once and by the same rule:
 * start + amount*k, start*amount^k or floor(start/amount^k), k = 0, 1, … */
typedef enum InductionKind { INDUCTION_ADD, INDUCTION_MULTIPLY, INDUCTION_DIVIDE } InductionKind;
typedef struct Induction {
    const SourceVariable *variable;
    InductionKind kind;
    Amount start, amount;
    bool in_condition; /* the loop's condition changes it */
} Induction;
typedef struct Inductions {
    size_t count;
    const Induction *items;
} Inductions;
/* scope: as before the loop. */
Inductions inductions_find(Scope *scope, const LoopParts *parts, const AssignedSet *assigned);
const Induction *induction_of(const Inductions *inductions, const SourceVariable *variable);
/* The variable's value in iteration k. */
Amount induction_value(const Scope *scope, const Induction *induction, Amount k);

/* range.c: how often a loop runs, and its index. */
typedef struct LoopRange {
    Amount count;             /* not known: neither is how often it runs */
    bool may_end_early;       /* a part of the condition isn't decidable */
    const Induction *primary; /* the index takes its values; NULL: it counts k = 0, 1, … */
    Amount limit;             /* of the primary's values; not known where from and step say all */
} LoopRange;
/* The index: a symbol. Its value in the iteration, from which those of inductions follow. */
const Induction *index_variable(const LoopParts *parts, const Inductions *inductions);
void index_set(Scope *scope, const Inductions *inductions, const Induction *primary, const char *index);
/* scope: as before the loop, which assigns `assigned`. index: a symbol that is free. */
LoopRange range_find(Scope *scope, const LoopParts *parts, const Inductions *inductions, const Induction *primary,
                     const AssignedSet *assigned, const char *index);

/* counted.c: the seq of a body that runs so often. body: made with the index as index_set made it. may_end_early: only
 * a share of the count is run. */
PamelaNode *loop_seq(Scope *scope, const SourceStatement *statement, const LoopRange *range, const char *index,
                     PamelaNode *body);

/* bound.c: how often a comparison holds while its index goes on from start. */
typedef struct IndexProgress {
    const char *index; /* its symbol */
    InductionKind kind;
    Amount start, amount;
} IndexProgress;
typedef struct Bound {
    Amount count, limit; /* iterations, or not known; the last value that the index may have, as far as it's a number */
    bool is_always;      /* it holds whatever the index */
} Bound;
Bound bound_of(const Scope *scope, const SourceExpression *comparison, const IndexProgress *progress);

#endif
