/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses PASL flow files: an application's name, parameters, batches and flow. See pasl.h. */
#include "cost/lang/pasl.h"

#include "base/files.h"
#include "cost/lang/pasl_parser.h"

#include <string.h>

/* A value without symbols must be a number: log(0) and 10^400 are mistakes. */
static bool check_finite(const PaslParser *parser, const PaslBinding *parameter, Err *err)
{
    const char *const *names;
    Interval value;
    bool approximated;
    return expr_symbols(parser->space, parameter->value, &names) > 0 ||
           expr_evaluate(parameter->value, NULL, 0, &value, &approximated, err) ||
           err_prefix(err, "%s:%u:%u: parameter `%s`", parser->lexer.file, parameter->line, parameter->column,
                      parameter->name);
}

static bool read_parameter(PaslParser *parser, Err *err)
{
    Lexer *lexer = &parser->lexer;
    static const char *const none[] = {NULL};
    Token token = lexer_peek(lexer);
    if (!lexer_is_symbol(token))
        return lexer_expected(lexer, token, "the name of a parameter", err);
    lexer_take(lexer);
    PaslBinding parameter = {.name = lexer_name(lexer, token), .line = token.line, .column = token.column};
    if (lexer_is(token, "task") || lexer_is(token, "tasks"))
        return lexer_error(lexer, token, err, "`%s` can't be a parameter: it is %s", parameter.name,
                           parameter.name[4] ? "the number of a batch's tasks" : "the number of a task in its batch");
    if (lexer_sees(lexer, "=") &&
        (!pasl_read_value(parser, &parameter, err) ||
         !pasl_check_names(parser, parameter.value, parameter.line, parameter.column, none, err) ||
         !check_finite(parser, &parameter, err)))
        return false;
    if (parser->parameters.count >= PASL_NAMES_LIMIT)
        return lexer_error(lexer, token, err, "more than %d parameters", PASL_NAMES_LIMIT);
    if (!names_add(&parser->parameter_names, parameter.name, parser->parameters.count))
        return lexer_error(lexer, token, err, "there is a parameter `%s` already", parameter.name);
    *vec_push(&parser->parameters) = parameter;
    return true;
}

/* Reads names separated by commas. Appends their tokens. */
static bool read_batch_names(PaslParser *parser, Token *tokens, size_t limit, size_t *count, Err *err)
{
    *count = 0;
    do {
        const char *name;
        if (*count == limit)
            return lexer_error(&parser->lexer, lexer_peek(&parser->lexer), err, "more than %zu batches side by side",
                               limit);
        if (!pasl_read_name(parser, "the name of a batch", &tokens[*count], &name, err))
            return false;
        ++*count;
    } while (lexer_accept(&parser->lexer, ","));
    return true;
}

/* Reads a step of the flow: a -> b, or a, b -> c -> d. */
static bool read_flow(PaslParser *parser, Err *err)
{
    enum { SIDE_BY_SIDE = 1000 };
    Arena *arena = arena_new();
    Token *from = arena_new_array(arena, Token, SIDE_BY_SIDE), *to = arena_new_array(arena, Token, SIDE_BY_SIDE);
    size_t n_from, n_to;
    bool ok = read_batch_names(parser, from, SIDE_BY_SIDE, &n_from, err);
    if (ok && !lexer_sees(&parser->lexer, "->"))
        ok = lexer_expected(&parser->lexer, lexer_peek(&parser->lexer), "`->` and the next batch", err);
    while (ok && lexer_accept(&parser->lexer, "->")) {
        ok = read_batch_names(parser, to, SIDE_BY_SIDE, &n_to, err);
        if (ok && parser->steps.count + n_from * n_to > PASL_FLOW_LIMIT)
            ok = lexer_error(&parser->lexer, to[0], err, "the flow has more than %d steps", PASL_FLOW_LIMIT);
        for (size_t i = 0; ok && i < n_from * n_to; i++)
            *vec_push(&parser->steps) = (PaslStep){from[i / n_to], to[i % n_to]};
        Token *next = from;
        from = to;
        to = next;
        n_from = ok ? n_to : 0;
    }
    arena_free(arena);
    return ok;
}

static bool read_name_of_application(PaslParser *parser, Err *err)
{
    Token token;
    if (!lexer_accept(&parser->lexer, "application"))
        return lexer_expected(&parser->lexer, lexer_peek(&parser->lexer), "`application NAME` at the top", err);
    return pasl_read_name(parser, "the application's name", &token, &parser->name, err);
}

static bool read_items(PaslParser *parser, Err *err)
{
    Lexer *lexer = &parser->lexer;
    for (;;) {
        Token token = lexer_peek(lexer);
        bool ok;
        if (token.kind == TOKEN_END)
            break;
        if (lexer_accept(lexer, ";"))
            continue;
        if (lexer_accept(lexer, "parameter"))
            ok = read_parameter(parser, err);
        else if (lexer_accept(lexer, "batch"))
            ok = pasl_read_batch(parser, err);
        else if (lexer_accept(lexer, "flow"))
            ok = read_flow(parser, err);
        else
            ok = lexer_expected(lexer, token, "`parameter`, `batch` or `flow`", err);
        if (!ok)
            return false;
    }
    return parser->batches.count > 0 || lexer_expected(lexer, lexer_peek(lexer), "a `batch`", err);
}

static bool make_application(PaslParser *parser, PaslApplication **application, Err *err)
{
    PaslBatch *ordered = arena_new_array(parser->arena, PaslBatch, parser->batches.count);
    if (!pasl_order_batches(parser, ordered, err))
        return false;
    PaslApplication *made = arena_new_array(parser->arena, PaslApplication, 1);
    *made = (PaslApplication){.name = parser->name,
                              .file = arena_strdup(parser->arena, parser->lexer.file),
                              .space = parser->space,
                              .n_parameters = parser->parameters.count,
                              .n_batches = parser->batches.count,
                              .parameters = vec_copy(&parser->parameters, parser->arena),
                              .batches = ordered};
    *application = made;
    return true;
}

bool pasl_parse(const char *file, const char *text, Arena *arena, PaslApplication **application, Err *err)
{
    PaslParser parser = {.arena = arena, .space = expr_space_new(arena)};
    bool ok = lexer_start(&parser.lexer, file, text, arena, err) && read_name_of_application(&parser, err) &&
              read_items(&parser, err) && make_application(&parser, application, err);
    map_free(&parser.parameter_names);
    map_free(&parser.batch_names);
    vec_free(&parser.parameters);
    vec_free(&parser.batches);
    vec_free(&parser.steps);
    vec_free(&parser.arguments);
    vec_free(&parser.values);
    return ok;
}

bool pasl_load(const char *path, Arena *arena, PaslApplication **application, Err *err)
{
    const char *text;
    return files_load_text(path, arena, &text, err) && pasl_parse(path, text, arena, application, err);
}
