/* SPDX-License-Identifier: BSD-3-Clause */
/* Models whose operations are replaced by what the compiled code takes, where that is known: cycles, and what the code
 * doesn't tell, such as distant data. Source: docs/METHOD.md, section 17. */
#pragma once

#include "cost/compiled/compiled.h"
#include "cost/lang/pasl.h"
#include "cost/predict/predict.h"
#include "cost/source/analyse.h"

/* A source and its compiled code. */
typedef struct ContextSource {
    const SourceProgram *program; /* of which the model was made */
    const CompiledCode *code;
    double near_bytes; /* of the first cache */
} ContextSource;

typedef struct ContextRewritten {
    const PamelaModel *model;
    size_t n_loops, n_compiled; /* loops that run, and those that were matched with the compiled code */
    size_t n_numbers;
    const PredictionNumber *numbers; /* what the counts depend on: probabilities, iterations, arguments */
} ContextRewritten;

/* Rewrites the model of the application's batch with this number. The batch's values and arguments tell how often
 * loops run, and which sides of conditionals. */
bool context_rewrite(const PaslApplication *application, size_t batch, const PamelaModel *model,
                     const ContextSource *source, const PredictOptions *how, Arena *arena, ContextRewritten *rewritten,
                     Err *err);
