/* SPDX-License-Identifier: BSD-3-Clause */
/* `for` loops. libclang gives only the parts that are present. The semicolons between them tell
 * which part is which. */
#include "cost/source/c/tree.h"

typedef struct Semicolons {
    unsigned n, offsets[C_FOR_PARTS - 1];
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

/* Finds the semicolons of the loop's header, not those inside brackets. */
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
    for (unsigned i = 0; i < n && found.n < C_FOR_PARTS - 1; i++) {
        const char *text = c_string(reader, clang->getTokenSpelling(reader->unit, tokens[i]));
        if (i == 0 && strcmp(text, "for") != 0)
            break; /* the loop comes from a macro */
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

/* If no semicolons are found, guesses a part by its kind. */
static int guess_part(CReader *reader, CXCursor part, size_t index)
{
    enum CXCursorKind kind = reader->clang->getCursorKind(part);
    if (kind == CXCursor_DeclStmt)
        return C_FOR_INITIALISATION;
    if (kind == CXCursor_UnaryOperator || kind == CXCursor_CompoundAssignOperator)
        return C_FOR_STEP;
    const SourceExpression *expression = c_expression(reader, part);
    if (expression->kind != SOURCE_ASSIGN)
        return C_FOR_CONDITION;
    return index == 0 ? C_FOR_INITIALISATION : C_FOR_STEP;
}

static int part_of(CReader *reader, const Cursors *cursors, size_t index, const Semicolons *semicolons)
{
    if (cursors->count == C_FOR_PARTS + 1)
        return (int)index;
    if (semicolons->n < C_FOR_PARTS - 1)
        return guess_part(reader, cursors->items[index], index);
    CXFile file;
    unsigned offset = start_of(reader, cursors->items[index], &file);
    return offset < semicolons->offsets[0]   ? C_FOR_INITIALISATION
           : offset < semicolons->offsets[1] ? C_FOR_CONDITION
                                             : C_FOR_STEP;
}

void c_for_parts(CReader *reader, CXCursor loop, const Cursors *cursors, const CXCursor *parts[C_FOR_PARTS])
{
    size_t last = cursors->count - 1;
    Semicolons semicolons = find_semicolons(reader, loop, cursors->items[last]);
    for (size_t i = 0; i < last; i++)
        parts[part_of(reader, cursors, i, &semicolons)] = &cursors->items[i];
}
