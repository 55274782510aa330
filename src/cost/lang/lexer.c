/* SPDX-License-Identifier: BSD-3-Clause */
/* See lexer.h. Comments become blanks in a copy of the text, so that the rest of the lexer sees
 * none. */
#include "cost/lang/lexer.h"

#include "base/text.h"
#include <stdio.h>
#include <string.h>

enum { SHOWN_BYTES = 40 };

static bool begins_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

size_t lexer_quoted_length(const char *text)
{
    for (size_t i = 1; text[i] && text[i] != '\n'; i++) {
        if (text[i] == text[0])
            return i + 1;
        i += text[i] == '\\' && text[i + 1] && text[i + 1] != '\n';
    }
    return 0;
}

static bool begins_comment(const char *text)
{
    return text[0] == '#' || (text[0] == '/' && text[1] == '/');
}

static char *without_comments(const char *text, size_t length, Arena *arena)
{
    char *code = arena_strndup(arena, text, length);
    for (size_t i = 0; i < length; i++) {
        size_t quoted = code[i] == '"' || code[i] == '\'' ? lexer_quoted_length(text + i) : 0;
        if (quoted)
            i += quoted - 1;
        else if (begins_comment(text + i))
            while (text[i] && text[i] != '\n')
                code[i++] = ' ';
    }
    return code;
}

bool lexer_start(Lexer *lexer, const char *file, const char *text, Arena *arena, Err *err)
{
    size_t length = strlen(text);
    if (length > LANGUAGE_BYTES_LIMIT)
        return err_set(err, ERR_INPUT, "%s: longer than %u bytes", file, LANGUAGE_BYTES_LIMIT);
    /* A byte order mark, which some editors write. */
    size_t mark = strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    *lexer = (Lexer){.file = file,
                     .arena = arena,
                     .text = text + mark,
                     .code = without_comments(text + mark, length - mark, arena),
                     .line = 1,
                     .taken_line = 1,
                     .column = 1};
    return true;
}

static void advance(Lexer *lexer, size_t to)
{
    for (; lexer->at < to; lexer->at++) {
        if (lexer->code[lexer->at] == '\n') {
            lexer->line++;
            lexer->column = 1;
        } else {
            lexer->column += ((unsigned char)lexer->code[lexer->at] & 0xc0) != 0x80;
        }
    }
}

void lexer_move(Lexer *lexer, size_t to)
{
    advance(lexer, to);
    lexer->taken_line = lexer->line;
}

void lexer_add_comment(Arena *arena, const char **slot, const char *comment)
{
    *slot = *slot ? arena_printf(arena, "%s\n%s", *slot, comment) : comment;
}

const char *lexer_between(const Lexer *lexer, size_t from, size_t to)
{
    while (from < to && is_blank(lexer->text[from]))
        from++;
    while (to > from && is_blank(lexer->text[to - 1]))
        to--;
    return arena_strndup(lexer->arena, lexer->text + from, to - from);
}

/* Joins a comment line to those before. A limit on their length keeps joining cheap. */
static void keep_comment(Lexer *lexer, size_t from, size_t to, bool is_behind)
{
    enum { COMMENT_BYTES = 16384 };
    const char *comment = lexer_between(lexer, from + (lexer->text[from] == '#' ? 1 : 2), to);
    const char **slot = is_behind && lexer->slot ? lexer->slot : &lexer->leading;
    if (*comment && (!*slot || strlen(*slot) < COMMENT_BYTES))
        lexer_add_comment(lexer->arena, slot, comment);
}

static void skip(Lexer *lexer)
{
    const char *text = lexer->text, *code = lexer->code;
    size_t i = lexer->at;
    bool is_behind = i > 0;
    for (; is_blank(code[i]); i++) {
        if (!is_blank(text[i])) {
            size_t end = i + strcspn(text + i, "\n");
            if (lexer->keeps_comments)
                keep_comment(lexer, i, end, is_behind);
            i = end - 1;
        }
        is_behind &= code[i] != '\n';
    }
    advance(lexer, i);
}

static size_t word_length(const char *text)
{
    size_t length = 0;
    while (begins_word(text[length]) || is_digit(text[length]) ||
           (text[length] == '.' && length && begins_word(text[length + 1])))
        length++;
    return length;
}

static size_t sign_length(const char *text)
{
    return strncmp(text, "||", 2) == 0 || strncmp(text, "->", 2) == 0 ? 2 : 1;
}

Token lexer_peek(Lexer *lexer)
{
    skip(lexer);
    const char *text = lexer->code + lexer->at;
    Token token = {.start = text, .line = lexer->line, .column = lexer->column};
    if (!*text) {
        token.kind = TOKEN_END;
    } else if (begins_word(*text)) {
        token.kind = TOKEN_WORD;
        token.length = word_length(text);
    } else if (is_digit(*text)) {
        token.kind = TOKEN_NUMBER;
        while (is_digit(text[token.length]) || text[token.length] == '.' || begins_word(text[token.length]))
            token.length++;
    } else if (*text == '"' && lexer_quoted_length(text)) {
        token.kind = TOKEN_TEXT;
        token.length = lexer_quoted_length(text);
    } else {
        token.kind = TOKEN_SIGN;
        token.length = sign_length(text);
    }
    return token;
}

Token lexer_take(Lexer *lexer)
{
    Token token = lexer_peek(lexer);
    lexer_move(lexer, lexer->at + token.length);
    return token;
}

bool lexer_sees(Lexer *lexer, const char *what)
{
    return lexer_is(lexer_peek(lexer), what);
}

bool lexer_accept(Lexer *lexer, const char *what)
{
    Token token = lexer_peek(lexer);
    if (!lexer_is(token, what))
        return false;
    lexer_move(lexer, lexer->at + token.length);
    return true;
}

bool lexer_expect(Lexer *lexer, const char *what, Err *err)
{
    if (lexer_accept(lexer, what))
        return true;
    return lexer_expected(lexer, lexer_peek(lexer), arena_printf(lexer->arena, "`%s`", what), err);
}

bool lexer_bare(Lexer *lexer, const char *ends, const char *expected, Token *token, const char **value, Err *err)
{
    *token = lexer_peek(lexer);
    if (token->kind != TOKEN_TEXT)
        for (token->length = 0; token->start[token->length] && !is_blank(token->start[token->length]) &&
                                !strchr(ends, token->start[token->length]);)
            token->length++;
    if (token->kind != TOKEN_TEXT && (token->length == 0 || token->start[0] == '"'))
        return lexer_expected(lexer, lexer_peek(lexer), expected, err);
    lexer_move(lexer, lexer->at + token->length);
    *value = lexer_name(lexer, *token);
    return **value || lexer_expected(lexer, *token, expected, err);
}

bool lexer_continues_line(Lexer *lexer)
{
    Token token = lexer_peek(lexer);
    return token.kind != TOKEN_END && token.line == lexer->taken_line;
}

const char *lexer_name(const Lexer *lexer, Token token)
{
    if (token.kind != TOKEN_TEXT)
        return arena_strndup(lexer->arena, token.start, token.length);
    char *name = arena_strndup(lexer->arena, token.start + 1, token.length - 2), *to = name;
    for (const char *from = name; *from; from++) {
        from += *from == '\\' && from[1];
        *to++ = *from;
    }
    *to = '\0';
    return name;
}

const char *lexer_quoted(const char *text, Arena *arena)
{
    Text quoted = {0};
    text_repeat(&quoted, '"', 1);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            text_repeat(&quoted, '\\', 1);
        text_repeat(&quoted, *text == '\n' ? ' ' : *text, 1);
    }
    text_repeat(&quoted, '"', 1);
    return text_take(&quoted, arena);
}

bool lexer_expression(Lexer *lexer, ExprSpace *space, const char *expected, const Expr **expr, Err *err)
{
    Token token = lexer_peek(lexer);
    bool may_begin = token.kind == TOKEN_WORD || token.kind == TOKEN_NUMBER || lexer_is(token, "(") ||
                     lexer_is(token, "-") || lexer_is(token, "+") || lexer_is(token, ".");
    if (!may_begin)
        return lexer_expected(lexer, token, expected, err);
    const char *end = token.start;
    ExprPlace place = {lexer->file, token.line, token.column};
    if (!expr_parse_prefix(space, &end, &place, expr, err))
        return false;
    while (end > token.start && is_blank(end[-1])) /* leaves a comment for the next token */
        end--;
    lexer_move(lexer, (size_t)(end - lexer->code));
    return true;
}

bool lexer_is_symbol(Token token)
{
    bool ok = token.kind == TOKEN_WORD;
    for (size_t i = 0; ok && i < token.length; i++)
        ok = (begins_word(token.start[i]) || is_digit(token.start[i])) && token.start[i] != '$' &&
             (unsigned char)token.start[i] < 0x80;
    return ok;
}

const char *lexer_take_heading(Lexer *lexer)
{
    Text heading = {0};
    bool is_there = false;
    for (size_t i = 0; lexer->text[i];) {
        size_t end = i + strcspn(lexer->text + i, "\n");
        const char *line = lexer_between(lexer, i, end);
        if (begins_comment(line)) {
            const char *comment = line + (*line == '#' ? 1 : 2);
            text_add(&heading, "%s%s", heading.bytes.count ? "\n" : "", comment + strspn(comment, " \t"));
            is_there = true;
        } else if (*line) {
            break;
        } else if (is_there) {
            lexer_move(lexer, i);
            return text_take(&heading, lexer->arena);
        }
        i = end + (lexer->text[end] == '\n');
    }
    vec_free(&heading.bytes);
    return NULL;
}

const char *lexer_take_leading(Lexer *lexer)
{
    const char *leading = lexer->leading;
    lexer->leading = NULL;
    return leading;
}

const char *lexer_shown(const char *start, size_t length, Arena *arena)
{
    Text shown = {0};
    size_t most = length <= SHOWN_BYTES ? length : SHOWN_BYTES;
    /* Cuts no character in two. */
    while (most < length && ((unsigned char)start[most] & 0xc0) == 0x80)
        most--;
    for (size_t i = 0; i < most; i++) {
        unsigned char c = (unsigned char)start[i];
        if (c < 0x20 || c == 0x7f)
            text_add(&shown, "\\x%02x", c);
        else
            text_repeat(&shown, (char)c, 1);
    }
    if (most < length)
        text_add(&shown, "…");
    return text_take(&shown, arena);
}

static const char *described(const Lexer *lexer, Token token)
{
    if (token.kind == TOKEN_END)
        return "the end of the file";
    if (lexer_is(token, "\""))
        return "a quote that isn't closed on its line";
    return arena_printf(lexer->arena, "`%s`", lexer_shown(token.start, token.length, lexer->arena));
}

bool lexer_error_at(const char *file, unsigned line, unsigned column, Err *err, const char *format, ...)
{
    va_list arguments;
    char message[sizeof err->message];
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return err_set(err, ERR_INPUT, "%s:%u:%u: %s", file, line, column, message);
}

bool lexer_error(const Lexer *lexer, Token where, Err *err, const char *format, ...)
{
    va_list arguments;
    char message[sizeof err->message];
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return lexer_error_at(lexer->file, where.line, where.column, err, "%s", message);
}

bool lexer_expected(const Lexer *lexer, Token found, const char *expected, Err *err)
{
    return lexer_error(lexer, found, err, "expected %s, found %s", expected, described(lexer, found));
}
