/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions: what each is made of, and which part of the reader knows it. */
#include "cost/source/java/tree.h"

#include <math.h>

SourceExpression *java_new(JavaReader *reader, TSNode node, SourceExpressionKind kind, JavaType type)
{
    SourceExpression *expression = arena_alloc(reader->arena, sizeof *expression);
    expression->kind = kind;
    expression->place = java_place(reader, node);
    expression->text = java_short_text(reader, node);
    expression->type = java_cpu_type(type);
    expression->value = NAN;
    return expression;
}

SourceExpression *java_like(JavaReader *reader, const SourceExpression *like, SourceExpressionKind kind, JavaType type)
{
    SourceExpression *expression = arena_alloc(reader->arena, sizeof *expression);
    expression->kind = kind;
    expression->place = like->place;
    expression->text = like->text;
    expression->type = java_cpu_type(type);
    expression->value = NAN;
    return expression;
}

void java_operands(JavaReader *reader, SourceExpression *expression, Expressions *operands)
{
    SourceExpression **items = arena_new_array(reader->arena, SourceExpression *, operands->count);
    for (size_t i = 0; i < operands->count; i++)
        items[i] = operands->items[i];
    expression->operands = items;
    expression->n_operands = operands->count;
    vec_free(operands);
}

SourceExpression *java_use(JavaReader *reader, TSNode node, const JavaVariable *variable)
{
    bool is_number = variable->is_final && java_is_primitive(variable->type) && !isnan(variable->variable.value);
    SourceExpression *use = java_new(reader, node, is_number ? SOURCE_NUMBER : SOURCE_VARIABLE, variable->type);
    if (is_number)
        use->value = variable->variable.value;
    else
        use->variable = &variable->variable;
    return use;
}

/* The second's value, when the first has been computed, too. */
SourceExpression *java_pair(JavaReader *reader, SourceExpression *first, SourceExpression *second)
{
    if (!first || first->kind == SOURCE_NUMBER || first->kind == SOURCE_TEXT)
        return second;
    SourceExpression *pair = java_like(reader, second, SOURCE_COMMA, java_primitive(JAVA_INT));
    Expressions operands = {0};
    pair->type = second->type;
    *vec_push(&operands) = first;
    *vec_push(&operands) = second;
    java_operands(reader, pair, &operands);
    return pair;
}

static bool is_expression(TSNode node)
{
    static const char *const OTHERS[] = {
        "identifier", "this", "true", "false", "array_access", "field_access", "method_invocation", "method_reference"};
    const char *kind = ts_node_type(node);
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
        if (strcmp(OTHERS[i], kind) == 0)
            return true;
    return strstr(kind, "_expression") || strstr(kind, "_literal");
}

static void collect(JavaReader *reader, TSNode node, Expressions *found)
{
    Nodes children = java_children(node);
    for (size_t i = 0; i < children.count; i++)
        if (is_expression(children.items[i]))
            *vec_push(found) = java_expression(reader, children.items[i]).expression;
        else
            collect(reader, children.items[i], found);
    vec_free(&children);
}

JavaValue java_unknown(JavaReader *reader, TSNode node)
{
    SourceExpression *expression = java_new(reader, node, SOURCE_UNKNOWN, java_primitive(JAVA_UNKNOWN));
    Expressions operands = {0};
    expression->name = expression->text;
    collect(reader, node, &operands);
    java_operands(reader, expression, &operands);
    return java_guess(reader, expression);
}

SourceExpression *java_condition(JavaReader *reader, TSNode node)
{
    return java_to(reader, java_expression(reader, node), java_primitive(JAVA_BOOLEAN));
}

static JavaValue text(JavaReader *reader, TSNode node)
{
    TSNode interpolated = java_child(node, "string_interpolation");
    if (!ts_node_is_null(interpolated))
        return java_unknown(reader, node);
    JavaType type = java_reference("String");
    return (JavaValue){java_new(reader, node, SOURCE_TEXT, type), type};
}

static JavaValue class_literal(JavaReader *reader, TSNode node)
{
    JavaType type = java_reference("Class");
    return (JavaValue){java_new(reader, node, SOURCE_TEXT, type), type};
}

static JavaValue inner(JavaReader *reader, TSNode node)
{
    Nodes children = java_children(node);
    JavaValue value = children.count ? java_expression(reader, children.items[0]) : java_unknown(reader, node);
    vec_free(&children);
    return value;
}

static JavaValue element(JavaReader *reader, TSNode node)
{
    JavaValue array = java_expression(reader, java_part(node, "array"));
    JavaValue index = java_expression(reader, java_part(node, "index"));
    JavaType type = java_element(array.type);
    SourceExpression *expression = java_new(reader, node, SOURCE_ELEMENT, type);
    Expressions operands = {0};
    *vec_push(&operands) = array.expression;
    *vec_push(&operands) = java_to(reader, index, java_primitive(JAVA_INT));
    java_operands(reader, expression, &operands);
    return type.kind == JAVA_UNKNOWN ? java_guess(reader, expression) : (JavaValue){expression, type};
}

/* A test of the object's class, whose cost isn't among those known; a pattern declares what it found. */
static JavaValue instance_of(JavaReader *reader, TSNode node)
{
    JavaType type = java_primitive(JAVA_BOOLEAN);
    JavaValue object = java_expression(reader, java_part(node, "left"));
    SourceExpression *call = java_new(reader, node, SOURCE_CALL, type);
    TSNode name = java_part(node, "name"), pattern = java_part(node, "pattern");
    Expressions operands = {0};
    java_settle(reader, &object, java_reference(NULL));
    call->name = "instanceof";
    *vec_push(&operands) = object.expression;
    java_operands(reader, call, &operands);
    if (!ts_node_is_null(name))
        java_local(reader, java_text(reader, name), java_type(reader, java_part(node, "right")))->is_assigned = true;
    if (!ts_node_is_null(pattern))
        java_note(reader, &call->place, "a record pattern's components count as part of instanceof");
    return (JavaValue){call, type};
}

static const struct {
    const char *kind;
    JavaValue (*read)(JavaReader *reader, TSNode node);
} READERS[] = {
    {"identifier", java_identifier},
    {"binary_expression", java_binary},
    {"array_access", element},
    {"parenthesized_expression", inner},
    {"assignment_expression", java_assignment},
    {"update_expression", java_update},
    {"unary_expression", java_unary},
    {"method_invocation", java_call},
    {"field_access", java_field_access},
    {"cast_expression", java_cast},
    {"ternary_expression", java_ternary},
    {"this", java_this},
    {"string_literal", text},
    {"class_literal", class_literal},
    {"object_creation_expression", java_new_object},
    {"array_creation_expression", java_new_array},
    {"instanceof_expression", instance_of},
    {"lambda_expression", java_lambda},
    {"method_reference", java_method_reference},
    {"switch_expression", java_switch_value},
};

JavaValue java_expression(JavaReader *reader, TSNode node)
{
    JavaValue value;
    if (java_literal(reader, node, &value))
        return value;
    for (size_t i = 0; i < sizeof READERS / sizeof *READERS; i++)
        if (strcmp(READERS[i].kind, ts_node_type(node)) == 0)
            return READERS[i].read(reader, node);
    return java_unknown(reader, node);
}
