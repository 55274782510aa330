/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of parsing a PAMELA model, and the parts of its parser. Private to cost/lang. */
#pragma once

#include "base/vec.h"
#include "cost/lang/lexer.h"
#include "cost/lang/names.h"
#include "cost/lang/pamela.h"

/* A node that may be a call; pamela_check_calls() decides that when all sub-models are known. */
typedef struct PamelaMention {
    PamelaNode *node;
    size_t sub; /* the sub-model that contains the node */
} PamelaMention;

typedef struct PamelaParser {
    Lexer lexer;
    Arena *arena;
    ExprSpace *space;
    const char *comment; /* of the model */
    Map parameter_names, sub_names;
    Map cost_names;                /* undeclared costs that aren't misspelt operations */
    const char *const *operations; /* [CPU_OPERATIONS * CPU_TYPES] names; NULL: not listed yet */
    /* In the arena, so that pointers to their comments stay valid. */
    VEC(PamelaParameter *) parameters;
    VEC(PamelaSub *) subs;
    VEC(Token) sub_places;
    /* The sub-model's parameters, and the indexes of enclosing loops. */
    VEC(const char *) scope;
    VEC(PamelaNode *) nodes;     /* children of the blocks being read, outermost first */
    VEC(PamelaMention) mentions; /* in the order of the text */
    unsigned depth, loops;
    size_t n_nodes;
} PamelaParser;

/* Reads `unit || unit …` or one unit. `owner`: the node whose body the unit is; it gets the
 * comments of a block. NULL: the block keeps its comments. */
bool pamela_read_composition(PamelaParser *parser, PamelaNode *owner, PamelaNode **node, bool *is_composed, Err *err);

/* Whether the last token was `}`, behind which `;` may be absent. */
bool pamela_ended_with_bracket(const PamelaParser *parser);

/* Reports that something unexpected follows a complete statement. Returns false. */
bool pamela_expected_end(PamelaParser *parser, const char *expected, Err *err);

/* A new node at a token. It gets the comments before the token, and those behind it. NULL: too many
 * nodes, or nested too deep. */
PamelaNode *pamela_new_node(PamelaParser *parser, PamelaKind kind, Token token, Err *err);

/* Reads an expression, all of whose names must be known. */
bool pamela_read_expression(PamelaParser *parser, const char *expected, const Expr **expr, Err *err);
/* ERR_INPUT, too: a number below 0. */
bool pamela_read_amount(PamelaParser *parser, const char *expected, const Expr **amount, Err *err);

/* Reads an operation or a call, with its count, processor and arguments. */
bool pamela_read_operation(PamelaParser *parser, Token token, PamelaNode **node, Err *err);

/* Whether the word is reserved by the language. */
bool pamela_is_reserved(Token token);

/* Turns mentions of sub-models into calls; checks numbers of arguments, and recursion. */
bool pamela_check_calls(PamelaParser *parser, Err *err);

/* Finds a condition's end: the comma before the probability, if there is one, and the closing
 * bracket. False: not closed on its line. */
bool pamela_find_condition(const char *text, size_t *comma, size_t *end);
