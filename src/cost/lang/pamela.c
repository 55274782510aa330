/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses PAMELA models: parameters and sub-models, and the checks that need all of them. See
 * pamela.h. */
#include "cost/lang/pamela.h"

#include "base/files.h"
#include "cost/lang/pamela_parser.h"

#include <string.h>

/* Reads `at "pi.c:12"`, if it follows. A sub-model may be called `at`, too. */
static void read_place(PamelaParser *parser, const char **place)
{
    Lexer *lexer = &parser->lexer;
    Token word = lexer_peek(lexer);
    const char *behind = word.start + word.length;
    if (!lexer_is(word, "at") || !lexer_quoted_length(behind + strspn(behind, " \t")))
        return;
    lexer_take(lexer);
    *place = lexer_name(lexer, lexer_take(lexer));
}

static bool read_parameter(PamelaParser *parser, Err *err)
{
    Lexer *lexer = &parser->lexer;
    PamelaParameter *parameter = arena_new_array(parser->arena, PamelaParameter, 1);
    parameter->comment = lexer_take_leading(lexer);
    lexer->slot = &parameter->comment;
    lexer_take(lexer);
    Token name = lexer_peek(lexer);
    if (!lexer_is_symbol(name) || pamela_is_reserved(name))
        return lexer_expected(lexer, name, "the name of a parameter", err);
    lexer_take(lexer);
    parameter->name = lexer_name(lexer, name);
    if (lexer_accept(lexer, "=") && !pamela_read_expression(parser, "a value", &parameter->value, err))
        return false;
    read_place(parser, &parameter->place);
    if (!names_add(&parser->parameter_names, parameter->name, parser->parameters.count))
        return lexer_error(lexer, name, err, "there is a parameter `%s` already",
                           lexer_shown(name.start, name.length, parser->arena));
    *vec_push(&parser->parameters) = parameter;
    return true;
}

static bool read_parameter_names(PamelaParser *parser, PamelaSub *sub, Err *err)
{
    Lexer *lexer = &parser->lexer;
    while (!lexer_accept(lexer, ")")) {
        Token name = lexer_peek(lexer);
        if (!lexer_is_symbol(name) || pamela_is_reserved(name))
            return lexer_expected(lexer, name, "the name of a parameter or `)`", err);
        const char *text = lexer_name(lexer, lexer_take(lexer));
        for (size_t i = 0; i < parser->scope.count; i++)
            if (strcmp(parser->scope.items[i], text) == 0)
                return lexer_error(lexer, name, err, "`%s` has two parameters `%s`", sub->name, text);
        *vec_push(&parser->scope) = text;
        if (!lexer_sees(lexer, ")") && !lexer_accept(lexer, ","))
            return lexer_expected(lexer, lexer_peek(lexer), "`,` or `)`", err);
    }
    sub->parameters = vec_copy(&parser->scope, parser->arena);
    sub->n_parameters = parser->scope.count;
    return true;
}

static bool read_sub(PamelaParser *parser, Token name, Err *err)
{
    Lexer *lexer = &parser->lexer;
    PamelaSub *sub = arena_new_array(parser->arena, PamelaSub, 1);
    PamelaNode owner = {.comment = lexer_take_leading(lexer)};
    lexer_take(lexer);
    sub->name = lexer_name(lexer, name);
    parser->scope.count = 0;
    if (lexer_accept(lexer, "(") && !read_parameter_names(parser, sub, err))
        return false;
    if (!lexer_accept(lexer, "="))
        return lexer_expected(lexer, lexer_peek(lexer), sub->parameters ? "`=`" : "`=` or `(`", err);
    if (!names_add(&parser->sub_names, sub->name, parser->subs.count))
        return lexer_error(lexer, name, err, "there is a sub-model `%s` already",
                           lexer_shown(name.start, name.length, parser->arena));
    if (parser->subs.count >= PAMELA_SUBS_LIMIT)
        return lexer_error(lexer, name, err, "more than %d sub-models", PAMELA_SUBS_LIMIT);
    lexer->slot = &owner.comment;
    bool is_composed;
    if (!pamela_read_composition(parser, &owner, &sub->body, &is_composed, err))
        return false;
    if (!pamela_ended_with_bracket(parser) && !lexer_sees(lexer, ";") && lexer_continues_line(lexer))
        return pamela_expected_end(parser, "`||` or the end of the line", err);
    bool is_block = lexer->slot == &owner.comment;
    lexer_peek(lexer); /* attaches a comment behind the closing bracket */
    sub->comment = owner.comment;
    lexer->slot = is_block ? &sub->comment : lexer->slot;
    *vec_push(&parser->subs) = sub;
    *vec_push(&parser->sub_places) = name;
    return true;
}

static bool read_model(PamelaParser *parser, Err *err)
{
    Lexer *lexer = &parser->lexer;
    parser->comment = lexer_take_heading(lexer);
    for (;;) {
        Token token = lexer_peek(lexer);
        bool ok;
        if (token.kind == TOKEN_END)
            break;
        if (lexer_accept(lexer, ";"))
            continue;
        if (lexer_is(token, "parameter"))
            ok = read_parameter(parser, err);
        else if (token.kind == TOKEN_WORD && !pamela_is_reserved(token))
            ok = read_sub(parser, token, err);
        else
            ok = lexer_expected(lexer, token, "`parameter` or the name of a sub-model", err);
        if (!ok)
            return false;
    }
    const char *comments = lexer_take_leading(lexer);
    if (comments && lexer->slot)
        lexer_add_comment(parser->arena, lexer->slot, comments);
    return parser->subs.count > 0 ||
           lexer_expected(lexer, lexer_peek(lexer), "a sub-model, such as `main = { … }`", err);
}

static PamelaModel *made_model(const PamelaParser *parser)
{
    PamelaModel *model = arena_new_array(parser->arena, PamelaModel, 1);
    PamelaParameter *parameters = arena_new_array(parser->arena, PamelaParameter, parser->parameters.count);
    PamelaSub *subs = arena_new_array(parser->arena, PamelaSub, parser->subs.count);
    for (size_t i = 0; i < parser->parameters.count; i++)
        parameters[i] = *parser->parameters.items[i];
    for (size_t i = 0; i < parser->subs.count; i++)
        subs[i] = *parser->subs.items[i];
    *model = (PamelaModel){.space = parser->space,
                           .comment = parser->comment,
                           .n_parameters = parser->parameters.count,
                           .n_subs = parser->subs.count,
                           .parameters = parameters,
                           .subs = subs};
    return model;
}

bool pamela_parse(const char *file, const char *text, ExprSpace *space, Arena *arena, PamelaModel **model, Err *err)
{
    PamelaParser parser = {.arena = arena, .space = space ? space : expr_space_new(arena)};
    bool ok = lexer_start(&parser.lexer, file, text, arena, err);
    parser.lexer.keeps_comments = true;
    ok = ok && read_model(&parser, err) && pamela_check_calls(&parser, err);
    if (ok)
        *model = made_model(&parser);
    map_free(&parser.parameter_names);
    map_free(&parser.sub_names);
    map_free(&parser.cost_names);
    vec_free(&parser.parameters);
    vec_free(&parser.subs);
    vec_free(&parser.sub_places);
    vec_free(&parser.scope);
    vec_free(&parser.nodes);
    vec_free(&parser.mentions);
    return ok;
}

bool pamela_load(const char *path, ExprSpace *space, Arena *arena, PamelaModel **model, Err *err)
{
    const char *text;
    return files_load_text(path, arena, &text, err) && pamela_parse(path, text, space, arena, model, err);
}

bool pamela_is_named(const PamelaParameter *parameter, const char *name)
{
    return strcmp(parameter->name, name) == 0 || (parameter->place && strcmp(parameter->place, name) == 0);
}

const char *pamela_note(const PamelaParameter *parameter, Arena *arena)
{
    const char *place = parameter->place, *comment = parameter->comment;
    return place && comment ? arena_printf(arena, "%s: %s", place, comment) : place ? place : comment;
}

const PamelaSub *pamela_find(const PamelaModel *model, const char *name)
{
    for (size_t i = 0; i < model->n_subs; i++)
        if (strcmp(model->subs[i].name, name) == 0)
            return &model->subs[i];
    return NULL;
}
