/* SPDX-License-Identifier: BSD-3-Clause */
/* See block.h. */
#include "cost/source/values/block.h"

#include <string.h>

PamelaNode *node_new(Generator *all, PamelaKind kind)
{
    PamelaNode *node = arena_alloc(all->arena, sizeof *node);
    node->kind = kind;
    return node;
}

void block_cost(Generator *all, Block *block, const char *name, const Expr *count)
{
    PamelaNode *node = NULL;
    for (size_t i = block->stretch; i < block->nodes.count && !node; i++)
        if (block->nodes.items[i]->kind == PAMELA_OPERATION && strcmp(block->nodes.items[i]->name, name) == 0)
            node = block->nodes.items[i];
    if (!node) {
        node = node_new(all, PAMELA_OPERATION);
        node->name = name;
        node->amount = expr_integer(all->space, 0);
        *vec_push(&block->nodes) = node;
    }
    node->amount = expr_add(all->space, node->amount, count);
}

void block_append(Block *block, PamelaNode *node)
{
    *vec_push(&block->nodes) = node;
    block->stretch = block->nodes.count;
}

PamelaNode *block_end(Generator *all, Block *block)
{
    PamelaNode *node = node_new(all, PAMELA_SEQUENCE);
    PamelaNode **children = arena_new_array(all->arena, PamelaNode *, block->nodes.count);
    for (size_t i = 0; i < block->nodes.count; i++)
        children[i] = block->nodes.items[i];
    node->children = children;
    node->n_children = block->nodes.count;
    vec_free(&block->nodes);
    return node;
}

static bool node_is_empty(const PamelaNode *node)
{
    return !node || (node->kind == PAMELA_SEQUENCE && node->n_children == 0);
}

bool node_has_symbol(const PamelaNode *node, const char *name)
{
    const Expr *own[] = {node->from, node->to, node->step, node->amount};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (own[i] && expr_has_symbol(own[i], name))
            return true;
    for (size_t i = 0; i < node->n_arguments; i++)
        if (expr_has_symbol(node->arguments[i], name))
            return true;
    for (size_t i = 0; i < node->n_children; i++)
        if (node_has_symbol(node->children[i], name))
            return true;
    return false;
}

static void append_all(Block *block, PamelaNode *node)
{
    if (node_is_empty(node))
        return;
    if (node->kind != PAMELA_SEQUENCE) {
        block_append(block, node);
        return;
    }
    for (size_t i = 0; i < node->n_children; i++)
        block_append(block, node->children[i]);
}

void block_if(Generator *all, Block *block, Condition condition, const Expr *probability, PamelaNode *node,
              PamelaNode *otherwise)
{
    double number;
    bool is_marked = all->options->for_context && condition.origin;
    if (!is_marked && expr_is_number(probability, &number) && (number <= 0 || number >= 1)) {
        append_all(block, number >= 1 ? node : otherwise);
        return;
    }
    if (node_is_empty(node) && node_is_empty(otherwise))
        return;
    PamelaNode *branch = node_new(all, PAMELA_IF);
    PamelaNode **sides = arena_new_array(all->arena, PamelaNode *, 2);
    sides[0] = node ? node : node_new(all, PAMELA_SEQUENCE);
    sides[1] = otherwise ? otherwise : node_new(all, PAMELA_SEQUENCE);
    branch->name = condition.text;
    branch->comment = condition.comment;
    branch->origin = condition.origin;
    branch->amount = probability;
    branch->children = sides;
    branch->n_children = 2;
    block_append(block, branch);
}
