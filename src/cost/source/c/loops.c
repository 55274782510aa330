/* SPDX-License-Identifier: BSD-3-Clause */
/* `for`: libclang gives those of its parts that are there, so that which is which is told by the semicolons between
 * them. */
#include "cost/source/c/tree.h"

enum { INITIALISATION, CONDITION, STEP, PARTS };

typedef struct Semicolons {
    unsigned n, offsets[PARTS - 1];
} Semicolons;

static unsigned offset_of(CReader *reader, CXSourceLocation location, CXFile *file)
{
    unsigned offset;
    reader->clang->getExpansionLocation(location, file, NULL, NULL, &offset);
    return offset;
}

static unsigned start_of(CReader *reader, CXCursor cursor, CXFile *file)
{
    return offset_of(reader, reader->clang->getRangeStart(reader->clang->getCursorExtent(cursor)), file);
}

/* Those of the header itself, not those within braces or parentheses of its parts. */
static Semicolons find_semicolons(CReader *reader, CXCursor loop, CXCursor body)
{
    const Clang *clang = reader->clang;
    CXFile file, body_file;
    unsigned start = start_of(reader, loop, &file), end = start_of(reader, body, &body_file), n = 0;
    Semicolons found = {0};
    CXToken *tokens = NULL;
    int depth = 0;
    if (file == body_file && start < end)
        clang->tokenize(reader->unit,
                        clang->getRange(clang->getLocationForOffset(reader->unit, file, start),
                                        clang->getLocationForOffset(reader->unit, file, end)),
                        &tokens, &n);
    for (unsigned i = 0; i < n && found.n < PARTS - 1; i++) {
        const char *text = c_string(reader, clang->getTokenSpelling(reader->unit, tokens[i]));
        if (i == 0 && strcmp(text, "for") != 0)
            break; /* a macro's */
        if (strchr("([{", *text))
            depth++;
        else if (strchr(")]}", *text))
            depth--;
        else if (depth == 1 && strcmp(text, ";") == 0)
            found.offsets[found.n++] = offset_of(reader, clang->getTokenLocation(reader->unit, tokens[i]), &file);
    }
    if (n)
        clang->disposeTokens(reader->unit, tokens, n);
    return found;
}

/* Without semicolons to be seen, by what it is. */
static int guess_part(CReader *reader, CXCursor part, size_t index)
{
    enum CXCursorKind kind = reader->clang->getCursorKind(part);
    if (kind == CXCursor_DeclStmt)
        return INITIALISATION;
    if (kind == CXCursor_UnaryOperator || kind == CXCursor_CompoundAssignOperator)
        return STEP;
    const SourceExpression *expression = c_expression(reader, part);
    if (expression->kind != SOURCE_ASSIGN)
        return CONDITION;
    return index == 0 ? INITIALISATION : STEP;
}

static int part_of(CReader *reader, const Cursors *cursors, size_t index, const Semicolons *semicolons)
{
    if (cursors->count == PARTS + 1)
        return (int)index;
    if (semicolons->n < PARTS - 1)
        return guess_part(reader, cursors->items[index], index);
    CXFile file;
    unsigned offset = start_of(reader, cursors->items[index], &file);
    return offset < semicolons->offsets[0] ? INITIALISATION : offset < semicolons->offsets[1] ? CONDITION : STEP;
}

SourceStatement *c_for(CReader *reader, CXCursor cursor)
{
    Cursors cursors = c_children(reader, cursor);
    if (cursors.count < 1 || cursors.count > PARTS + 1) {
        vec_free(&cursors);
        return c_not_understood(reader, cursor, "a loop with a declaration as condition");
    }
    SourceStatement *statement = c_statement_new(reader, cursor, SOURCE_FOR), *first = NULL;
    size_t last = cursors.count - 1;
    Semicolons semicolons = find_semicolons(reader, cursor, cursors.items[last]);
    SourceExpression *parts[PARTS] = {NULL};
    for (size_t i = 0; i < last; i++) {
        int part = part_of(reader, &cursors, i, &semicolons);
        if (part == INITIALISATION)
            first = c_statement(reader, cursors.items[i]);
        else
            parts[part] = c_expression(reader, cursors.items[i]);
    }
    Expressions expressions = {0};
    Statements children = {0};
    *vec_push(&expressions) = parts[CONDITION];
    *vec_push(&expressions) = parts[STEP];
    *vec_push(&children) = first;
    *vec_push(&children) = c_statement(reader, cursors.items[last]);
    vec_free(&cursors);
    build_expressions(statement, &expressions, reader->arena);
    build_children(statement, &children, reader->arena);
    return statement;
}
