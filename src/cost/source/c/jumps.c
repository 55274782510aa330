/* SPDX-License-Identifier: BSD-3-Clause */
/* Jumps forward to a label of the function's outermost block, such as `goto fail`. What follows the label takes
 * the jump's place, up to the function's end:
 *
 *     if (!p) goto fail; A; fail: B; return -1;      if (!p) { B; return -1; } A; { B; } return -1;
 *
 * Any other jump isn't understood. */
#include "cost/source/c/tree.h"

#include "cost/source/program/syntax.h"

/* Statements behind a label, once for each jump. Labels that jump to each other double them. */
enum { COPIES_LIMIT = 2000 };

void c_jump(CReader *reader, CXCursor cursor, SourceStatement *statement)
{
    Cursors children = c_children(reader, cursor);
    if (children.count)
        *vec_push(&reader->jumps) = (CJump){
            .label = c_string(reader, reader->clang->getCursorSpelling(children.items[0])), .statement = statement};
    vec_free(&children);
}

void c_label(CReader *reader, CXCursor cursor, SourceStatement *statement)
{
    *vec_push(&reader->labels) =
        (CJump){.label = c_string(reader, reader->clang->getCursorSpelling(cursor)), .statement = statement};
}

/* Notes in which statement of the outermost block the jumps are. */
static void find_jumps(CReader *reader, const SourceStatement *statement, size_t index)
{
    if (!statement)
        return;
    for (size_t i = 0; i < reader->jumps.count; i++)
        if (reader->jumps.items[i].statement == statement)
            reader->jumps.items[i].index = index;
    for (size_t i = 0; i < statement->n_children; i++)
        find_jumps(reader, statement->children[i], index);
}

static size_t count_statements(const SourceStatement *statement, size_t most)
{
    size_t count = 1;
    for (size_t i = 0; statement && i < statement->n_children && count <= most; i++)
        count += count_statements(statement->children[i], most - count);
    return count;
}

/* The statements from this one on, and the return at the function's end. */
static SourceStatement *tail_of(CReader *reader, const SourceStatement *body, size_t first)
{
    SourceStatement *tail = build_statement(SOURCE_BLOCK, body->children[first]->place, reader->arena);
    Statements children = {0};
    for (size_t i = first; i < body->n_children; i++)
        *vec_push(&children) = body->children[i];
    *vec_push(&children) = build_statement(SOURCE_RETURN, body->place, reader->arena);
    build_children(tail, &children, reader->arena);
    tail->n_children--;
    if (ends_of(tail) & ENDS_NORMALLY)
        tail->n_children++;
    return tail;
}

static bool is_reached(const SourceStatement *body, size_t index)
{
    return index == 0 || (ends_of(body->children[index - 1]) & ENDS_NORMALLY);
}

static void resolve_label(CReader *reader, SourceStatement *body, size_t index, const CJump *label)
{
    const SourceStatement *tail = tail_of(reader, body, index);
    size_t n_jumps = 0;
    for (size_t i = 0; i < reader->jumps.count; i++)
        n_jumps += strcmp(reader->jumps.items[i].label, label->label) == 0;
    bool are_all = true, is_short = n_jumps * count_statements(tail, COPIES_LIMIT) <= COPIES_LIMIT;
    for (size_t i = 0; i < reader->jumps.count; i++) {
        const CJump *jump = &reader->jumps.items[i];
        if (strcmp(jump->label, label->label) != 0)
            continue;
        if (!is_short || jump->index >= index) {
            are_all = false;
            continue;
        }
        jump->statement->kind = SOURCE_BLOCK;
        jump->statement->n_children = tail->n_children;
        jump->statement->children = tail->children;
    }
    if (are_all)
        label->statement->kind = SOURCE_BLOCK;
    if (are_all && !is_reached(body, index))
        body->n_children = index;
}

/* The labels at which a statement of the outermost block begins. */
static void resolve_labels_of(CReader *reader, SourceStatement *body, size_t index)
{
    const SourceStatement *statement = body->children[index];
    while (statement) {
        const CJump *label = NULL;
        for (size_t i = 0; i < reader->labels.count && !label; i++)
            label = reader->labels.items[i].statement == statement ? &reader->labels.items[i] : NULL;
        if (!label)
            return;
        resolve_label(reader, body, index, label);
        statement = statement->n_children ? statement->children[0] : NULL;
    }
}

void c_resolve_jumps(CReader *reader, SourceStatement *body)
{
    for (size_t i = 0; reader->jumps.count && i < body->n_children; i++)
        find_jumps(reader, body->children[i], i);
    for (size_t i = body->n_children; i-- > 0 && reader->labels.count;)
        resolve_labels_of(reader, body, i);
    reader->jumps.count = reader->labels.count = 0;
}
