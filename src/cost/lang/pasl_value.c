/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses names and values, which occur in all parts of a flow file. */
#include "cost/lang/pasl_parser.h"

#include <string.h>

bool pasl_read_name(PaslParser *parser, const char *expected, Token *token, const char **name, Err *err)
{
    *token = lexer_peek(&parser->lexer);
    if (token->kind != TOKEN_WORD && !(token->kind == TOKEN_TEXT && token->length > 2))
        return lexer_expected(&parser->lexer, *token, expected, err);
    lexer_take(&parser->lexer);
    *name = lexer_name(&parser->lexer, *token);
    return true;
}

bool pasl_check_names(PaslParser *parser, const Expr *expr, unsigned line, unsigned column, const char *const *others,
                      Err *err)
{
    const char *const *names;
    size_t count = expr_symbols(parser->space, expr, &names);
    for (size_t i = 0; i < count; i++) {
        const char *const *other = others;
        while (*other && strcmp(*other, names[i]) != 0)
            other++;
        const char *shown = lexer_shown(names[i], strlen(names[i]), parser->arena);
        if (*other || names_get(&parser->parameter_names, names[i]))
            continue;
        if (strcmp(names[i], "task") == 0 || strcmp(names[i], "tasks") == 0)
            return lexer_error_at(parser->lexer.file, line, column, err, "`%s` has no meaning here", shown);
        return lexer_error_at(parser->lexer.file, line, column, err, "`%s` isn't a known parameter here", shown) ||
               err_hint(err, "declare a parameter by a line `parameter %s` before its first use", shown);
    }
    return true;
}

bool pasl_read_value(PaslParser *parser, PaslBinding *binding, Err *err)
{
    Lexer *lexer = &parser->lexer;
    if (!lexer_expect(lexer, "=", err))
        return false;
    if (!lexer_continues_line(lexer))
        return lexer_expected(lexer, lexer_peek(lexer), "a value after `=` on the same line", err);
    Token token = lexer_peek(lexer);
    binding->line = token.line;
    binding->column = token.column;
    return lexer_expression(lexer, parser->space, "a value", &binding->value, err);
}
