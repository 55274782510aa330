/* SPDX-License-Identifier: BSD-3-Clause */
/* Conversions that Java makes by itself (JLS 5): casts between numbers where the machine has something to do, a field's
 * load to unbox, a call to box. Types that aren't known are what they're used as, and a note says so. */
#include "cost/source/java/tree.h"

#include <math.h>

JavaValue java_guess(JavaReader *reader, SourceExpression *expression)
{
    *vec_push(&reader->guesses) = (JavaGuess){expression, false};
    return (JavaValue){expression, java_primitive(JAVA_UNKNOWN)};
}

static void say(JavaReader *reader, const SourceExpression *expression, JavaType type)
{
    java_note(
        reader, &expression->place,
        arena_printf(reader->arena, "the type of `%s` isn't known: taken as %s", expression->text,
                     type.kind == JAVA_REFERENCE || type.dimensions ? "a reference" : java_type_text(reader, type)));
}

/* A variable is from then on what it was first used as. */
static void adopt(JavaVariable *variable, JavaType type)
{
    if (variable->type.kind != JAVA_UNKNOWN || variable->type.dimensions)
        return;
    variable->type = type;
    variable->variable.type = java_cpu_type(type);
}

/* Of a pair it's its second part's. */
void java_settle(JavaReader *reader, JavaValue *value, JavaType type)
{
    if (value->type.kind != JAVA_UNKNOWN || value->type.dimensions || type.kind == JAVA_UNKNOWN)
        return;
    value->type = type;
    SourceExpression *expression = value->expression;
    expression->type = java_cpu_type(type);
    while (expression->kind == SOURCE_COMMA && expression->n_operands) {
        expression = expression->operands[expression->n_operands - 1];
        expression->type = java_cpu_type(type);
    }
    if (expression->kind == SOURCE_VARIABLE && type.kind != JAVA_VOID)
        adopt((JavaVariable *)expression->variable, type);
    for (size_t i = reader->guesses.count; i-- > 0;)
        if (reader->guesses.items[i].expression == expression && !reader->guesses.items[i].is_settled) {
            reader->guesses.items[i].is_settled = true;
            if (type.kind != JAVA_VOID)
                say(reader, expression, type);
            return;
        }
}

void java_finish_guesses(JavaReader *reader)
{
    for (size_t i = 0; i < reader->guesses.count; i++)
        if (!reader->guesses.items[i].is_settled)
            say(reader, reader->guesses.items[i].expression, java_reference(NULL));
}

static SourceExpression *with_one(JavaReader *reader, SourceExpression *expression, SourceExpression *operand)
{
    Expressions operands = {0};
    *vec_push(&operands) = operand;
    java_operands(reader, expression, &operands);
    return expression;
}

/* The JVM computes with bytes, shorts and chars as with ints: nothing is done to widen them. */
static SourceExpression *between_numbers(JavaReader *reader, JavaValue value, JavaType type)
{
    SourceExpression *from = value.expression;
    bool is_small = value.type.kind <= JAVA_INT && type.kind <= JAVA_INT;
    bool is_free = java_cpu_type(value.type) == java_cpu_type(type) || (is_small && type.kind >= value.type.kind) ||
                   value.type.kind <= JAVA_BOOLEAN || type.kind <= JAVA_BOOLEAN;
    if (from->kind == SOURCE_NUMBER) {
        SourceExpression *number = java_like(reader, from, SOURCE_NUMBER, type);
        number->value = java_wrapped(type.kind <= JAVA_LONG ? trunc(from->value) : from->value, type.kind);
        return number;
    }
    return is_free ? from : with_one(reader, java_like(reader, from, SOURCE_CAST, type), from);
}

JavaValue java_number(JavaReader *reader, JavaValue value)
{
    JavaKind kind = java_box_kind(value.type);
    if (java_is_primitive(value.type) || value.type.kind == JAVA_UNKNOWN)
        return value;
    if (kind == JAVA_UNKNOWN) /* a type parameter's, a class that isn't known */
        return java_guess(reader, value.expression);
    SourceExpression *field = java_like(reader, value.expression, SOURCE_FIELD, java_primitive(kind));
    field->name = "value";
    return (JavaValue){with_one(reader, field, value.expression), java_primitive(kind)};
}

static SourceExpression *boxed(JavaReader *reader, JavaValue value, JavaType type)
{
    JavaKind box = java_box_kind(type);
    if (box != JAVA_UNKNOWN && box != value.type.kind)
        value = (JavaValue){between_numbers(reader, value, java_primitive(box)), java_primitive(box)};
    if (value.type.kind == JAVA_VOID)
        return value.expression;
    const char *name = arena_printf(reader->arena, "%s.valueOf", java_box_name(value.type.kind));
    SourceExpression *call = java_named_call(reader, value.expression, name, java_reference(java_box_name(box)));
    return with_one(reader, call, value.expression);
}

SourceExpression *java_to(JavaReader *reader, JavaValue value, JavaType type)
{
    if (type.kind == JAVA_UNKNOWN || type.kind == JAVA_VOID)
        return value.expression;
    if (java_is_primitive(type)) {
        JavaValue number = java_number(reader, value);
        java_settle(reader, &number, type);
        return between_numbers(reader, number, type);
    }
    java_settle(reader, &value, type);
    return java_is_primitive(value.type) ? boxed(reader, value, type) : value.expression;
}
