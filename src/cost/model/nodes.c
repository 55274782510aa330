/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of PAMELA nodes and of everything that they call. Each sub-model is examined once. */
#include "cost/model/walk.h"

#include <string.h>

static const SubFacts *facts_of(Walk *walk, const PamelaNode *call)
{
    const PamelaSub *sub = pamela_find(walk->model, call->name);
    SubFacts *facts = &walk->facts[sub - walk->model->subs];
    if (!facts->is_known) {
        facts->is_local = walk_is_local(walk, sub->body);
        facts->is_parallel = walk_is_parallel(walk, sub->body);
        facts->is_known = true;
    }
    return facts;
}

bool walk_is_local(Walk *walk, const PamelaNode *node)
{
    if (node->kind == PAMELA_SEND || node->kind == PAMELA_USE || node->processor)
        return false;
    for (size_t i = 0; i < node->n_children; i++)
        if (node->children[i] && !walk_is_local(walk, node->children[i]))
            return false;
    return node->kind != PAMELA_CALL || facts_of(walk, node)->is_local;
}

bool walk_is_parallel(Walk *walk, const PamelaNode *node)
{
    if (node->kind == PAMELA_PAR || node->kind == PAMELA_PARALLEL)
        return true;
    for (size_t i = 0; i < node->n_children; i++)
        if (node->children[i] && walk_is_parallel(walk, node->children[i]))
            return true;
    return node->kind == PAMELA_CALL && facts_of(walk, node)->is_parallel;
}

static bool has(const Expr *expr, const char *name)
{
    return expr && expr_has_symbol(expr, name);
}

/* Whether the node uses the name to choose a processor. An argument of a call may do that, so any
 * use in an argument counts. */
bool walk_names_processor(Walk *walk, const PamelaNode *node, const char *name)
{
    if (has(node->processor, name) || (node->kind == PAMELA_SEND && (has(node->from, name) || has(node->to, name))))
        return true;
    if (node->kind == PAMELA_CALL && !facts_of(walk, node)->is_local)
        for (size_t i = 0; i < node->n_arguments; i++)
            if (has(node->arguments[i], name))
                return true;
    bool is_hidden = (node->kind == PAMELA_SEQ || node->kind == PAMELA_PAR) && strcmp(node->name, name) == 0;
    for (size_t i = 0; i < node->n_children && !is_hidden; i++)
        if (node->children[i] && walk_names_processor(walk, node->children[i], name))
            return true;
    return false;
}
