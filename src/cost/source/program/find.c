/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds functions of a program by name, and expressions by a test. */
#include "cost/source/program/program.h"

#include <string.h>

/* Whether `part` is the end of a name: "count" of "Pi.count", "Pi.count" of "example.Pi.count". */
static bool is_last_part(const char *whole, const char *part)
{
    size_t n = strlen(whole), length = strlen(part);
    return length < n && whole[n - length - 1] == '.' && strcmp(whole + n - length, part) == 0;
}

const SourceFunction *source_find(const SourceProgram *program, const char *name)
{
    const SourceFunction *found = NULL;
    size_t n_found = 0;
    for (size_t i = 0; i < program->n_functions; i++) {
        const SourceFunction *function = &program->functions[i];
        if (strcmp(function->name, name) == 0)
            return function;
        if (is_last_part(function->name, name)) {
            found = function;
            n_found++;
        }
    }
    return n_found == 1 ? found : NULL;
}

bool source_any_in_expression(const SourceExpression *expression, SourceTest *test, void *self)
{
    if (!expression)
        return false;
    if (test(expression, self))
        return true;
    for (size_t i = 0; i < expression->n_operands; i++)
        if (source_any_in_expression(expression->operands[i], test, self))
            return true;
    return false;
}

bool source_any_in(const SourceStatement *statement, SourceTest *test, void *self)
{
    if (!statement)
        return false;
    for (size_t i = 0; i < statement->n_expressions; i++)
        if (source_any_in_expression(statement->expressions[i], test, self))
            return true;
    for (size_t i = 0; i < statement->n_children; i++)
        if (source_any_in(statement->children[i], test, self))
            return true;
    return false;
}
