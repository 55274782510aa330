/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of initial values, as the assignments that they are: one a value that is written. What's left out is cleared by
 * the compiler, at a cost that isn't counted. */
#include "cost/analyse/c/tree.h"

static SourceExpression *element_of(CReader *reader, CXCursor value, SourceExpression *whole, size_t index)
{
    SourceExpression *part = c_expression_new(reader, value, SOURCE_ELEMENT);
    SourceExpression *number = c_expression_new(reader, value, SOURCE_NUMBER);
    Expressions operands = {0};
    number->type = CPU_INT32;
    number->value = (double)index;
    *vec_push(&operands) = whole;
    *vec_push(&operands) = number;
    c_operands(reader, part, &operands);
    return part;
}

static SourceExpression *member_of(CReader *reader, CXCursor value, SourceExpression *whole)
{
    SourceExpression *part = c_expression_new(reader, value, SOURCE_FIELD);
    Expressions operands = {0};
    part->name = "";
    *vec_push(&operands) = whole;
    c_operands(reader, part, &operands);
    return part;
}

static void assign(CReader *reader, CXCursor value, SourceExpression *part, Statements *statements)
{
    SourceStatement *statement = c_statement_new(reader, value, SOURCE_EXPRESSION);
    SourceExpression *assignment = c_expression_new(reader, value, SOURCE_ASSIGN);
    Expressions operands = {0}, expressions = {0};
    assignment->operator= "=";
    *vec_push(&operands) = part;
    *vec_push(&operands) = c_expression(reader, value);
    c_operands(reader, assignment, &operands);
    *vec_push(&expressions) = assignment;
    c_statement_expressions(reader, statement, &expressions);
    *vec_push(statements) = statement;
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

void c_initialise(CReader *reader, CXCursor list, SourceExpression *target, Statements *statements)
{
    const Clang *clang = reader->clang;
    bool is_structure = clang->getCanonicalType(clang->getCursorType(list)).kind == CXType_Record;
    Cursors values = c_children(reader, list);
    for (size_t i = 0; i < values.count; i++) {
        CXCursor value = undesignated(reader, values.items[i]);
        SourceExpression *part = is_structure ? member_of(reader, value, target) : element_of(reader, value, target, i);
        if (clang->getCursorKind(value) == CXCursor_InitListExpr)
            c_initialise(reader, value, part, statements);
        else
            assign(reader, value, part, statements);
    }
    vec_free(&values);
}
