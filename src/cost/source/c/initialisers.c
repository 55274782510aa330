/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of initial values, as the assignments that they are: one a value that is written. What's left out is cleared by
 * the compiler, at a cost that isn't counted. */
#include "cost/source/c/tree.h"

#include <math.h>

static SourceExpression *element_of(CReader *reader, CXCursor value, SourceExpression *whole, size_t index)
{
    SourceExpression *part = c_expression_new(reader, value, SOURCE_ELEMENT);
    SourceExpression *number = c_expression_new(reader, value, SOURCE_NUMBER);
    number->type = CPU_INT32;
    number->value = (double)index;
    build_two_operands(part, whole, number, reader->arena);
    return part;
}

static SourceExpression *member_of(CReader *reader, CXCursor value, SourceExpression *whole)
{
    SourceExpression *part = c_expression_new(reader, value, SOURCE_FIELD);
    part->name = "";
    build_operand(part, whole, reader->arena);
    return part;
}

static SourceExpression *assignment(CReader *reader, CXCursor value, SourceExpression *part)
{
    SourceExpression *expression = c_expression_new(reader, value, SOURCE_ASSIGN);
    expression->operator= "=";
    build_two_operands(expression, part, c_expression(reader, value), reader->arena);
    return expression;
}

/* `[3] = x` and `.a = x` come as the value behind the designators. */
static CXCursor undesignated(CReader *reader, CXCursor cursor)
{
    Cursors children = {0};
    CXCursor value = cursor;
    if (reader->clang->getCursorKind(cursor) == CXCursor_UnexposedExpr)
        children = c_children(reader, cursor);
    if (children.count > 1)
        value = children.items[children.count - 1];
    vec_free(&children);
    return value;
}

void c_initialise(CReader *reader, CXCursor list, SourceExpression *target, Expressions *assignments)
{
    const Clang *clang = reader->clang;
    bool is_structure = clang->getCanonicalType(clang->getCursorType(list)).kind == CXType_Record;
    Cursors values = c_children(reader, list);
    for (size_t i = 0; i < values.count; i++) {
        CXCursor value = undesignated(reader, values.items[i]);
        SourceExpression *part = is_structure ? member_of(reader, value, target) : element_of(reader, value, target, i);
        if (clang->getCursorKind(value) == CXCursor_InitListExpr)
            c_initialise(reader, value, part, assignments);
        else
            *vec_push(assignments) = assignment(reader, value, part);
    }
    vec_free(&values);
}

SourceExpression *c_compound_literal(CReader *reader, CXCursor cursor, CXCursor list)
{
    SourceExpression *made = c_expression_new(reader, cursor, SOURCE_VARIABLE);
    SourceExpression *expression = c_expression_new(reader, cursor, SOURCE_COMMA);
    SourceVariable *variable = arena_alloc(reader->arena, sizeof *variable);
    *variable = (SourceVariable){.name = "", .type = made->type, .value = NAN};
    made->variable = variable;
    Expressions operands = {0};
    c_initialise(reader, list, made, &operands);
    *vec_push(&operands) = made;
    build_operands(expression, &operands, reader->arena);
    return expression;
}
