/* SPDX-License-Identifier: BSD-3-Clause */
/* PAMELA, extended: performance models as text that people read, write and edit. Models that `firma
 * cost model` writes and models written by hand have the same form. Grammar: docs/PAMELA.md.
 * Source: van Gemund; Yero and Henriques (docs/METHOD.md, section 16).
 *
 *     # cost of a task, and of an application of it
 *     parameter n                      # prediction asks for it; `parameter n = 1000` has a default
 *     parameter P                      # number of workers, which prediction knows
 *     parameter Q_points_12 = 1/2      # pi.c:12: x*x + y*y <= 1.0
 *     points(n) = {
 *       2 assign_double; access_double;  # a count (an expression) may stand before an operation
 *       seq (i = 1, n) { sum_double; if (x*x + y*y <= 1.0, Q_points_12) sum_int64 else {} }
 *     }
 *     main = par (j = 1, P) { send[0, j](16); points[j](n); send[j, 0](8) } */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "cost/expr/expr.h"

typedef enum PamelaKind {
    PAMELA_SEQUENCE, /* children[0] ; children[1] ; …; {} has no children */
    PAMELA_PARALLEL, /* children[0] || children[1] || … */
    PAMELA_SEQ,      /* seq (index = from, to, step) children[0] */
    PAMELA_PAR,      /* par (index = from, to) children[0] */
    PAMELA_IF,       /* if (condition, probability) children[0] else children[1] */
    /* count name[processor]: sum_double, by the machine model's names; or a named cost,
     * unknown_printf. */
    PAMELA_OPERATION,
    PAMELA_SEND,  /* send[from, to](bytes) */
    PAMELA_USE,   /* use(resource, t) */
    PAMELA_DELAY, /* delay(t) */
    /* name[processor](arguments): a sub-model; a count may stand before the name. */
    PAMELA_CALL
} PamelaKind;

typedef struct PamelaNode PamelaNode;
struct PamelaNode {
    PamelaKind kind;
    unsigned line, column; /* 0: not from a text */
    /* "pi.c:12: loop"; NULL: none. Printed behind the node, or before it if it has several
     * lines. */
    const char *comment;
    const void *origin;           /* the part of a source that it was made from, compared by address; NULL: none */
    const char *name;             /* index; operation; resource; sub-model; text of a condition */
    const Expr *from, *to, *step; /* SEQ, PAR (step 1); SEND: the two processors */
    /* IF: probability; OPERATION, CALL: count (default 1); SEND: bytes; USE, DELAY: time. */
    const Expr *amount;
    const Expr *processor; /* OPERATION, CALL; NULL: the caller's */
    size_t n_arguments;
    const Expr *const *arguments; /* CALL */
    size_t n_children;
    PamelaNode *const *children;
};

/* The parameter of models of sources that says among how many threads OpenMP divides loops. */
#define PAMELA_THREADS "omp_threads"

/* A parameter's value that wasn't given, but counted in runs of the tasks. */
typedef struct PamelaCounted {
    const char *note; /* where it was counted */
    bool is_assumed;  /* its place wasn't reached there, so it stands for nothing */
    double low, high; /* factors: at another size, it's known to be between these times the value */
} PamelaCounted;

typedef struct PamelaParameter {
    const char *name;
    const Expr *value;            /* NULL: prediction needs a value */
    const char *comment;          /* NULL: none */
    const char *place;            /* of the source: "pi.c:12"; NULL: none */
    const PamelaCounted *counted; /* NULL: the value wasn't counted */
} PamelaParameter;

typedef struct PamelaSub {
    const char *name, *comment;
    size_t n_parameters;
    const char *const *parameters;
    PamelaNode *body;
} PamelaSub;

typedef struct PamelaModel {
    ExprSpace *space;
    const char *comment; /* at the top, before an empty line; NULL: none */
    size_t n_parameters, n_subs;
    const PamelaParameter *parameters;
    /* The model is of the last one, which is `main` or the task's entry function by convention. */
    const PamelaSub *subs;
} PamelaModel;

/* Limits of a text. */
#define PAMELA_DEPTH_LIMIT 1000    /* nested nodes */
#define PAMELA_LOOPS_LIMIT 100     /* nested loops; their sums take time in the cube of the depth */
#define PAMELA_NODES_LIMIT 1000000 /* of all sub-models together */
#define PAMELA_SUBS_LIMIT 10000

/* Parses a model. `space` holds its expressions, so that models can share one; NULL: a new space.
 * ERR_INPUT: syntax, undeclared names, duplicates, unknown sub-models, wrong numbers of arguments,
 * recursion (with the chain of calls); with file, line and column. */
bool pamela_parse(const char *file, const char *text, ExprSpace *space, Arena *arena, PamelaModel **model, Err *err);
bool pamela_load(const char *path, ExprSpace *space, Arena *arena, PamelaModel **model, Err *err);

/* Text that pamela_parse reads as the same model, indented. A model that a program makes must be
 * one that text can express:
 *
 * - Each name in an expression is a parameter of the model or the sub-model, the index of an
 *   enclosing loop, `p` (the caller's processor), or a machine's symbol (t_…, alpha[…], beta[…]).
 * - PARALLEL has at least two children.
 * - A SEQUENCE that is the body of another node has no comment, except behind `else`. */
const char *pamela_text(const PamelaModel *model, Arena *arena);

/* Whether the parameter has this name or place. */
bool pamela_is_named(const PamelaParameter *parameter, const char *name);
/* For people: "pi.c:12: x*x + y*y <= 1.0"; NULL if the parameter has neither place nor comment. */
const char *pamela_note(const PamelaParameter *parameter, Arena *arena);

const PamelaSub *pamela_find(const PamelaModel *model, const char *name);
