/* SPDX-License-Identifier: BSD-3-Clause */
/* Words, signs and quoted texts of the languages in this folder, with places; comments (# and // to the end of the
 * line); and errors that say what was expected and what was found. Private to cost/lang. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "cost/expr/expr.h"

/* A text to parse is at most so long. */
#define LANGUAGE_BYTES_LIMIT (64u << 20)

typedef enum TokenKind {
    TOKEN_END,
    TOKEN_WORD,   /* letters, digits, _, $, and dots between these; doesn't begin with a digit */
    TOKEN_NUMBER, /* what begins with a digit, for messages: expressions read their own numbers */
    TOKEN_TEXT,   /* "…", on one line */
    TOKEN_SIGN    /* "||", "->", or one character */
} TokenKind;

typedef struct Token {
    TokenKind kind;
    const char *start; /* in the text; a quoted text with its quotes */
    size_t length;
    unsigned line, column;
} Token;

typedef struct Lexer {
    const char *file;
    Arena *arena;
    const char *text; /* as given */
    const char *code; /* the same with blanks instead of comments */
    size_t at;
    unsigned line, column; /* of `at`; columns are characters */
    unsigned taken_line;   /* where what was taken last ended */
    /* Comments as they are passed: one behind something on its line goes to *slot, any other to `leading`. */
    bool keeps_comments;
    const char **slot; /* NULL: to `leading` */
    const char *leading;
} Lexer;

/* ERR_INPUT: too long. */
bool lexer_start(Lexer *lexer, const char *file, const char *text, Arena *arena, Err *err);

/* The next token, after blanks and comments; taking it moves on. */
Token lexer_peek(Lexer *lexer);
Token lexer_take(Lexer *lexer);

/* Whether the next token is this word or sign; accepting takes it if so. */
bool lexer_sees(Lexer *lexer, const char *what);
bool lexer_accept(Lexer *lexer, const char *what);
bool lexer_expect(Lexer *lexer, const char *what, Err *err);

/* All that stands up to a blank or one of the ends: for file names; or a quoted text. */
bool lexer_bare(Lexer *lexer, const char *ends, const char *expected, Token *token, const char **value, Err *err);

/* Whether the next token stands on the line where what was taken last ended. */
bool lexer_continues_line(Lexer *lexer);

/* The name that a word is, or the content of a quoted text, in the arena. */
const char *lexer_name(const Lexer *lexer, Token token);

/* Whether a word can be a name in expressions: letters without accents, digits, _. */
bool lexer_is_symbol(Token token);

/* An expression; `expected` says what it's for. */
bool lexer_expression(Lexer *lexer, ExprSpace *space, const char *expected, const Expr **expr, Err *err);

/* What of the text is between two offsets, without blanks at its ends. */
const char *lexer_between(const Lexer *lexer, size_t from, size_t to);

/* Takes all up to an offset. */
void lexer_move(Lexer *lexer, size_t to);

/* Joins a comment to those that are there. */
void lexer_add_comment(Arena *arena, const char **slot, const char *comment);
/* At the start: the comments before the first empty line, if nothing else stands there, which are passed; or NULL. */
const char *lexer_take_heading(Lexer *lexer);
/* The comments that stand before what comes next; none are left. */
const char *lexer_take_leading(Lexer *lexer);

/* "FILE:LINE:COLUMN: expected …, found …". All return false. */
bool lexer_expected(const Lexer *lexer, Token found, const char *expected, Err *err);
bool lexer_error(const Lexer *lexer, Token where, Err *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool lexer_error_at(const char *file, unsigned line, unsigned column, Err *err, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* A piece of the text as a message may show it: control characters as \xNN, at most 40 bytes. */
const char *lexer_shown(const char *start, size_t length, Arena *arena);

/* Bytes of a quoted text or character with its quotes; 0: the quote isn't closed on its line. */
size_t lexer_quoted_length(const char *text);

/* Text in quotes as the lexer reads it again. */
const char *lexer_quoted(const char *text, Arena *arena);

static inline bool lexer_is(Token token, const char *what)
{
    return token.kind != TOKEN_TEXT && __builtin_strlen(what) == token.length &&
           __builtin_memcmp(token.start, what, token.length) == 0;
}
