/* SPDX-License-Identifier: BSD-3-Clause */
/* AMGen: makes a PAMELA model of a source program's entry function and of all functions that it
 * calls. The model has each operation by type, loops with bounds in terms of the entry's
 * parameters, and conditionals with both sides and a probability. Source: docs/METHOD.md, section
 * 15, and the paper's figure 2. */
#pragma once

#include "cost/lang/pamela.h"
#include "cost/source/values/findings.h"

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
