/* SPDX-License-Identifier: BSD-3-Clause */
/* See objects.h. */
#include "cost/source/values/objects.h"

#include "cost/source/program/syntax.h"

#include <string.h>

enum { CALLS_FOLLOWED = 4 };

typedef struct Search {
    Generator *all;
    const SourceFunction *function, *caller; /* that is called; in which the search is */
    size_t parameter;
    unsigned depth; /* of calls that are followed */
    unsigned n_calls;
} Search;

static bool is_fixed(const Search *search, const SourceFunction *function, const SourceVariable *parameter);

/* Of another function, so that a recursion down a tree isn't one. */
static bool is_fixed_argument(const Search *search, const SourceExpression *argument)
{
    argument = without_casts(argument);
    if (argument->kind == SOURCE_ADDRESS) {
        const SourceExpression *object = without_casts(argument->operands[0]);
        while (object->kind == SOURCE_FIELD)
            object = without_casts(object->operands[0]);
        return object->kind == SOURCE_VARIABLE;
    }
    return argument->kind == SOURCE_VARIABLE && argument->variable->is_parameter &&
           search->caller != search->function && search->depth && is_fixed(search, search->caller, argument->variable);
}

static bool passes_another(const SourceExpression *expression, void *self)
{
    Search *search = self;
    bool is_named = expression->name && strcmp(expression->name, search->function->name) == 0;
    if (!is_named || (expression->kind != SOURCE_CALL && expression->kind != SOURCE_TEXT))
        return false;
    search->n_calls++;
    return expression->kind == SOURCE_TEXT || search->parameter >= expression->n_operands ||
           !is_fixed_argument(search, expression->operands[search->parameter]);
}

static bool is_fixed(const Search *outer, const SourceFunction *function, const SourceVariable *parameter)
{
    const SourceProgram *program = outer->all->program;
    Search search = {.all = outer->all, .function = function, .depth = outer->depth - 1};
    AssignedSet assigned = {0};
    assigned_in_statement(&assigned, function->body);
    bool is_assigned = assigned_count(&assigned, parameter) > 0;
    assigned_free(&assigned);
    while (search.parameter < function->n_parameters && function->parameters[search.parameter] != parameter)
        search.parameter++;
    if (is_assigned || search.parameter == function->n_parameters)
        return false;
    const SourceFunction *entry = outer->all->calls.count ? outer->all->calls.items[0].function : NULL;
    for (size_t i = 0; i < program->n_functions; i++) {
        search.caller = &program->functions[i];
        bool is_reached = !entry || search.caller == entry || calls_reach(outer->all, entry, search.caller);
        if (is_reached && source_any_in(search.caller->body, passes_another, &search))
            return false;
    }
    return search.n_calls > 0;
}

bool object_is_fixed(Generator *all, const SourceFunction *function, const SourceVariable *parameter)
{
    const Search search = {.all = all, .depth = CALLS_FOLLOWED};
    for (size_t i = 0; i < all->fixed.count; i++)
        if (all->fixed.items[i].parameter == parameter)
            return all->fixed.items[i].is_fixed;
    bool found = strcmp(all->program->language, "c") == 0 && is_fixed(&search, function, parameter);
    *vec_push(&all->fixed) = (FixedObject){parameter, found};
    return found;
}

static bool stores_field(const SourceExpression *expression, void *field)
{
    bool stores =
        expression->kind == SOURCE_ASSIGN || expression->kind == SOURCE_INCREMENT || expression->kind == SOURCE_ADDRESS;
    const SourceExpression *target = stores ? without_casts(expression->operands[0]) : NULL;
    return target && target->kind == SOURCE_FIELD && target->name && strcmp(target->name, field) == 0;
}

bool object_field_is_stored(const SourceFunction *function, const char *field)
{
    return source_any_in(function->body, stores_field, (void *)field);
}
