/* SPDX-License-Identifier: BSD-3-Clause */
/* PASL, flow files: the batches of an application's tasks, their code, their data, and their order.
 * The paper names PASL, but doesn't print its grammar. This is a language of firma's own:
 * docs/PASL.md.
 *
 *     application pi
 *     parameter N = 10^9
 *     batch points {
 *       language c                  # or java; by the source's extension if absent
 *       source "pi.c"  options "-O2"
 *       entry count_points          # java: Pi.countPoints
 *       tasks 100
 *       argument n = N              # in the order of the function's parameters
 *       argument seed = task        # `task` is 1 … tasks; `tasks` is the number of tasks
 *       argument double x[N] = zeros # an array; or ramp (0, 1, 2 …), random, random(SEED)
 *       receives 16 bytes           # each task, from the master, before it begins
 *       returns 8 bytes
 *       Q pi.c:12 = 0.785           # probability of a conditional of the source
 *       value iterations_pi_30 = 12 # of another named parameter of the model
 *       depth 8                     # levels of recursions that the source doesn't count
 *     }
 *     flow points -> sum            # sum begins when points has ended; `a, b -> c` for several */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "cost/expr/expr.h"
#include "cost/lang/pamela.h"

/* What an array holds when a task begins: zeros; 0, 1, 2 …; or random numbers, reals from 0 to 1, whole numbers below
 * the array's length. */
typedef enum PaslFill { PASL_ZEROS, PASL_RAMP, PASL_RANDOM, PASL_FILLS } PaslFill;
extern const char *const pasl_fills[];

typedef struct PaslBinding {
    const char *name;
    const Expr *value; /* of an array: its length */
    unsigned line, column;
    const char *element; /* type of an array's elements, as in the source; NULL: a number */
    PaslFill fill;
    const Expr *seed;             /* of an array */
    const PamelaCounted *counted; /* of a named parameter; NULL: the flow file gives the value */
} PaslBinding;

typedef struct PaslBatch {
    const char *name;
    const char *language; /* "c", "java", or "pamela" (a model written by hand) */
    const char *source;   /* path, resolved from the flow file's folder */
    const char *options;  /* of the compiler; "" if none */
    const char *entry;
    const Expr *tasks;
    unsigned depth; /* of recursions; 0: not given */
    size_t n_arguments, n_values;
    /* Of the entry function, in order; in terms of the application's parameters and `task`. */
    const PaslBinding *arguments;
    const PaslBinding
        /* Of named parameters and of Q's. A Q's name is as written: "pi.c:12" or "Q_pi_12". */
        *values;
    unsigned source_line, source_column;
    const Expr *receives_bytes, *returns_bytes; /* of each task; 0 if absent */
    size_t n_before;
    const uint32_t *before; /* indexes of the batches for which this one waits */
    unsigned line;
} PaslBatch;

typedef struct PaslApplication {
    const char *name, *file;
    ExprSpace *space;
    size_t n_parameters, n_batches;
    const PaslBinding *parameters; /* value NULL: must be given */
    /* Sorted so that each batch comes after those for which it waits. */
    const PaslBatch *batches;
} PaslApplication;

#define PASL_BATCHES_LIMIT 10000
#define PASL_FLOW_LIMIT 100000 /* steps from one batch to another */
#define PASL_NAMES_LIMIT 10000 /* of parameters */
#define PASL_VALUES_LIMIT 1000 /* of a batch's arguments, and of its values */
#define PASL_DEPTH_LIMIT 1000
#define PASL_ELEMENTS_LIMIT 0x7fffffff /* of an array, as in Java */

/* Parses a flow file. ERR_INPUT: syntax, or a cyclic flow; with file, line and column. Sources
 * needn't exist. Expressions of a batch depend on the application's parameters and `task` alone,
 * because `tasks` and arguments' names are replaced by their values. */
bool pasl_parse(const char *file, const char *text, Arena *arena, PaslApplication **application, Err *err);
bool pasl_load(const char *path, Arena *arena, PaslApplication **application, Err *err);

/* Checks the number of elements of an array of a task. ERR_INPUT: with the array's place. */
bool pasl_check_length(const PaslApplication *application, const PaslBinding *array, uint64_t task, double length,
                       Err *err);

/* Checks the arrays of a batch's tasks 1 … n_tasks, at most of the first million. bindings: values of the application's
 * parameters, and room for one more. */
bool pasl_check_lengths(const PaslApplication *application, const PaslBatch *batch, uint64_t n_tasks,
                        ExprBinding *bindings, size_t n_bindings, Err *err);
