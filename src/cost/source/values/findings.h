/* SPDX-License-Identifier: BSD-3-Clause */
/* What the analysis of a task finds beside its model: assumptions, and what a run must count for parameters. */
#pragma once

#include "cost/source/values/access.h"

/* Something that became a named parameter, or was approximated, and why. `firma cost model` prints
 * all findings. */
typedef struct AnalysisFinding {
    SourcePlace place;
    const char *parameter; /* the parameter's name in the model; NULL: none */
    bool leaves_out;       /* a part of the cost isn't counted */
    bool is_assumed;       /* the parameter is a probability of which nothing is known */
    const char *message;   /* "mean iterations each time the loop is reached; …" */
} AnalysisFinding;

/* What tells a parameter's value in a run. */
typedef enum CountKind {
    COUNT_TRUE,       /* how often the condition holds, of all times that it is tested */
    COUNT_EXITS,      /* how often a side of the condition is taken, each time the loop is reached */
    COUNT_CASES,      /* how often the switch jumps to the case */
    COUNT_CASE_EXITS, /* the same, each time the loop is reached */
    COUNT_ITERATIONS, /* of the loop, each time it is reached */
    COUNT_SHARE,      /* of the iterations that the loop's condition allows, those that run */
    COUNT_CALLS,      /* of the function, each time it is called from elsewhere */
    COUNT_MEAN        /* of an argument of a call, of a part of one, or of the length of a text */
} CountKind;

/* What a run must count for a parameter. A parameter may stand for several such things: those that one macro holds. */
typedef struct AnalysisCount {
    const char *parameter;
    CountKind kind;
    SourcePlace place;                  /* of the parameter */
    const SourceExpression *expression; /* the condition, or the call */
    const SourceExpression *around;     /* of which the condition is an operand; NULL: it is the statement's own */
    const SourceStatement *statement;   /* with the condition, the switch, or the loop */
    const SourceStatement *loop;        /* that is left */
    const SourceFunction *function;     /* that is called */
    size_t index;                       /* of the side, case or argument */
    bool is_part;                       /* of the argument, as its access says */
    Access access;
    bool is_text;    /* the length of the text that the library's function reads */
    size_t n_bounds; /* comparisons that allow so many iterations; not all are kept */
    const SourceExpression *const *bounds;
} AnalysisCount;

typedef struct AnalysisOptions {
    /* Levels of recursions that the source doesn't count; 0: their number of calls is a parameter. */
    unsigned recursion_depth;
    /* Also counts what matters in compiled code: elements whose index data tell, bytes of allocations, and
     * steps that wait for the iteration before. */
    bool for_context;
} AnalysisOptions;
