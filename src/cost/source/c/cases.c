/* SPDX-License-Identifier: BSD-3-Clause */
/* `switch`: C's labels stand before single statements of its block; here each case has those up to the next. */
#include "cost/source/c/tree.h"

enum { RANGE_LIMIT = 256 }; /* labels */

typedef struct Cases {
    Statements cases;
    SourceStatement *current; /* NULL: before the first */
    Expressions labels;
    Statements statements;
} Cases;

static void end_case(CReader *reader, Cases *cases)
{
    SourceStatement *statement = cases->current;
    if (!statement)
        return;
    build_expressions(statement, &cases->labels, reader->arena);
    build_children(statement, &cases->statements, reader->arena);
    build_case_end(statement);
    *vec_push(&cases->cases) = statement;
    cases->current = NULL;
}

/* `case 4 ... 6` is 4, 5 and 6, unless there are too many of them. */
static void add_range(CReader *reader, Cases *cases, CXCursor low, CXCursor high)
{
    const SourceExpression *first = c_expression(reader, low), *last = c_expression(reader, high);
    bool is_known = first->kind == SOURCE_NUMBER && last->kind == SOURCE_NUMBER;
    if (!is_known || last->value - first->value >= RANGE_LIMIT) {
        *vec_push(&cases->labels) = c_unknown(reader, low);
        return;
    }
    for (double value = first->value; value <= last->value; value++) {
        SourceExpression *label = c_expression_new(reader, low, SOURCE_NUMBER);
        label->value = value;
        *vec_push(&cases->labels) = label;
    }
}

static void add_statement(CReader *reader, Cases *cases, CXCursor cursor);

/* `case a: case b:` is one case of two labels; `default` has none, so what stands before it falls through to it. */
static void begin_case(CReader *reader, Cases *cases, CXCursor cursor, bool has_label)
{
    Cursors parts = c_children(reader, cursor);
    bool joins = has_label && cases->current && cases->statements.count == 0 && cases->labels.count;
    if (!joins) {
        end_case(reader, cases);
        cases->current = c_statement_new(reader, cursor, SOURCE_CASE);
    }
    if (parts.count == 3)
        add_range(reader, cases, parts.items[0], parts.items[1]);
    else if (parts.count == 2)
        *vec_push(&cases->labels) = c_expression(reader, parts.items[0]);
    if (parts.count)
        add_statement(reader, cases, parts.items[parts.count - 1]);
    vec_free(&parts);
}

static void add_statement(CReader *reader, Cases *cases, CXCursor cursor)
{
    enum CXCursorKind kind = reader->clang->getCursorKind(cursor);
    if (kind == CXCursor_CaseStmt || kind == CXCursor_DefaultStmt)
        begin_case(reader, cases, cursor, kind == CXCursor_CaseStmt);
    else if (cases->current)
        *vec_push(&cases->statements) = c_statement(reader, cursor);
    /* Before the first label only declarations are reached, and they do nothing. */
}

SourceStatement *c_switch(CReader *reader, CXCursor cursor)
{
    const Clang *clang = reader->clang;
    Cursors parts = c_children(reader, cursor);
    if (parts.count != 2 || clang->getCursorKind(parts.items[1]) != CXCursor_CompoundStmt) {
        vec_free(&parts);
        return c_not_understood(reader, cursor, "a switch without a block");
    }
    SourceStatement *statement = c_statement_new(reader, cursor, SOURCE_SWITCH);
    Cursors cursors = c_children(reader, parts.items[1]);
    Expressions expressions = {0};
    Cases cases = {0};
    *vec_push(&expressions) = c_expression(reader, parts.items[0]);
    for (size_t i = 0; i < cursors.count; i++)
        add_statement(reader, &cases, cursors.items[i]);
    end_case(reader, &cases);
    vec_free(&cursors);
    vec_free(&parts);
    build_expressions(statement, &expressions, reader->arena);
    build_cases(statement, &cases.cases, reader->arena);
    return statement;
}
