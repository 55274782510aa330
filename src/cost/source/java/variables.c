/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables by their names; which of them are constant is known when all functions have been read. */
#include "cost/source/java/tree.h"

#include <math.h>

JavaVariable *java_variable(JavaReader *reader, const char *name, JavaType type)
{
    JavaVariable *variable = arena_alloc(reader->arena, sizeof *variable);
    variable->variable = (SourceVariable){.name = name, .type = java_cpu_type(type), .value = NAN};
    variable->type = type;
    *vec_push(&reader->variables) = variable;
    return variable;
}

JavaVariable *java_local(JavaReader *reader, const char *name, JavaType type)
{
    JavaVariable *variable = java_variable(reader, name, type);
    *vec_push(&reader->scope->locals) = variable;
    return variable;
}

static JavaVariable *find_local(const JavaScope *scope, const char *name)
{
    for (size_t i = scope->locals.count; i-- > 0;)
        if (strcmp(scope->locals.items[i]->variable.name, name) == 0)
            return scope->locals.items[i];
    return NULL;
}

static void capture(JavaScope *scope, JavaVariable *variable)
{
    for (size_t i = 0; i < scope->captured.count; i++)
        if (scope->captured.items[i] == variable)
            return;
    *vec_push(&scope->captured) = variable;
}

/* Locals hide fields, inner scopes outer ones. A lambda gets what it uses of the method around it. */
JavaVariable *java_find_variable(JavaReader *reader, const char *name)
{
    JavaVariable *found = NULL;
    const JavaScope *at = NULL;
    for (JavaScope *scope = reader->scope; scope && !found; scope = scope->outer) {
        const JavaClass *inside = scope->outer ? scope->outer->owner : NULL;
        found = find_local(scope, name);
        at = scope;
        for (JavaClass *owner = scope->owner; owner && owner != inside && !found; owner = owner->outer)
            found = java_find_field(reader, owner, name);
    }
    for (JavaScope *scope = reader->scope; found && !found->owner && scope != at; scope = scope->outer)
        if (scope->is_lambda)
            capture(scope, found);
    return found;
}

void java_assigned(const SourceExpression *target)
{
    while (target->kind == SOURCE_CAST && target->n_operands)
        target = target->operands[0];
    if (target->kind == SOURCE_VARIABLE)
        ((JavaVariable *)target->variable)->is_assigned = true;
}

/* A field's initial value, if that's a number; in the field's own class and file. */
void java_read_constant(JavaReader *reader, JavaVariable *field)
{
    if (field->state != JAVA_NEW || !field->owner || ts_node_is_null(field->value) || !java_is_primitive(field->type) ||
        !(field->is_final || field->is_static))
        return;
    JavaScope scope = {.owner = field->owner, .file = field->owner->file, .is_static = field->is_static}, *before;
    before = reader->scope;
    reader->scope = &scope;
    field->state = JAVA_BEING_READ;
    const SourceExpression *value = java_to(reader, java_expression(reader, field->value), field->type);
    if (value->kind == SOURCE_NUMBER)
        field->variable.value = value->value;
    field->state = JAVA_READ;
    reader->scope = before;
    vec_free(&scope.locals);
    vec_free(&scope.targets);
}

void java_finish_variables(JavaReader *reader)
{
    for (size_t i = 0; i < reader->variables.count; i++) {
        JavaVariable *variable = reader->variables.items[i];
        variable->variable.is_constant = !variable->is_assigned;
        if (variable->is_assigned)
            variable->variable.value = NAN;
    }
}
