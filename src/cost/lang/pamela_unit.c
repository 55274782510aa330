/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses PAMELA's statements by recursive descent: blocks, loops, conditionals, messages. */
#include "cost/lang/pamela_parser.h"

#include <string.h>

static bool read_unit(PamelaParser *parser, PamelaNode **node, Err *err);
static bool read_body(PamelaParser *parser, PamelaNode *owner, PamelaNode **node, Err *err);

static void set_children(PamelaParser *parser, PamelaNode *node, PamelaNode *const *children, size_t count)
{
    node->children = arena_copy_array(parser->arena, children, count, sizeof *children);
    node->n_children = count;
}

/* Moves the nodes from index `first` of the stack into the node's children. */
static void take_children(PamelaParser *parser, PamelaNode *node, size_t first)
{
    set_children(parser, node, parser->nodes.items + first, parser->nodes.count - first);
    parser->nodes.count = first;
}

bool pamela_read_composition(PamelaParser *parser, PamelaNode *owner, PamelaNode **node, bool *is_composed, Err *err)
{
    size_t first = parser->nodes.count;
    Token token = lexer_peek(&parser->lexer);
    do {
        PamelaNode *unit;
        if (!(owner ? read_body(parser, owner, &unit, err) : read_unit(parser, &unit, err)))
            return false;
        owner = NULL;
        *vec_push(&parser->nodes) = unit;
    } while (lexer_accept(&parser->lexer, "||"));
    *is_composed = parser->nodes.count - first > 1;
    *node = parser->nodes.items[first];
    if (!*is_composed) {
        parser->nodes.count = first;
        return true;
    }
    const char **slot = parser->lexer.slot, *leading = lexer_take_leading(&parser->lexer);
    PamelaNode *made = pamela_new_node(parser, PAMELA_PARALLEL, token, err);
    if (!made)
        return false;
    take_children(parser, made, first);
    parser->lexer.slot = slot;
    parser->lexer.leading = leading;
    *node = made;
    return true;
}

/* Attaches comments before a closing bracket to the last node of the block. */
static void keep_last_comments(PamelaParser *parser)
{
    const char *comments = lexer_take_leading(&parser->lexer);
    if (comments && parser->lexer.slot)
        lexer_add_comment(parser->arena, parser->lexer.slot, comments);
}

bool pamela_ended_with_bracket(const PamelaParser *parser)
{
    size_t i = parser->lexer.at;
    while (i > 0 && strchr(" \t\r\n\f\v", parser->lexer.code[i - 1]))
        i--;
    return i > 0 && parser->lexer.code[i - 1] == '}';
}

bool pamela_expected_end(PamelaParser *parser, const char *expected, Err *err)
{
    bool continues = lexer_continues_line(&parser->lexer);
    Token token = lexer_peek(&parser->lexer);
    lexer_expected(&parser->lexer, token, expected, err);
    if (continues && token.kind == TOKEN_WORD)
        err_hint(err, "if the word before `%s` is a count, declare it by a line `parameter NAME`",
                 lexer_shown(token.start, token.length, parser->arena));
    return false;
}

static bool read_items(PamelaParser *parser, Token opening, bool *is_one_composition, Err *err)
{
    size_t n_items = 0;
    bool is_composed = false;
    while (lexer_accept(&parser->lexer, ";"))
        ;
    while (!lexer_sees(&parser->lexer, "}")) {
        PamelaNode *item;
        Token token = lexer_peek(&parser->lexer);
        if (token.kind == TOKEN_END)
            return lexer_error(&parser->lexer, token, err,
                               "expected `}` for the `{` in line %u, found the end of the file", opening.line);
        if (!pamela_read_composition(parser, NULL, &item, &is_composed, err))
            return false;
        *vec_push(&parser->nodes) = item;
        n_items++;
        bool may_go_on = pamela_ended_with_bracket(parser) || lexer_sees(&parser->lexer, "}");
        while (lexer_accept(&parser->lexer, ";"))
            may_go_on = true;
        if (!may_go_on && lexer_peek(&parser->lexer).kind != TOKEN_END)
            return pamela_expected_end(parser, "`;`, `||` or `}`", err);
    }
    keep_last_comments(parser);
    *is_one_composition = n_items == 1 && is_composed;
    return true;
}

/* Brackets around `a || b` alone only group; all other brackets make a sequence. */
static bool read_block(PamelaParser *parser, PamelaNode *owner, PamelaNode **node, Err *err)
{
    Token opening = lexer_peek(&parser->lexer);
    if (owner && parser->lexer.leading)
        lexer_add_comment(parser->arena, &owner->comment, lexer_take_leading(&parser->lexer));
    PamelaNode *sequence = pamela_new_node(parser, PAMELA_SEQUENCE, opening, err);
    if (!sequence)
        return false;
    PamelaNode *holder = owner ? owner : sequence;
    parser->lexer.slot = &holder->comment;
    lexer_take(&parser->lexer);
    size_t first = parser->nodes.count;
    bool is_one_composition = false;
    if (!read_items(parser, opening, &is_one_composition, err))
        return false;
    lexer_take(&parser->lexer);
    *node = sequence;
    if (is_one_composition) {
        *node = parser->nodes.items[first];
        (*node)->comment = sequence->comment;
        holder = owner ? owner : *node;
        parser->nodes.count = first;
    } else {
        take_children(parser, sequence, first);
    }
    parser->lexer.slot = &holder->comment;
    return true;
}

/* Reads a body. If it is a block, its comment goes to `owner`; if `owner` is NULL, to the block. */
static bool read_body(PamelaParser *parser, PamelaNode *owner, PamelaNode **node, Err *err)
{
    return lexer_sees(&parser->lexer, "{") ? read_block(parser, owner, node, err) : read_unit(parser, node, err);
}

static bool read_loop(PamelaParser *parser, PamelaNode *node, Err *err)
{
    Lexer *lexer = &parser->lexer;
    Token index;
    if (parser->loops >= PAMELA_LOOPS_LIMIT)
        return lexer_error(lexer, lexer_peek(lexer), err, "loops are nested more than %d deep", PAMELA_LOOPS_LIMIT);
    if (!lexer_expect(lexer, "(", err))
        return false;
    index = lexer_peek(lexer);
    if (!lexer_is_symbol(index) || pamela_is_reserved(index))
        return lexer_expected(lexer, index, "the name of an index", err);
    lexer_take(lexer);
    node->name = lexer_name(lexer, index);
    node->step = expr_integer(parser->space, 1);
    if (!lexer_expect(lexer, "=", err) || !pamela_read_expression(parser, "the first value", &node->from, err) ||
        !lexer_expect(lexer, ",", err) || !pamela_read_expression(parser, "the last value", &node->to, err))
        return false;
    if (node->kind == PAMELA_SEQ && lexer_accept(lexer, ",")) {
        Token step = lexer_peek(lexer);
        double value;
        if (!pamela_read_expression(parser, "the step", &node->step, err))
            return false;
        if (expr_is_number(node->step, &value) && value == 0)
            return lexer_error(lexer, step, err, "the step is 0");
    }
    if (!lexer_expect(lexer, ")", err))
        return false;
    *vec_push(&parser->scope) = node->name;
    PamelaNode *body;
    parser->loops++;
    bool ok = read_body(parser, node, &body, err);
    parser->loops--;
    parser->scope.count--;
    if (ok)
        set_children(parser, node, &body, 1);
    return ok;
}

bool pamela_find_condition(const char *text, size_t *comma, size_t *end)
{
    unsigned depth = 0;
    *comma = SIZE_MAX;
    for (size_t i = 0; text[i] && text[i] != '\n'; i++) {
        size_t quoted = text[i] == '"' || text[i] == '\'' ? lexer_quoted_length(text + i) : 0;
        if (quoted)
            i += quoted - 1;
        else if (strchr("([{", text[i]))
            depth++;
        else if (depth == 0 && text[i] == ')')
            return *end = i, true;
        else if (strchr(")]}", text[i]))
            depth -= depth > 0;
        else if (depth == 0 && text[i] == ',')
            *comma = i;
    }
    return false;
}

/* A condition is any text up to the last comma before the probability; it is for people alone. */
static bool read_condition(PamelaParser *parser, PamelaNode *node, Err *err)
{
    static const char how_to_write[] = "write a conditional as: if (x > 0, 1/2) { … } else { … }";
    Lexer *lexer = &parser->lexer;
    if (!lexer_expect(lexer, "(", err))
        return false;
    size_t start = lexer->at, comma, end;
    if (!pamela_find_condition(lexer->code + start, &comma, &end))
        return lexer_error(lexer, lexer_peek(lexer), err,
                           "expected a condition, a comma, a probability and `)` on this line");
    if (comma != SIZE_MAX) {
        const char *text = lexer_between(lexer, start, start + comma);
        Token token = {.kind = TOKEN_TEXT, .start = text, .length = strlen(text)};
        if (*text == '"' && lexer_quoted_length(text) == token.length)
            text = lexer_name(lexer, token);
        node->name = *text ? text : NULL;
        lexer_move(lexer, start + comma + 1);
    }
    Token where = lexer_peek(lexer);
    double value;
    if (!pamela_read_expression(parser, "a probability", &node->amount, err))
        return comma == SIZE_MAX ? err_hint(err, "%s", how_to_write) : false;
    if (expr_is_number(node->amount, &value) && !(value >= 0 && value <= 1))
        return lexer_error(lexer, where, err, "expected a probability from 0 to 1, found %g", value);
    if (!lexer_accept(lexer, ")"))
        return lexer_expected(lexer, lexer_peek(lexer), "`)` behind the probability", err) ||
               err_hint(err, "%s", how_to_write);
    return true;
}

static bool read_if(PamelaParser *parser, PamelaNode *node, Err *err)
{
    PamelaNode *sides[2];
    if (!read_condition(parser, node, err) || !read_body(parser, node, &sides[0], err))
        return false;
    Token token = lexer_peek(&parser->lexer);
    if (lexer_accept(&parser->lexer, "else")) {
        if (!read_body(parser, NULL, &sides[1], err))
            return false;
    } else {
        const char **slot = parser->lexer.slot, *leading = lexer_take_leading(&parser->lexer);
        sides[1] = pamela_new_node(parser, PAMELA_SEQUENCE, token, err);
        if (!sides[1])
            return false;
        set_children(parser, sides[1], NULL, 0);
        parser->lexer.slot = slot;
        parser->lexer.leading = leading;
    }
    set_children(parser, node, sides, 2);
    return true;
}

static bool read_send(PamelaParser *parser, PamelaNode *node, Err *err)
{
    Lexer *lexer = &parser->lexer;
    return lexer_expect(lexer, "[", err) &&
           lexer_expression(lexer, parser->space, "the processor that sends", &node->from, err) &&
           lexer_expect(lexer, ",", err) &&
           lexer_expression(lexer, parser->space, "the processor that receives", &node->to, err) &&
           lexer_expect(lexer, "]", err) && lexer_expect(lexer, "(", err) &&
           pamela_read_amount(parser, "a number of bytes", &node->amount, err) && lexer_expect(lexer, ")", err);
}

static bool read_use(PamelaParser *parser, PamelaNode *node, Err *err)
{
    Lexer *lexer = &parser->lexer;
    if (!lexer_expect(lexer, "(", err))
        return false;
    if (node->kind == PAMELA_USE) {
        Token resource = lexer_peek(lexer);
        if (resource.kind != TOKEN_WORD && resource.kind != TOKEN_TEXT)
            return lexer_expected(lexer, resource, "the name of a resource", err);
        lexer_take(lexer);
        node->name = lexer_name(lexer, resource);
        if (!lexer_expect(lexer, ",", err))
            return false;
    }
    return pamela_read_amount(parser, "a time in seconds", &node->amount, err) && lexer_expect(lexer, ")", err);
}

static const struct {
    const char *word;
    PamelaKind kind;
    bool (*read)(PamelaParser *parser, PamelaNode *node, Err *err);
} statements[] = {{"seq", PAMELA_SEQ, read_loop},   {"par", PAMELA_PAR, read_loop}, {"if", PAMELA_IF, read_if},
                  {"send", PAMELA_SEND, read_send}, {"use", PAMELA_USE, read_use},  {"delay", PAMELA_DELAY, read_use}};

static bool read_statement(PamelaParser *parser, PamelaNode **node, Err *err)
{
    Token token = lexer_peek(&parser->lexer);
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        if (!lexer_is(token, statements[i].word))
            continue;
        PamelaNode *made = pamela_new_node(parser, statements[i].kind, token, err);
        lexer_take(&parser->lexer);
        *node = made;
        return made && statements[i].read(parser, made, err);
    }
    return pamela_read_operation(parser, token, node, err);
}

/* Reads a unit: any statement but a composition by `||`. */
static bool read_unit(PamelaParser *parser, PamelaNode **node, Err *err)
{
    Token token = lexer_peek(&parser->lexer);
    if (parser->depth >= PAMELA_DEPTH_LIMIT)
        return lexer_error(&parser->lexer, token, err, "statements are nested more than %d deep", PAMELA_DEPTH_LIMIT);
    parser->depth++;
    bool ok = lexer_is(token, "{") ? read_block(parser, NULL, node, err) : read_statement(parser, node, err);
    parser->depth--;
    return ok;
}
