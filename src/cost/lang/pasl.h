/* SPDX-License-Identifier: BSD-3-Clause */
/* PASL-style flow files: the batches of tasks of an application, their code, data and order. The paper doesn't print
 * PASL's grammar; this is a language of our own: docs/PASL.md. Source: spec 2 §2.2.
 *
 *     application pi
 *     parameter N = 10^9
 *     batch points {
 *       language c                  # or java; by the source's extension if absent
 *       source "pi.c"  options "-O2"
 *       entry count_points          # java: Pi.countPoints
 *       tasks 100
 *       argument n = N              # in the order of the function's parameters
 *       argument seed = task        # `task` is 1 … tasks, `tasks` how many there are
 *       receives 16 bytes           # each task, from the master, before it begins
 *       returns 8 bytes
 *       Q pi.c:12 = 0.785           # probability of a conditional of the source
 *       value iterations_pi_30 = 12 # of another named parameter of the model
 *     }
 *     flow points -> sum            # sum begins when points has ended; a, b -> c for several
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "cost/expr/expr.h"

typedef struct PaslBinding {
    const char *name;
    const Expr *value;
    unsigned line, column;
} PaslBinding;

typedef struct PaslBatch {
    const char *name;
    const char *language; /* "c", "java", "pamela" (a model written by hand) */
    const char *source;   /* relative to the flow file's folder, as resolved path */
    const char *options;  /* for the compiler; "" if none */
    const char *entry;
    const Expr *tasks;
    size_t n_arguments, n_values;
    const PaslBinding *arguments; /* of the entry function, in order; in the application's parameters and `task` */
    const PaslBinding
        *values; /* of named parameters and Q's; a Q's name is as it was written: "pi.c:12" or "Q_pi_12" */
    unsigned source_line, source_column;
    const Expr *receives_bytes, *returns_bytes; /* each task; 0 if not said */
    size_t n_before;
    const uint32_t *before; /* indexes of batches that must have ended */
    unsigned line;
} PaslBatch;

typedef struct PaslApplication {
    const char *name, *file;
    ExprSpace *space;
    size_t n_parameters, n_batches;
    const PaslBinding *parameters; /* value NULL: must be given */
    const PaslBatch *batches;      /* in an order that the flow allows */
} PaslApplication;

#define PASL_BATCHES_LIMIT 10000
#define PASL_FLOW_LIMIT 100000 /* steps from a batch to another */
#define PASL_NAMES_LIMIT 10000 /* parameters */
#define PASL_VALUES_LIMIT 1000 /* arguments of a batch, and its values */

/* ERR_INPUT with file, line, column, and what was expected; a cycle is named by its batches. Sources needn't exist.
 * Expressions of a batch are in the application's parameters and in `task` alone: `tasks`, and names of arguments in
 * values and Q's, have been replaced by what they stand for. */
bool pasl_parse(const char *file, const char *text, Arena *arena, PaslApplication **application, Err *err);
bool pasl_load(const char *path, Arena *arena, PaslApplication **application, Err *err);
