/* SPDX-License-Identifier: BSD-3-Clause */
/* Initialiser lists: finds out which part of the target each value is for. The compiler clears
 * omitted parts; this cost isn't counted. */
#include "cost/source/c/tree.h"

static SourceExpression *element_of(CReader *reader, CXCursor value, SourceExpression *whole, size_t index)
{
    SourceExpression *part = c_expression_new(reader, value, SOURCE_ELEMENT);
    SourceExpression *number = c_expression_new(reader, value, SOURCE_NUMBER);
    number->type = CPU_INT32;
    number->value = (double)index;
    build_two_operands(part, whole, number, reader->arena);
    return part;
}

static SourceExpression *member_of(CReader *reader, CXCursor value, SourceExpression *whole, const char *name)
{
    SourceExpression *part = c_expression_new(reader, value, SOURCE_FIELD);
    part->name = name;
    build_operand(part, whole, reader->arena);
    return part;
}

/* libclang shows `[3] = x` and `.a = x` as designators with the value behind them. */
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

/* Of `.a = x`; "" for a value without a designator. */
static const char *member_name(CReader *reader, CXCursor cursor)
{
    Cursors children = c_children(reader, cursor);
    bool is_named = reader->clang->getCursorKind(cursor) == CXCursor_UnexposedExpr && children.count > 1 &&
                    reader->clang->getCursorKind(children.items[0]) == CXCursor_MemberRef;
    const char *name = is_named ? c_string(reader, reader->clang->getCursorSpelling(children.items[0])) : "";
    vec_free(&children);
    return name;
}

void c_initial_values(CReader *reader, CXCursor list, SourceExpression *target, InitialValues *found)
{
    const Clang *clang = reader->clang;
    bool is_structure = clang->getCanonicalType(clang->getCursorType(list)).kind == CXType_Record;
    Cursors values = c_children(reader, list);
    for (size_t i = 0; i < values.count; i++) {
        CXCursor value = undesignated(reader, values.items[i]);
        SourceExpression *part = is_structure ? member_of(reader, value, target, member_name(reader, values.items[i]))
                                              : element_of(reader, value, target, i);
        if (clang->getCursorKind(value) == CXCursor_InitListExpr)
            c_initial_values(reader, value, part, found);
        else
            *vec_push(found) = (InitialValue){part, value};
    }
    vec_free(&values);
}
