/* SPDX-License-Identifier: BSD-3-Clause */
/* PAMELA, extended: performance models as text that people read, write and edit. A model that `firma cost model` wrote
 * and one written by hand are the same thing. Grammar: docs/PAMELA.md. Source: spec 2 §2.4; van Gemund; Yero and
 * Henriques.
 *
 *     # cost of a task, and of an application of it
 *     parameter n                       # asked for by prediction; `parameter n = 1000` has a default
 *     parameter Q_points_12 = 1/2       # pi.c:12: x*x + y*y <= 1.0
 *     points(n) = {
 *       2 assign_double; access_double;  # a count (an expression) may stand before an operation
 *       seq (i = 1, n) { sum_double; if (x*x + y*y <= 1.0, Q_points_12) sum_int64 else {} }
 *     }
 *     main = par (j = 1, 100) { send[0, p](16); points[p](n); send[p, 0](8) }
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "cost/expr/expr.h"

typedef enum PamelaKind {
    PAMELA_SEQUENCE,  /* children[0] ; children[1] ; …; none: {} */
    PAMELA_PARALLEL,  /* children[0] || children[1] || … */
    PAMELA_SEQ,       /* seq (index = from, to, step) children[0] */
    PAMELA_PAR,       /* par (index = from, to) children[0] */
    PAMELA_IF,        /* if (condition, probability) children[0] else children[1] */
    PAMELA_OPERATION, /* count name[processor]: sum_double; a name that the machine model has, or a named cost:
                         unknown_printf */
    PAMELA_SEND,      /* send[from, to](bytes) */
    PAMELA_USE,       /* use(resource, t) */
    PAMELA_DELAY,     /* delay(t) */
    PAMELA_CALL       /* name[processor](arguments): a sub-model; a count may stand before it */
} PamelaKind;

typedef struct PamelaNode PamelaNode;
struct PamelaNode {
    PamelaKind kind;
    unsigned line, column;        /* 0: not from a text */
    const char *comment;          /* printed behind it, of several lines before it: "pi.c:12: loop"; NULL: none */
    const char *name;             /* index; operation; resource; sub-model; condition as text, for people */
    const Expr *from, *to, *step; /* SEQ, PAR (step 1); SEND: the two processors */
    const Expr *amount;           /* IF: probability; OPERATION, CALL: count (1 if none is written); SEND: bytes; USE,
                                     DELAY: time */
    const Expr *processor;        /* OPERATION, CALL: where; NULL: where the caller runs */
    size_t n_arguments;
    const Expr *const *arguments; /* CALL */
    size_t n_children;
    PamelaNode *const *children;
};

typedef struct PamelaParameter {
    const char *name;
    const Expr *value;   /* NULL: prediction must be given it */
    const char *comment; /* NULL: none */
    const char *place;   /* what of the source it is about: "pi.c:12"; NULL: nothing */
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
    const PamelaSub *subs; /* the last one is what the model is of, by convention `main` or the task's entry function */
} PamelaModel;

/* What a text may hold at most. */
#define PAMELA_DEPTH_LIMIT 1000    /* of nodes within nodes */
#define PAMELA_NODES_LIMIT 1000000 /* of all sub-models */
#define PAMELA_SUBS_LIMIT 10000

/* space: of the model's expressions, so that several models can share one; NULL: a new one. ERR_INPUT with file, line,
 * column and what was expected; names that aren't declared, duplicates, unknown sub-models, wrong numbers of
 * arguments, recursion (named as a chain). */
bool pamela_parse(const char *file, const char *text, ExprSpace *space, Arena *arena, PamelaModel **model, Err *err);
bool pamela_load(const char *path, ExprSpace *space, Arena *arena, PamelaModel **model, Err *err);

/* Text that pamela_parse reads as the same model; indented. A model made by a program keeps to what a text can say:
 * each name in an expression is a parameter of the model or of the sub-model, an index of a loop around, `p` (the
 * processor where the caller runs), or a machine's symbol (t_…, alpha[…], beta[…]); PARALLEL has two children or more;
 * a SEQUENCE that is the body of something else has no comment of its own, but for one behind `else`. */
const char *pamela_text(const PamelaModel *model, Arena *arena);

/* By its name, or by its place. */
bool pamela_is_named(const PamelaParameter *parameter, const char *name);
/* For people: "pi.c:12: x*x + y*y <= 1.0"; NULL: neither is there. */
const char *pamela_note(const PamelaParameter *parameter, Arena *arena);

const PamelaSub *pamela_find(const PamelaModel *model, const char *name);
