/* SPDX-License-Identifier: BSD-3-Clause */
/* The lexer of this folder's languages: tokens with their places; comments, from # or // to the end
 * of the line; and errors that say what was expected and what was found. Private to cost/lang. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "cost/expr/expr.h"

/* The longest text that can be parsed. */
#define LANGUAGE_BYTES_LIMIT (64u << 20)

typedef enum TokenKind {
    TOKEN_END,
    TOKEN_WORD,   /* letters, digits, _, $, and dots between these; doesn't begin with a digit */
    TOKEN_NUMBER, /* begins with a digit; for messages only, because expr_parse reads numbers */
    TOKEN_TEXT,   /* "…", on one line */
    TOKEN_SIGN    /* "||", "->", or one character */
} TokenKind;

typedef struct Token {
    TokenKind kind;
    const char *start; /* in Lexer.text; a quoted text includes its quotes */
    size_t length;
    unsigned line, column;
} Token;

typedef struct Lexer {
    const char *file;
    Arena *arena;
    const char *text; /* as given */
    const char *code; /* the same with comments replaced by blanks */
    size_t at;
    unsigned line, column; /* of `at`; columns are characters */
    unsigned taken_line;   /* line where the last taken token ended */
    /* Where comments go: a comment behind a token on the same line to *slot, any other to
     * `leading`. */
    bool keeps_comments;
    const char **slot; /* NULL: all comments go to `leading` */
    const char *leading;
} Lexer;

/* Starts at the beginning of a text. ERR_INPUT: the text is too long. */
bool lexer_start(Lexer *lexer, const char *file, const char *text, Arena *arena, Err *err);

/* lexer_peek() returns the next token, behind blanks and comments. lexer_take() also moves behind
 * it. */
Token lexer_peek(Lexer *lexer);
Token lexer_take(Lexer *lexer);

/* Whether the next token is this word or sign. lexer_accept() also takes it if so. lexer_expect()
 * fails if not. */
bool lexer_sees(Lexer *lexer, const char *what);
bool lexer_accept(Lexer *lexer, const char *what);
bool lexer_expect(Lexer *lexer, const char *what, Err *err);

/* A quoted text, or else everything up to a blank or one of the characters `ends`: for file
 * names. */
bool lexer_bare(Lexer *lexer, const char *ends, const char *expected, Token *token, const char **value, Err *err);

/* Whether the next token is on the line where the last taken token ended. */
bool lexer_continues_line(Lexer *lexer);

/* The token's name, in the arena: a word, or the content of a quoted text. */
const char *lexer_name(const Lexer *lexer, Token token);

/* Whether a word can be a name in expressions: ASCII letters, digits, _. */
bool lexer_is_symbol(Token token);

/* Parses an expression. `expected` names its purpose in errors. */
bool lexer_expression(Lexer *lexer, ExprSpace *space, const char *expected, const Expr **expr, Err *err);

/* The text between two offsets, without blanks at both ends. */
const char *lexer_between(const Lexer *lexer, size_t from, size_t to);

/* Moves to an offset. */
void lexer_move(Lexer *lexer, size_t to);

/* Joins a comment to the comments in *slot. */
void lexer_add_comment(Arena *arena, const char **slot, const char *comment);
/* At the start of a text: takes the comments before the first empty line, if only comments stand
 * there. NULL if there are none. */
const char *lexer_take_heading(Lexer *lexer);
/* Takes and clears the comments before the next token. */
const char *lexer_take_leading(Lexer *lexer);

/* All three return false with the error "FILE:LINE:COLUMN: expected …, found …" or another
 * message. */
bool lexer_expected(const Lexer *lexer, Token found, const char *expected, Err *err);
bool lexer_error(const Lexer *lexer, Token where, Err *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool lexer_error_at(const char *file, unsigned line, unsigned column, Err *err, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* A part of the text for messages: at most 40 bytes, control characters as \xNN. */
const char *lexer_shown(const char *start, size_t length, Arena *arena);

/* The length of a quoted text or character, with its quotes. 0: not closed on its line. */
size_t lexer_quoted_length(const char *text);

/* The text in quotes, as the lexer reads it. */
const char *lexer_quoted(const char *text, Arena *arena);

static inline bool lexer_is(Token token, const char *what)
{
    return token.kind != TOKEN_TEXT && __builtin_strlen(what) == token.length &&
           __builtin_memcmp(token.start, what, token.length) == 0;
}
