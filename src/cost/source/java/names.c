/* SPDX-License-Identifier: BSD-3-Clause */
/* What names stand for: variables, fields, classes (JLS 6.5). */
#include "cost/source/java/tree.h"

#include <ctype.h>

/* A variable that nothing in the sources declares: one a name, so that it's the same wherever it's used. */
static JavaValue stranger(JavaReader *reader, TSNode node, const char *name)
{
    JavaVariable *variable = NULL;
    for (size_t i = 0; i < reader->strangers.count && !variable; i++)
        if (strcmp(reader->strangers.items[i]->variable.name, name) == 0)
            variable = reader->strangers.items[i];
    if (!variable) {
        variable = java_variable(reader, name, java_primitive(JAVA_UNKNOWN));
        variable->variable.is_global = variable->is_assigned = true;
        *vec_push(&reader->strangers) = variable;
    }
    return java_guess(reader, java_use(reader, node, variable));
}

static SourceExpression *self(JavaReader *reader, TSNode node)
{
    SourceExpression *use = java_new(reader, node, SOURCE_VARIABLE, java_reference("Object"));
    use->variable = &reader->scope->owner->self->variable;
    return use;
}

JavaValue java_this(JavaReader *reader, TSNode node)
{
    return (JavaValue){self(reader, node), java_reference(reader->scope->owner->full_name)};
}

/* object NULL: this. */
JavaValue java_field_of(JavaReader *reader, TSNode node, JavaVariable *field, SourceExpression *object)
{
    java_read_constant(reader, field);
    SourceExpression *use = java_use(reader, node, field);
    if (field->is_static || use->kind == SOURCE_NUMBER)
        return (JavaValue){java_pair(reader, object, use), field->type};
    SourceExpression *access = java_new(reader, node, SOURCE_FIELD, field->type);
    Expressions operands = {0};
    access->name = field->variable.name;
    *vec_push(&operands) = object ? object : self(reader, node);
    java_operands(reader, access, &operands);
    return (JavaValue){access, field->type};
}

JavaValue java_identifier(JavaReader *reader, TSNode node)
{
    const char *name = java_text(reader, node);
    JavaVariable *variable = java_find_variable(reader, name);
    if (!variable)
        return stranger(reader, node, name);
    if (variable->owner)
        return java_field_of(reader, node, variable, NULL);
    SourceExpression *use = java_use(reader, node, variable);
    return variable->type.kind == JAVA_UNKNOWN ? java_guess(reader, use) : (JavaValue){use, variable->type};
}

/* "java.util" */
static bool is_package(JavaReader *reader, TSNode node)
{
    const char *text = java_text(reader, node);
    for (const char *c = text; *c; c++)
        if (isupper((unsigned char)*c) || strchr("()[] ", *c))
            return false;
    while (java_is(node, "field_access"))
        node = java_part(node, "object");
    return java_is(node, "identifier") && !java_find_variable(reader, java_text(reader, node));
}

/* "Entry", not "MAX_VALUE". */
static bool looks_like_class(const char *name)
{
    bool has_small = false;
    for (const char *c = name; *c; c++)
        has_small |= islower((unsigned char)*c) != 0;
    return isupper((unsigned char)*name) && (has_small || !name[1]);
}

const char *java_class_named(JavaReader *reader, TSNode node)
{
    if (java_is(node, "identifier")) {
        const char *name = java_text(reader, node);
        bool is_class = !java_find_variable(reader, name) &&
                        (isupper((unsigned char)*name) || java_find_class(reader, name) != NULL);
        return is_class ? name : NULL;
    }
    if (!java_is(node, "field_access"))
        return NULL;
    TSNode object = java_part(node, "object");
    const char *name = java_text(reader, java_part(node, "field"));
    if (is_package(reader, object))
        return isupper((unsigned char)*name) ? name : NULL;
    const char *outer = java_class_named(reader, object);
    JavaClass *owner = outer ? java_find_class(reader, outer) : NULL;
    double value;
    JavaType type;
    if (!outer || (owner && java_find_field(reader, owner, name)) || java_library_constant(outer, name, &value, &type))
        return NULL;
    return looks_like_class(name) ? name : NULL;
}

static JavaValue static_field(JavaReader *reader, TSNode node, const char *owner_name, const char *name)
{
    JavaClass *owner = java_find_class(reader, owner_name);
    JavaVariable *field = owner ? java_find_field(reader, owner, name) : NULL;
    double value;
    JavaType type;
    if (field)
        return java_field_of(reader, node, field, NULL);
    const char *full_name = arena_printf(reader->arena, "%s.%s", owner_name, name);
    if (!java_library_constant(owner_name, name, &value, &type))
        return stranger(reader, node, full_name);
    if (type.kind != JAVA_REFERENCE) {
        SourceExpression *number = java_new(reader, node, SOURCE_NUMBER, type);
        number->value = value;
        return (JavaValue){number, type};
    }
    JavaValue use = stranger(reader, node, full_name);
    use.type = type;
    reader->guesses.items[reader->guesses.count - 1].is_settled = true;
    return use;
}

static JavaValue array_length(JavaReader *reader, TSNode node, JavaValue array)
{
    SourceExpression *length = java_new(reader, node, SOURCE_LENGTH, java_primitive(JAVA_INT));
    Expressions operands = {0};
    *vec_push(&operands) = array.expression;
    java_operands(reader, length, &operands);
    return (JavaValue){length, java_primitive(JAVA_INT)};
}

/* Of an object whose class isn't known. */
static JavaValue unknown_field(JavaReader *reader, TSNode node, const char *name, JavaValue object)
{
    SourceExpression *access = java_new(reader, node, SOURCE_FIELD, java_primitive(JAVA_UNKNOWN));
    Expressions operands = {0};
    java_settle(reader, &object, java_reference(NULL));
    access->name = name;
    *vec_push(&operands) = object.expression;
    java_operands(reader, access, &operands);
    return java_guess(reader, access);
}

JavaValue java_field_access(JavaReader *reader, TSNode node)
{
    TSNode object_node = java_part(node, "object");
    const char *name = java_text(reader, java_part(node, "field"));
    if (strcmp(name, "this") == 0)
        return (JavaValue){self(reader, node), java_reference(java_text(reader, object_node))};
    const char *class_name = java_class_named(reader, object_node);
    if (class_name)
        return static_field(reader, node, class_name, name);
    bool is_super = java_is(object_node, "super");
    JavaValue object = is_super ? java_this(reader, object_node) : java_expression(reader, object_node);
    if (strcmp(name, "length") == 0 && object.type.dimensions)
        return array_length(reader, node, object);
    JavaClass *owner = object.type.dimensions ? NULL : java_find_class(reader, object.type.name);
    JavaVariable *field = owner ? java_find_field(reader, owner, name) : NULL;
    return field ? java_field_of(reader, node, field, object.expression) : unknown_field(reader, node, name, object);
}
