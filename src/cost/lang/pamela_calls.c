/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out which names are calls of sub-models. Checks the numbers of arguments, that no name is a
 * misspelt operation, and that no sub-model is recursive. */
#include "base/nearest.h"
#include "base/text.h"
#include "cost/lang/pamela_parser.h"
#include "model/cpu.h"

#include <string.h>

/* Whether the model or the sub-model declares a cost with this name. */
static bool is_declared(const PamelaParser *parser, const PamelaMention *mention)
{
    const PamelaSub *within = parser->subs.items[mention->sub];
    for (size_t i = 0; i < within->n_parameters; i++)
        if (strcmp(within->parameters[i], mention->node->name) == 0)
            return true;
    return names_get(&parser->parameter_names, mention->node->name);
}

static const char *const *list_operations(Arena *arena)
{
    const char **names = arena_new_array(arena, const char *, CPU_OPERATIONS *CPU_TYPES);
    for (int i = 0; i < CPU_OPERATIONS; i++)
        for (int k = 0; k < CPU_TYPES; k++)
            names[i * CPU_TYPES + k] = cpu_name((CpuOperation)i, (CpuType)k, arena);
    return names;
}

/* A model may use a cost without declaring it, such as unknown_printf. But if the name is near to
 * that of an operation, it is probably misspelt. */
static bool check_operation(PamelaParser *parser, const PamelaMention *mention, Err *err)
{
    const PamelaNode *node = mention->node;
    CpuOperation operation;
    CpuType type;
    if (cpu_find(node->name, &operation, &type) || is_declared(parser, mention) ||
        names_get(&parser->cost_names, node->name))
        return true;
    if (!parser->operations)
        parser->operations = list_operations(parser->arena);
    Nearest nearest = nearest_to(node->name);
    for (size_t i = 0; i < (size_t)CPU_OPERATIONS * CPU_TYPES; i++)
        nearest_try(&nearest, parser->operations[i]);
    if (!nearest.name)
        return names_add(&parser->cost_names, node->name, 0);
    return lexer_error_at(parser->lexer.file, node->line, node->column, err, "there is no operation `%s`",
                          node->name) ||
           err_hint(err, "did you mean `%s`? For a cost that is really called `%s`, add a line `parameter %s`",
                    nearest.name, node->name, node->name);
}

static bool check_call(PamelaParser *parser, const PamelaMention *mention, Err *err)
{
    PamelaNode *node = mention->node;
    const char *file = parser->lexer.file;
    const uint64_t *sub = names_get(&parser->sub_names, node->name);
    if (!sub && node->kind == PAMELA_OPERATION)
        return check_operation(parser, mention, err);
    if (!sub)
        return lexer_error_at(file, node->line, node->column, err, "there is no sub-model `%s`", node->name) ||
               err_hint(err, "operations have no arguments; a sub-model is defined by `%s(…) = { … }`", node->name);
    node->kind = PAMELA_CALL;
    size_t expected = parser->subs.items[*sub]->n_parameters;
    if (node->n_arguments == expected)
        return true;
    return lexer_error_at(file, node->line, node->column, err, "`%s` expects %zu argument%s, found %zu", node->name,
                          expected, expected == 1 ? "" : "s", node->n_arguments);
}

/* A path along calls. The mentions in sub-model i are mentions[first[i]] … [first[i + 1] - 1]. */
typedef struct Walk {
    const PamelaParser *parser;
    size_t *first, *next; /* [n_subs + 1]; [n_subs] the next mention to visit */
    bool *is_done;
    size_t *path, depth;
    bool *is_on_path;
} Walk;

static void enter(Walk *walk, size_t sub)
{
    walk->path[walk->depth++] = sub;
    walk->is_on_path[sub] = true;
    walk->next[sub] = walk->first[sub];
}

static bool is_recursive(const Walk *walk, size_t again, const PamelaNode *node, Err *err)
{
    Text chain = {0};
    size_t i = 0;
    while (walk->path[i] != again)
        i++;
    for (; i < walk->depth; i++)
        text_add(&chain, "%s -> ", walk->parser->subs.items[walk->path[i]]->name);
    text_add(&chain, "%s", walk->parser->subs.items[again]->name);
    lexer_error_at(walk->parser->lexer.file, node->line, node->column, err, "recursion: %.*s", (int)chain.bytes.count,
                   chain.bytes.items);
    vec_free(&chain.bytes);
    return false;
}

/* One step: enters a called sub-model, or leaves the current one. */
static bool step(Walk *walk, Err *err)
{
    size_t sub = walk->path[walk->depth - 1];
    if (walk->next[sub] == walk->first[sub + 1]) {
        walk->is_done[sub] = true;
        walk->is_on_path[sub] = false;
        walk->depth--;
        return true;
    }
    const PamelaNode *node = walk->parser->mentions.items[walk->next[sub]++].node;
    const uint64_t *called = node->kind == PAMELA_CALL ? names_get(&walk->parser->sub_names, node->name) : NULL;
    if (called && walk->is_on_path[*called])
        return is_recursive(walk, *called, node, err);
    if (called && !walk->is_done[*called])
        enter(walk, *called);
    return true;
}

static bool check_recursion(const PamelaParser *parser, Err *err)
{
    size_t n = parser->subs.count;
    Arena *arena = arena_new();
    Walk walk = {.parser = parser,
                 .first = arena_new_array(arena, size_t, n + 1),
                 .next = arena_new_array(arena, size_t, n),
                 .is_done = arena_new_array(arena, bool, n),
                 .path = arena_new_array(arena, size_t, n),
                 .is_on_path = arena_new_array(arena, bool, n)};
    for (size_t i = 0; i < parser->mentions.count; i++)
        walk.first[parser->mentions.items[i].sub + 1]++;
    for (size_t i = 0; i < n; i++)
        walk.first[i + 1] += walk.first[i];
    bool ok = true;
    for (size_t sub = 0; ok && sub < n; sub++) {
        if (!walk.is_done[sub])
            enter(&walk, sub);
        while (ok && walk.depth)
            ok = step(&walk, err);
    }
    arena_free(arena);
    return ok;
}

bool pamela_check_calls(PamelaParser *parser, Err *err)
{
    for (size_t i = 0; i < parser->mentions.count; i++)
        if (!check_call(parser, &parser->mentions.items[i], err))
            return false;
    return check_recursion(parser, err);
}
