/* SPDX-License-Identifier: BSD-3-Clause */
/* New expressions and statements with the place, text and type of a cursor. */
#include "cost/source/c/tree.h"

#include <math.h>

SourceExpression *c_expression_new(CReader *reader, CXCursor cursor, SourceExpressionKind kind)
{
    SourceExpression *expression =
        build_expression(kind, c_place(reader, cursor), c_text(reader, cursor), reader->arena);
    expression->end = c_end(reader, cursor);
    if (!c_type(reader, cursor, &expression->type))
        expression->type = CPU_REFERENCE;
    CXType type = reader->clang->getCanonicalType(reader->clang->getCursorType(cursor));
    expression->is_structure = type.kind == CXType_Record;
    expression->sign = c_sign(reader, type);
    expression->held = c_held(reader, type);
    if (type.kind == CXType_Pointer)
        expression->pointee = c_held(reader, reader->clang->getPointeeType(type));
    else if (reader->clang->getArrayElementType(type).kind != CXType_Invalid)
        expression->pointee = expression->held;
    if (expression->is_structure)
        expression->structure_bytes = (unsigned)fmax(0, (double)reader->clang->Type_getSizeOf(type));
    return expression;
}

SourceStatement *c_statement_new(CReader *reader, CXCursor cursor, SourceStatementKind kind)
{
    return build_statement(kind, c_place(reader, cursor), reader->arena);
}
