/* SPDX-License-Identifier: BSD-3-Clause */
/* AMGen: a source program's entry function, and all that it calls, to a PAMELA model: every operation by type, loops
 * with their bounds as expressions in the entry's parameters, conditionals with both sides and a probability. Source:
 * spec 2 §2.3, figure 2 of the paper. */
#pragma once

#include "cost/lang/pamela.h"
#include "cost/source/program.h"

/* What became a named parameter, or was approximated, and why: each is printed by `firma cost model`. */
typedef struct AnalysisFinding {
    SourcePlace place;
    const char *parameter; /* name in the model; NULL: none */
    const char *message;   /* "iterations of a while loop whose bound isn't an expression in the task's parameters" */
} AnalysisFinding;

typedef struct AnalysisOptions {
    unsigned recursion_depth; /* 0: recursion is an error that names the chain of calls */
} AnalysisOptions;

typedef struct Analysis {
    PamelaModel *model; /* its last sub-model is the entry's, with the entry's parameters */
    size_t n_findings;
    const AnalysisFinding *findings;
} Analysis;

bool analyse_task(const SourceProgram *program, const char *entry, const AnalysisOptions *options, ExprSpace *space,
                  Arena *arena, Analysis **analysis, Err *err);

/* The same from a file. */
typedef struct AnalysisSource {
    const char *language; /* "c", "java", "pamela"; NULL: by the file's extension */
    const char *file;
    const char *options; /* of the compiler; NULL: none */
    const char *entry;
} AnalysisSource;
bool analyse_source(const AnalysisSource *source, const AnalysisOptions *options, ExprSpace *space, Arena *arena,
                    Analysis **analysis, Err *err);
