/* SPDX-License-Identifier: BSD-3-Clause */
/* See endings.h. A function that calls such a function may be such a function, too, so the search
 * goes on until it finds no more. */
#include "cost/source/program/endings.h"

#include "cost/source/program/syntax.h"

#include <string.h>

static void mark_expression(SourceExpression *expression, const char *function)
{
    if (!expression)
        return;
    if (expression->kind == SOURCE_CALL && expression->name && strcmp(expression->name, function) == 0)
        expression->never_returns = true;
    for (size_t i = 0; i < expression->n_operands; i++)
        mark_expression(expression->operands[i], function);
}

static void mark_statement(SourceStatement *statement, const char *function)
{
    if (!statement)
        return;
    for (size_t i = 0; i < statement->n_expressions; i++)
        mark_expression(statement->expressions[i], function);
    for (size_t i = 0; i < statement->n_children; i++)
        mark_statement(statement->children[i], function);
}

void endings_find(SourceProgram *program)
{
    bool *is_marked = calloc(program->n_functions + 1, sizeof *is_marked);
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (size_t i = 0; i < program->n_functions; i++) {
            const SourceFunction *function = &program->functions[i];
            if (is_marked[i] || ends_of(function->body) != ENDS_NEVER)
                continue;
            is_marked[i] = is_new = true;
            for (size_t j = 0; j < program->n_functions; j++)
                mark_statement(program->functions[j].body, function->name);
        }
    }
    free(is_marked);
}
