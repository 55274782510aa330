/* SPDX-License-Identifier: BSD-3-Clause */
/* AMGen: makes a PAMELA model of a source program's entry function and of all functions that it
 * calls. The model has each operation by type, loops with bounds in terms of the entry's
 * parameters, and conditionals with both sides and a probability. Source: docs/METHOD.md, section
 * 15, and the paper's figure 2. */
#pragma once

#include "cost/lang/pamela.h"
#include "cost/source/program.h"

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
    COUNT_MEAN        /* of an argument of a call */
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
    size_t n_bounds;                    /* comparisons that allow so many iterations; not all are kept */
    const SourceExpression *const *bounds;
} AnalysisCount;

typedef struct AnalysisOptions {
    /* Levels of recursions that the source doesn't count; 0: their number of calls is a parameter. */
    unsigned recursion_depth;
    /* Also counts what matters in compiled code: elements whose index data tell, bytes of allocations, and
     * steps that wait for the iteration before. */
    bool for_context;
} AnalysisOptions;

typedef struct Analysis {
    PamelaModel *model;           /* the last sub-model is the entry, with the entry's parameters */
    const SourceProgram *program; /* NULL: the model was loaded as it is */
    size_t n_findings;
    const AnalysisFinding *findings;
    size_t n_counts;
    const AnalysisCount *counts;
} Analysis;

/* Analyses a function of a program. ERR_INPUT: there is no such function. */
bool analyse_task(const SourceProgram *program, const char *entry, const AnalysisOptions *options, ExprSpace *space,
                  Arena *arena, Analysis **analysis, Err *err);

/* A function in a file. PAMELA models are loaded as they are. */
typedef struct AnalysisSource {
    const char *language; /* "c", "java", "pamela"; NULL: by the file's extension */
    const char *file;
    const char *options; /* of the compiler; NULL: none */
    const char *entry;
    const char *const *others; /* further sources of a program in C; NULL behind the last one, or instead of all */
} AnalysisSource;
bool analyse_source(const AnalysisSource *source, const AnalysisOptions *options, ExprSpace *space, Arena *arena,
                    Analysis **analysis, Err *err);
