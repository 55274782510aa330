/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of parsing a PASL file, and the parts of its parser. Private to cost/lang. */
#pragma once

#include "base/vec.h"
#include "cost/lang/lexer.h"
#include "cost/lang/names.h"
#include "cost/lang/pasl.h"

typedef struct PaslStep {
    Token from, to;
} PaslStep;

typedef struct PaslParser {
    Lexer lexer;
    Arena *arena;
    ExprSpace *space;
    const char *name;
    Map parameter_names, batch_names;
    VEC(PaslBinding) parameters;
    VEC(PaslBatch) batches;
    VEC(PaslStep) steps;                /* of the flow */
    VEC(PaslBinding) arguments, values; /* of the batch being read */
} PaslParser;

/* Reads `batch NAME { … }`, after the word `batch`. */
bool pasl_read_batch(PaslParser *parser, Err *err);

/* Reads `= EXPRESSION`, all on one line. */
bool pasl_read_value(PaslParser *parser, PaslBinding *binding, Err *err);

/* Reads a name: a word or a quoted text. */
bool pasl_read_name(PaslParser *parser, const char *expected, Token *token, const char **name, Err *err);

/* Fails unless each name in the expression is a parameter, or one of `others` (NULL-terminated). */
bool pasl_check_names(PaslParser *parser, const Expr *expr, unsigned line, unsigned column, const char *const *others,
                      Err *err);

/* Sorts the batches so that each comes after those for which it waits; sets these. */
bool pasl_order_batches(PaslParser *parser, PaslBatch *ordered, Err *err);
