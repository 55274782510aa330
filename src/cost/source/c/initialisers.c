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
    part->held = part->pointee = NULL; /* the cursor is the value's */
    build_two_operands(part, whole, number, reader->arena);
    return part;
}

static SourceExpression *member_of(CReader *reader, CXCursor value, SourceExpression *whole, const Cursors *members,
                                   size_t index)
{
    SourceExpression *part = c_expression_new(reader, value, SOURCE_FIELD);
    bool is_known = index < members->count;
    part->name = is_known ? c_member_name(reader, members->items[index]) : "";
    part->bits = is_known ? c_member_bits(reader, members->items[index]) : 0;
    part->held = part->pointee = NULL;
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

/* Of a structure, in their order. Bit-fields without a name have no value. */
static Cursors members_of(CReader *reader, CXType structure)
{
    const Clang *clang = reader->clang;
    Cursors all = c_children(reader, clang->getTypeDeclaration(structure)), members = {0};
    for (size_t i = 0; i < all.count; i++)
        if (clang->getCursorKind(all.items[i]) == CXCursor_FieldDecl &&
            (clang->getFieldDeclBitWidth(all.items[i]) < 0 || *c_member_name(reader, all.items[i])))
            *vec_push(&members) = all.items[i];
    vec_free(&all);
    return members;
}

/* Which part a value of the list is for: the one of its designator, or else the next one. */
static size_t part_number(CReader *reader, CXCursor cursor, const Cursors *members, size_t next)
{
    const Clang *clang = reader->clang;
    Cursors children = c_children(reader, cursor);
    bool is_designated = clang->getCursorKind(cursor) == CXCursor_UnexposedExpr && children.count > 1;
    double index;
    size_t number = next;
    if (is_designated && clang->getCursorKind(children.items[0]) == CXCursor_MemberRef) {
        const char *name = c_string(reader, clang->getCursorSpelling(children.items[0]));
        for (size_t i = 0; i < members->count; i++)
            if (strcmp(c_string(reader, clang->getCursorSpelling(members->items[i])), name) == 0)
                number = i;
    } else if (is_designated && c_evaluate(reader, children.items[0], &index)) {
        number = (size_t)index;
    }
    vec_free(&children);
    return number;
}

void c_initial_values(CReader *reader, CXCursor list, SourceExpression *target, InitialValues *found)
{
    const Clang *clang = reader->clang;
    CXType type = clang->getCanonicalType(clang->getCursorType(list));
    bool is_structure = type.kind == CXType_Record;
    Cursors members = {0};
    if (is_structure)
        members = members_of(reader, type);
    Cursors values = c_children(reader, list);
    for (size_t i = 0, next = 0; i < values.count; i++, next++) {
        CXCursor value = undesignated(reader, values.items[i]);
        next = part_number(reader, values.items[i], &members, next);
        SourceExpression *part =
            is_structure ? member_of(reader, value, target, &members, next) : element_of(reader, value, target, next);
        if (clang->getCursorKind(value) == CXCursor_InitListExpr)
            c_initial_values(reader, value, part, found);
        else
            *vec_push(found) = (InitialValue){part, value};
    }
    vec_free(&values);
    vec_free(&members);
}
