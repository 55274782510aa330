/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameters that were named but on which no cost depends are no parameters of the model: conditionals without costs,
 * values that only looked as if they were needed. */
#include "cost/lang/names.h"
#include "cost/source/generate.h"

#include <string.h>

static void use_expression(ExprSpace *space, Map *used, const Expr *expr)
{
    const char *const *names;
    size_t count = expr ? expr_symbols(space, expr, &names) : 0;
    for (size_t i = 0; i < count; i++)
        names_add(used, names[i], 1);
}

static void use_node(ExprSpace *space, Map *used, const PamelaNode *node)
{
    if (node->kind == PAMELA_OPERATION)
        names_add(used, node->name, 1);
    use_expression(space, used, node->from);
    use_expression(space, used, node->to);
    use_expression(space, used, node->step);
    use_expression(space, used, node->amount);
    for (size_t i = 0; i < node->n_arguments; i++)
        use_expression(space, used, node->arguments[i]);
    for (size_t i = 0; i < node->n_children; i++)
        use_node(space, used, node->children[i]);
}

void drop_unused(Generator *all)
{
    Map used = {0};
    size_t n_parameters = 0, n_findings = 0;
    for (size_t i = 0; i < all->subs.count; i++)
        use_node(all->space, &used, all->subs.items[i].body);
    for (size_t i = 0; i < all->parameters.count; i++)
        if (names_get(&used, all->parameters.items[i].name))
            all->parameters.items[n_parameters++] = all->parameters.items[i];
    for (size_t i = 0; i < all->findings.count; i++) {
        const char *name = all->findings.items[i].parameter;
        if (!name || names_get(&used, name))
            all->findings.items[n_findings++] = all->findings.items[i];
    }
    all->parameters.count = n_parameters;
    all->findings.count = n_findings;
    map_free(&used);
}
