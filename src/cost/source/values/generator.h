/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of the analysis of a task, and the names in its model: parameters, sub-models,
 * findings. Private to cost/source. */
#pragma once

#include "base/vec.h"
#include "cost/lang/pamela.h"
#include "cost/source/values/access.h"
#include "cost/source/values/amount.h"
#include "cost/source/values/findings.h"

/* A parameter of a sub-model for a part of a parameter of the function: m_rows for m->rows. */
typedef struct PartParameter {
    int parameter;
    const char *part, *symbol;
    Access access;
} PartParameter;

/* What a function leaves in a part of a parameter, or of what it returns. */
typedef struct PartEffect {
    int parameter; /* -1: what it returns */
    const char *part;
    Amount value; /* in terms of the function's parameters, and of their parts */
} PartEffect;
typedef struct PartEffects {
    size_t n;
    const PartEffect *items;
} PartEffects;

/* The sub-model of a function. A function that a recursive one calls has another sub-model inside of
 * that recursion, without the calls back. */
typedef struct MadeSub {
    const SourceFunction *function;
    const char *inside;  /* the active functions that it calls back */
    const char *unknown; /* parameters, and parts of them, of which nothing is known in it (decided.h) */
    const char *name;
    const char *const *names; /* [n_parameters] symbols */
    /* [n_parameters]: the cost depends on them, so they are parameters of the sub-model. */
    bool *is_used;
    Amount returned; /* in terms of all parameters; unknown if returns differ */
    size_t n_parts;
    const PartParameter *parts; /* further parameters of the sub-model */
    PartEffects effects, returned_parts;
} MadeSub;

/* A call of a function inside of a call of it. It is no part of the model; its node marks its place. */
typedef struct BackCall {
    const SourceFunction *function;
    bool is_direct; /* in the function's own body */
    PamelaNode *node;
    const Expr **arguments; /* [n_parameters]; NULL: unknown */
} BackCall;

typedef struct PlacedName {
    const char *name, *kind;
    SourcePlace place;
} PlacedName;

typedef struct ActiveCall {
    const SourceFunction *function;
    SourcePlace place; /* of the call */
    const char *name;  /* of the sub-model */
} ActiveCall;

/* Whether references in fields of this name lead to neighbours (order.h). */
typedef struct FieldOrder {
    const char *field;
    bool is_in_order;
} FieldOrder;

/* Whether a parameter leads to the same few objects in all calls (objects.h). */
typedef struct FixedObject {
    const SourceVariable *parameter;
    bool is_fixed;
} FixedObject;

typedef struct CallTable CallTable;
typedef struct Scope Scope;
typedef struct Place Place;

/* A program that is run through with known values, statement by statement (mpi/run.h), instead of
 * being modelled for all of them. Then firma also knows the values of globals and of parts of
 * variables. */
typedef struct Running Running;

/* What an expression gave when it ran: a call, or what a sequence point ends, as the left side of &&. */
typedef struct RunValue {
    Amount value;
    const Place *target; /* of a reference or structure; NULL: not followed */
    bool has_truth;
    const Expr *truth; /* as a condition; NULL: not known */
} RunValue;

/* Memory that the program has allocated. */
typedef struct Allocation Allocation;
struct Allocation {
    Allocation *next;
    const SourceExpression *expression;
    SourceVariable memory;
};

struct Running {
    Scope *scope;                    /* of the function that runs */
    const SourceVariable *arguments; /* argv; NULL: not known */
    const char **words;              /* [n_words] argv[1] and further, in their current order */
    size_t n_words;
    Allocation *allocations;
    /* NULL: the expression hasn't been run. */
    const RunValue *(*value_of)(const Running *running, const SourceExpression *expression);
    /* What stands for the address of this global: a handle of MPI; unknown: nothing. */
    Amount (*address_value)(const Running *running, const SourceVariable *variable);
    /* The value that the user gave for variables of this name. */
    Amount (*given_value)(const Running *running, const char *name);
};

/* The first failure is in *err; after that, all functions do nothing. */
typedef struct Generator Generator;
struct Generator {
    const SourceProgram *program;
    const AnalysisOptions *options;
    ExprSpace *space;
    Arena *arena;
    Err *err;
    bool failed;
    VEC(PamelaParameter) parameters;
    VEC(AnalysisFinding) findings;
    VEC(AnalysisCount) counts;
    VEC(PlacedName) names;
    VEC(PamelaSub) subs;
    VEC(MadeSub) made;
    VEC(ActiveCall) calls;
    VEC(BackCall) back_calls;
    VEC(const SourceVariable *) assigned_globals;
    VEC(FieldOrder) orders;
    VEC(FixedObject) fixed;
    CallTable *call_table; /* NULL until it is asked */
    Running *running;      /* NULL: the program is modelled */
    /* Calls back up the layers of cost/source: statements in loops and cases (statement.h), and
     * functions in calls (sub.h). */
    const Expr *(*emit_list)(Scope *scope, SourceStatement *const *list, size_t count);
    bool (*sub_make)(Generator *all, const SourceFunction *function, const SourcePlace *call, const char *unknown,
                     MadeSub *made);
};

/* How far the model has come, to make a part of it again. */
typedef struct GeneratorMark {
    size_t subs, made, parameters, findings, back_calls, counts;
} GeneratorMark;

/* NULL: there is no such sub-model yet. */
const PamelaSub *sub_find(const Generator *all, const char *name);

GeneratorMark generator_mark(const Generator *all);
void generator_return_to(Generator *all, const GeneratorMark *mark);
const char *name_made_legal(Generator *all, const char *name);
const char *name_of_place(Generator *all, const char *kind, const char *suffix, const SourcePlace *place);
const char *place_text(Generator *all, const SourcePlace *place); /* such as "pi.c:12" */
/* value NULL: the user must give the value, whatever the value was at other uses of the name. */
const Expr *parameter_make(Generator *all, const char *name, const Expr *value, const SourcePlace *place,
                           const char *comment);
AnalysisFinding *finding_add(Generator *all, const SourcePlace *place, const char *parameter, const char *message);
/* A parameter named after the place, such as Q_pi_12, with a finding. value NULL: the user must
 * give the value. */
const Expr *parameter_of_place(Generator *all, const char *kind, const char *suffix, const SourcePlace *place,
                               const Expr *value, const char *message);
/* Notes what a run must count for a parameter. */
void count_add(Generator *all, const AnalysisCount *count);
/* Whether a function calls another one, or itself, directly or through others. */
bool calls_reach(Generator *all, const SourceFunction *from, const SourceFunction *to);
/* The number of active calls of the function: its depth of recursion. */
unsigned active_calls(const Generator *all, const SourceFunction *function);
