/* SPDX-License-Identifier: BSD-3-Clause */
/* See targets.h. Places that hold functions are variables and fields. A search goes back from the called
 * place through all assignments, initial values and arguments of the program. */
#include "cost/source/program/targets.h"

#include "base/vec.h"
#include "cost/source/program/syntax.h"

#include <string.h>

/* A place that may hold functions: a variable with all its elements, or a field of any object. */
typedef struct Holder {
    const SourceVariable *variable; /* NULL: a field */
    const char *field;
} Holder;

typedef struct Search {
    const SourceProgram *program;
    VEC(Holder) holders;     /* all that may hold what is called */
    VEC(const char *) names; /* functions found */
} Search;

static bool holder_of(const SourceExpression *expression, Holder *holder)
{
    expression = without_casts(expression);
    switch (expression->kind) {
    case SOURCE_VARIABLE:
        *holder = (Holder){expression->variable, NULL};
        return true;
    case SOURCE_FIELD:
        *holder = (Holder){NULL, expression->name};
        return expression->name && *expression->name;
    case SOURCE_ELEMENT:
    case SOURCE_DEREFERENCE:
        return holder_of(expression->operands[0], holder);
    default:
        return false;
    }
}

static bool is_same(const Holder *a, const Holder *b)
{
    return a->variable ? a->variable == b->variable : !b->variable && strcmp(a->field, b->field) == 0;
}

static void add_name(Search *search, const char *name)
{
    for (size_t i = 0; i < search->names.count; i++)
        if (strcmp(search->names.items[i], name) == 0)
            return;
    *vec_push(&search->names) = name;
}

static void add_holder(Search *search, const Holder *holder)
{
    for (size_t i = 0; i < search->holders.count; i++)
        if (is_same(&search->holders.items[i], holder))
            return;
    *vec_push(&search->holders) = *holder;
}

/* What a value may be. */
static void add_value(Search *search, const SourceExpression *value)
{
    Holder holder;
    value = without_casts(value);
    if (value->kind == SOURCE_ADDRESS) {
        add_value(search, value->operands[0]);
    } else if (value->kind == SOURCE_CONDITIONAL) {
        add_value(search, value->operands[1]);
        add_value(search, value->operands[2]);
    } else if (value->kind == SOURCE_TEXT && value->name) {
        add_name(search, value->name);
    } else if (holder_of(value, &holder)) {
        add_holder(search, &holder);
    }
}

static void look_at(Search *search, const Holder *wanted, const SourceExpression *expression)
{
    Holder holder;
    if (!expression)
        return;
    bool assigns = expression->kind == SOURCE_ASSIGN && operator_is(expression, "=");
    if (assigns && holder_of(expression->operands[0], &holder) && is_same(&holder, wanted))
        add_value(search, expression->operands[1]);
    const SourceFunction *called = expression->kind == SOURCE_CALL && expression->name && wanted->variable
                                       ? source_find(search->program, expression->name)
                                       : NULL;
    for (size_t i = 0; called && i < called->n_parameters && i < expression->n_operands; i++)
        if (called->parameters[i] == wanted->variable)
            add_value(search, expression->operands[i]);
    for (size_t i = 0; i < expression->n_operands; i++)
        look_at(search, wanted, expression->operands[i]);
}

static void look_into(Search *search, const Holder *wanted, const SourceStatement *statement)
{
    if (!statement)
        return;
    if (statement->kind == SOURCE_DECLARE && statement->variable == wanted->variable && statement->n_expressions &&
        statement->expressions[0])
        add_value(search, statement->expressions[0]);
    for (size_t i = 0; i < statement->n_expressions; i++)
        look_at(search, wanted, statement->expressions[i]);
    for (size_t i = 0; i < statement->n_children; i++)
        look_into(search, wanted, statement->children[i]);
}

Targets targets_find(const SourceProgram *program, const SourceExpression *call, Arena *arena)
{
    Search search = {.program = program};
    Holder holder;
    if (call->name || (!call->callee && !call->n_targets))
        return (Targets){0};
    if (call->n_targets)
        return (Targets){call->n_targets, call->targets};
    if (holder_of(call->callee, &holder))
        add_holder(&search, &holder);
    for (size_t i = 0; i < search.holders.count; i++) {
        const Holder wanted = search.holders.items[i];
        for (size_t j = 0; j < program->n_functions; j++)
            look_into(&search, &wanted, program->functions[j].body);
        for (size_t j = 0; j < program->n_initials; j++)
            look_at(&search, &wanted, program->initials[j]);
    }
    Targets targets = {search.names.count, vec_copy(&search.names, arena)};
    vec_free(&search.holders);
    vec_free(&search.names);
    return targets;
}
