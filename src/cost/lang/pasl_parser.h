/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files that read PASL share. Private to cost/lang. */
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
    VEC(PaslBinding) arguments, values; /* of the batch that is being read */
} PaslParser;

/* `batch NAME { … }`, the word being taken. */
bool pasl_read_batch(PaslParser *parser, Err *err);

/* `NAME = EXPRESSION` on one line, or without a value if that may be. */
bool pasl_read_value(PaslParser *parser, PaslBinding *binding, Err *err);

/* A word or a quoted text that names something. */
bool pasl_read_name(PaslParser *parser, const char *expected, Token *token, const char **name, Err *err);

/* Every name in an expression is a parameter, or one of these; NULL ends. */
bool pasl_check_names(PaslParser *parser, const Expr *expr, unsigned line, unsigned column, const char *const *others,
                      Err *err);

/* Batches into an order that the flow allows, with whom each waits for. */
bool pasl_order_batches(PaslParser *parser, PaslBatch *ordered, Err *err);
