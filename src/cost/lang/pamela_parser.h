/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files that read PAMELA share: the state of reading a text. Private to cost/lang. */
#pragma once

#include "base/vec.h"
#include "cost/lang/lexer.h"
#include "cost/lang/names.h"
#include "cost/lang/pamela.h"

/* A node that may be a call: that is known when all sub-models are. */
typedef struct PamelaMention {
    PamelaNode *node;
    size_t sub; /* that it stands in */
} PamelaMention;

typedef struct PamelaParser {
    Lexer lexer;
    Arena *arena;
    ExprSpace *space;
    const char *comment; /* of the model */
    Map parameter_names, sub_names;
    VEC(PamelaParameter *) parameters; /* each in the arena, so that places of comments stay where they are */
    VEC(PamelaSub *) subs;
    VEC(Token) sub_places;
    VEC(const char *) scope;     /* the sub-model's parameters, and the indices of the loops around */
    VEC(PamelaNode *) nodes;     /* of the blocks that are being read, the outermost first */
    VEC(PamelaMention) mentions; /* in the order of the text */
    unsigned depth;
    size_t n_nodes;
} PamelaParser;

/* unit || unit …, or one unit. The first may be a body whose comment is its owner's (NULL: its own). */
bool pamela_read_composition(PamelaParser *parser, PamelaNode *owner, PamelaNode **node, bool *is_composed, Err *err);

/* Whether a `}` was taken last, behind which no `;` need stand. */
bool pamela_ended_with_bracket(const PamelaParser *parser);

/* A statement has ended, and something else follows than could. Returns false. */
bool pamela_expected_end(PamelaParser *parser, const char *expected, Err *err);

/* A new node at a token, with the comments before it; comments behind it go to it. NULL: too many, or too deep. */
PamelaNode *pamela_new_node(PamelaParser *parser, PamelaKind kind, Token token, Err *err);

/* An expression all of whose names are known. */
bool pamela_read_expression(PamelaParser *parser, const char *expected, const Expr **expr, Err *err);

/* A count, if there is one, and the name of an operation or sub-model with what belongs to it. */
bool pamela_read_operation(PamelaParser *parser, Token token, PamelaNode **node, Err *err);

/* Whether a word can't be a name, as the language uses it itself. */
bool pamela_is_reserved(Token token);

/* Mentions of sub-models become calls; numbers of arguments and recursion. */
bool pamela_check_calls(PamelaParser *parser, Err *err);

/* Bytes of a conditional's text up to the comma before its probability, if there is one, and up to the bracket that
 * closes it. False: it isn't closed on its line. */
bool pamela_find_condition(const char *text, size_t *comma, size_t *end);
