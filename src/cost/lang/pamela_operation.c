/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses PAMELA's operations and calls with their counts, and expressions whose names must be
 * known. */
#include "cost/lang/pamela_parser.h"

#include <string.h>

PamelaNode *pamela_new_node(PamelaParser *parser, PamelaKind kind, Token token, Err *err)
{
    if (++parser->n_nodes > PAMELA_NODES_LIMIT) {
        lexer_error(&parser->lexer, token, err, "the model has more than %d nodes", PAMELA_NODES_LIMIT);
        return NULL;
    }
    PamelaNode *node = arena_new_array(parser->arena, PamelaNode, 1);
    *node = (PamelaNode){
        .kind = kind, .line = token.line, .column = token.column, .comment = lexer_take_leading(&parser->lexer)};
    parser->lexer.slot = &node->comment;
    return node;
}

bool pamela_is_reserved(Token token)
{
    static const char *const words[] = {"parameter", "seq", "par", "if", "else", "send", "use", "delay"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (lexer_is(token, words[i]))
            return true;
    return false;
}

/* Always known: times of operations, costs of messages, and the processor `p`. */
static bool is_of_machine(const char *name)
{
    return strcmp(name, "p") == 0 || strncmp(name, "t_", 2) == 0 || strncmp(name, "alpha[", 6) == 0 ||
           strncmp(name, "beta[", 5) == 0;
}

static bool is_known(const PamelaParser *parser, const char *name)
{
    for (size_t i = 0; i < parser->scope.count; i++)
        if (strcmp(parser->scope.items[i], name) == 0)
            return true;
    return is_of_machine(name) || names_get(&parser->parameter_names, name);
}

bool pamela_read_expression(PamelaParser *parser, const char *expected, const Expr **expr, Err *err)
{
    Token token = lexer_peek(&parser->lexer);
    if (!lexer_expression(&parser->lexer, parser->space, expected, expr, err))
        return false;
    const char *const *names;
    size_t count = expr_symbols(parser->space, *expr, &names);
    for (size_t i = 0; i < count; i++)
        if (!is_known(parser, names[i]))
            return lexer_error(&parser->lexer, token, err, "`%s` is neither a parameter nor an index here",
                               lexer_shown(names[i], strlen(names[i]), parser->arena)) ||
                   err_hint(err, "declare a parameter by a line `parameter %s` before its first use",
                            lexer_shown(names[i], strlen(names[i]), parser->arena));
    return true;
}

bool pamela_read_amount(PamelaParser *parser, const char *expected, const Expr **amount, Err *err)
{
    Token token = lexer_peek(&parser->lexer);
    double value;
    if (!pamela_read_expression(parser, expected, amount, err))
        return false;
    return !expr_is_number(*amount, &value) || value >= 0 ||
           lexer_error(&parser->lexer, token, err, "%s is below 0", expected);
}

static bool is_function(Token token)
{
    static const char *const names[] = {"floor", "ceil", "max", "min", "pow",  "sqrt",     "log",     "log2",
                                        "exp",   "abs",  "mod", "sum", "step", "harmonic", "largest", "group"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (lexer_is(token, names[i]))
            return true;
    return false;
}

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t\r\n\f\v");
}

/* Skips a balanced pair of brackets, if the text begins with one. */
static const char *skip_brackets(const char *text, char opening, char closing)
{
    unsigned depth = 0;
    const char *at = text;
    if (*text != opening)
        return text;
    do {
        depth += *at == opening;
        depth -= *at == closing;
        at++;
    } while (depth && *at);
    return depth ? text : skip_blanks(at);
}

/* `n sum_double` begins with a count; `n;` and `points(n);` don't. */
static bool begins_count(const PamelaParser *parser, Token token)
{
    if (token.kind == TOKEN_NUMBER || lexer_is(token, "(") || lexer_is(token, "-"))
        return true;
    if (token.kind != TOKEN_WORD || (!is_function(token) && !is_known(parser, lexer_name(&parser->lexer, token))))
        return false;
    const char *after = skip_blanks(token.start + token.length);
    after = skip_brackets(skip_brackets(after, '[', ']'), '(', ')');
    return *after && !strchr(";}|", *after) && strncmp(after, "else", 4) != 0;
}

static bool read_processor(PamelaParser *parser, PamelaNode *node, Err *err)
{
    if (!lexer_accept(&parser->lexer, "["))
        return true;
    return lexer_expression(&parser->lexer, parser->space, "a processor", &node->processor, err) &&
           lexer_expect(&parser->lexer, "]", err);
}

static bool read_arguments(PamelaParser *parser, PamelaNode *node, Err *err)
{
    VEC(const Expr *) arguments = {0};
    bool ok = true;
    if (!lexer_accept(&parser->lexer, "("))
        return true;
    node->kind = PAMELA_CALL;
    while (ok && !lexer_accept(&parser->lexer, ")")) {
        const Expr *argument;
        ok = pamela_read_expression(parser, "an argument", &argument, err);
        if (ok)
            *vec_push(&arguments) = argument;
        if (ok && !lexer_sees(&parser->lexer, ")") && !lexer_accept(&parser->lexer, ","))
            ok = lexer_expected(&parser->lexer, lexer_peek(&parser->lexer), "`,` or `)`", err);
    }
    node->n_arguments = arguments.count;
    node->arguments = vec_copy(&arguments, parser->arena);
    vec_free(&arguments);
    return ok;
}

bool pamela_read_operation(PamelaParser *parser, Token token, PamelaNode **node, Err *err)
{
    PamelaNode *made = pamela_new_node(parser, PAMELA_OPERATION, token, err);
    if (!made)
        return false;
    bool has_count = begins_count(parser, token);
    made->amount = expr_integer(parser->space, 1);
    if (has_count && !pamela_read_amount(parser, "a count", &made->amount, err))
        return false;
    Token name = lexer_peek(&parser->lexer);
    if (name.kind != TOKEN_WORD || pamela_is_reserved(name))
        return lexer_expected(&parser->lexer, name,
                              has_count ? "the name of an operation or of a sub-model after the count"
                                        : "an operation, a sub-model, seq, par, if, send, use, delay or `{`",
                              err);
    lexer_take(&parser->lexer);
    made->name = lexer_name(&parser->lexer, name);
    if (!read_processor(parser, made, err) || !read_arguments(parser, made, err))
        return false;
    *vec_push(&parser->mentions) = (PamelaMention){made, parser->subs.count};
    *node = made;
    return true;
}
