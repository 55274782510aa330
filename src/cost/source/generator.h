/* SPDX-License-Identifier: BSD-3-Clause */
/* The task that is analysed, and what its model names: parameters, sub-models, findings for the user. Private to the
 * folder. */
#pragma once

#include "base/vec.h"
#include "cost/source/amount.h"
#include "cost/source/analyse.h"

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

typedef struct Scope Scope;

/* What fails first is in *err; the rest then does nothing. */
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
    VEC(PlacedName) names;
    VEC(PamelaSub) subs;
    VEC(MadeSub) made;
    VEC(ActiveCall) calls;
    VEC(const SourceVariable *) assigned_globals;
    /* Where the source's recursion comes back to what stands above: statements in loops and cases (statement.h), and
     * functions in calls (sub.h). */
    const Expr *(*emit_list)(Scope *scope, SourceStatement *const *list, size_t count);
    bool (*sub_make)(Generator *all, const SourceFunction *function, const SourcePlace *call, MadeSub *made);
};

const char *name_made_legal(Generator *all, const char *name);
const char *name_of_place(Generator *all, const char *kind, const char *suffix, const SourcePlace *place);
const char *place_text(Generator *all, const SourcePlace *place); /* "pi.c:12" */
const Expr *parameter_make(Generator *all, const char *name, const Expr *value, const SourcePlace *place,
                           const char *comment);
void finding_add(Generator *all, const SourcePlace *place, const char *parameter, const char *message);
/* A parameter named after the place, Q_pi_12, with a finding that says what it is. value NULL: the user must give it.
 */
const Expr *parameter_of_place(Generator *all, const char *kind, const char *suffix, const SourcePlace *place,
                               const Expr *value, const char *message);
/* How many calls of the function are being followed. */
unsigned active_calls(const Generator *all, const SourceFunction *function);
