/* SPDX-License-Identifier: BSD-3-Clause */
/* Models whose operations are replaced by what the compiled code takes, where that is known: cycles, and what the code
 * doesn't tell, such as distant data. Source: docs/METHOD.md, section 17. */
#pragma once

#include "cost/compiled/compiled.h"
#include "cost/lang/pasl.h"
#include "cost/predict/predict.h"
#include "cost/source/mpi/processes.h"

/* Beyond which loads, stores and branches cost more. Of caches: the second one's size, or the first one's for stray
 * elements and references where operations count, and not cycles. */
typedef struct ContextLimits {
    double first_bytes, second_bytes, learnt_branches; /* as CpuCosts has them */
} ContextLimits;

/* A source and its compiled code. */
typedef struct ContextSource {
    const SourceProgram *program; /* of which models are made */
    const CompiledCode *code;
    ContextLimits limits;
    const CompiledCode *const *others; /* of further sources; NULL behind the last one, or instead of all */
} ContextSource;

/* Loops that run, and those that were matched with the compiled code. */
typedef struct ContextLoops {
    size_t n, n_compiled;
} ContextLoops;

typedef struct ContextRewritten {
    const PamelaModel *model;
    ContextLoops loops;
    size_t n_numbers;
    const PredictionNumber *numbers; /* what the counts depend on: probabilities, iterations, arguments */
} ContextRewritten;

/* Rewrites models of an application's batches, whose compiled code is simulated at once: context_begin() for each,
 * context_simulate() for all, and context_end() for each. The batch's values and arguments tell how often loops run, and
 * which sides of conditionals. */
typedef struct ContextRewrite ContextRewrite;
bool context_begin(const PaslApplication *application, size_t batch, const PamelaModel *model,
                   const ContextSource *source, const PredictOptions *how, Arena *arena, ContextRewrite **rewrite,
                   Err *err);
bool context_simulate(ContextRewrite *const *all, size_t n, Arena *arena, Err *err);
const ContextRewritten *context_end(ContextRewrite *rewrite);

/* The same for a program of several processes. */
typedef struct ContextProcesses {
    const Processes *counted;          /* its findings are also those of what compiled code doesn't ask any more */
    double bytes;                      /* that each process allocates, on the average */
    bool guesses;                      /* some probabilities are assumed */
    const ProcessesRewriter *rewriter; /* NULL: operations count */
    ContextLoops loops;
} ContextProcesses;

/* Runs through the program to count, with the costs of `how`. source->code NULL: only bytes are counted. ERR_ENVIRONMENT: operations
 * count, since the compiled code isn't known; bytes are set. */
bool context_rewrite_processes(const ProcessesOptions *how, const ContextSource *source, Arena *arena,
                               ContextProcesses *rewritten, Err *err);
