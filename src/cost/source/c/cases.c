/* SPDX-License-Identifier: BSD-3-Clause */
/* `switch`. libclang attaches a label to the statement behind it only; here, each case has all
 * statements up to the next label. */
#include "cost/source/c/tree.h"

enum { RANGE_LIMIT = 256 }; /* of labels */

/* `case 4 ... 6` has the labels 4, 5 and 6. Too many labels are unknown. */
static void add_range(CReader *reader, CCase *one, CXCursor low, CXCursor high)
{
    const SourceExpression *first = c_expression(reader, low), *last = c_expression(reader, high);
    bool is_known = first->kind == SOURCE_NUMBER && last->kind == SOURCE_NUMBER;
    if (!is_known || last->value - first->value >= RANGE_LIMIT) {
        *vec_push(&one->labels) = c_unknown(reader, low);
        return;
    }
    for (double value = first->value; value <= last->value; value++) {
        SourceExpression *label = c_expression_new(reader, low, SOURCE_NUMBER);
        label->value = value;
        *vec_push(&one->labels) = label;
    }
}

static void add_statement(CReader *reader, CCases *cases, CXCursor cursor);

/* Begins a case. `case a: case b:` is one case with two labels. `default` has no labels. */
static void begin_case(CReader *reader, CCases *cases, CXCursor cursor, bool has_label)
{
    Cursors parts = c_children(reader, cursor);
    const CCase *last = cases->count ? &cases->items[cases->count - 1] : NULL;
    if (!has_label || !last || last->statements.count || !last->labels.count)
        *vec_push(cases) = (CCase){.cursor = cursor};
    CCase *current = &cases->items[cases->count - 1];
    if (parts.count == 3)
        add_range(reader, current, parts.items[0], parts.items[1]);
    else if (parts.count == 2)
        *vec_push(&current->labels) = c_expression(reader, parts.items[0]);
    if (parts.count)
        add_statement(reader, cases, parts.items[parts.count - 1]);
    vec_free(&parts);
}

static void add_statement(CReader *reader, CCases *cases, CXCursor cursor)
{
    enum CXCursorKind kind = reader->clang->getCursorKind(cursor);
    if (kind == CXCursor_CaseStmt || kind == CXCursor_DefaultStmt)
        begin_case(reader, cases, cursor, kind == CXCursor_CaseStmt);
    else if (cases->count)
        *vec_push(&cases->items[cases->count - 1].statements) = cursor;
    /* Before the first label, only declarations can be reached, and they do nothing. */
}

void c_cases(CReader *reader, CXCursor block, CCases *cases)
{
    Cursors cursors = c_children(reader, block);
    for (size_t i = 0; i < cursors.count; i++)
        add_statement(reader, cases, cursors.items[i]);
    vec_free(&cursors);
}
