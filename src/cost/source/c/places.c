/* SPDX-License-Identifier: BSD-3-Clause */
/* Children, places and texts of cursors. Something that a macro produced is at the macro's use. */
#include "cost/source/c/tree.h"

#include <ctype.h>

enum { TEXT_LIMIT = 60 };

typedef struct Visit {
    Cursors children;
} Visit;

static enum CXChildVisitResult add_child(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    Visit *visit = data;
    *vec_push(&visit->children) = cursor;
    return CXChildVisit_Continue;
}

Cursors c_children(CReader *reader, CXCursor cursor)
{
    Visit visit = {0};
    reader->clang->visitChildren(cursor, add_child, &visit);
    return visit.children;
}

const char *c_string(CReader *reader, CXString string)
{
    const char *text = reader->clang->getCString(string);
    const char *copy = arena_strdup(reader->arena, text ? text : "");
    reader->clang->disposeString(string);
    return copy;
}

const char *c_member_name(CReader *reader, CXCursor member)
{
    const Clang *clang = reader->clang;
    const char *name = c_string(reader, clang->getCursorSpelling(member));
    bool is_shared = clang->getCursorKind(clang->getCursorSemanticParent(member)) == CXCursor_UnionDecl;
    return is_shared ? arena_printf(reader->arena, "|%s", name) : name;
}

unsigned c_member_bits(CReader *reader, CXCursor member)
{
    int bits = reader->clang->getFieldDeclBitWidth(member);
    return bits > 0 ? (unsigned)bits : 0;
}

static const char *file_name(CReader *reader, CXFile file)
{
    if (file && file != reader->last_file) {
        reader->last_file = file;
        reader->last_name = c_string(reader, reader->clang->getFileName(file));
    }
    return file ? reader->last_name : "";
}

static SourcePlace place_at(CReader *reader, CXSourceLocation location)
{
    CXFile file;
    SourcePlace place = {0};
    reader->clang->getExpansionLocation(location, &file, &place.line, &place.column, NULL);
    place.file = file_name(reader, file);
    return place;
}

SourcePlace c_place(CReader *reader, CXCursor cursor)
{
    return place_at(reader, reader->clang->getRangeStart(reader->clang->getCursorExtent(cursor)));
}

SourcePlace c_end(CReader *reader, CXCursor cursor)
{
    return place_at(reader, reader->clang->getRangeEnd(reader->clang->getCursorExtent(cursor)));
}

bool c_same_start(CReader *reader, CXCursor a, CXCursor b)
{
    const Clang *clang = reader->clang;
    CXSourceLocation start_a = clang->getRangeStart(clang->getCursorExtent(a));
    CXSourceLocation start_b = clang->getRangeStart(clang->getCursorExtent(b));
    return start_a.int_data == start_b.int_data;
}

/* One line of at most TEXT_LIMIT characters; a longer text ends with dots. */
static const char *shorten(Arena *arena, const char *text, size_t length)
{
    char *line = arena_alloc(arena, TEXT_LIMIT + 1);
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        bool is_joint = text[i] == '\\' && i + 1 < length && text[i + 1] == '\n';
        bool is_blank = isspace((unsigned char)text[i]) || is_joint;
        if (is_blank && (n == 0 || line[n - 1] == ' '))
            continue;
        if (n == TEXT_LIMIT) {
            for (size_t dot = 1; dot <= 3; dot++)
                line[TEXT_LIMIT - dot] = '.';
            break;
        }
        line[n++] = is_blank ? ' ' : text[i];
    }
    while (n && line[n - 1] == ' ')
        n--;
    line[n] = '\0';
    return line;
}

const char *c_text(CReader *reader, CXCursor cursor)
{
    const Clang *clang = reader->clang;
    CXSourceRange extent = clang->getCursorExtent(cursor);
    CXFile file, end_file;
    unsigned start, end;
    size_t size;
    clang->getExpansionLocation(clang->getRangeStart(extent), &file, NULL, NULL, &start);
    clang->getExpansionLocation(clang->getRangeEnd(extent), &end_file, NULL, NULL, &end);
    const char *text = file && file == end_file ? clang->getFileContents(reader->unit, file, &size) : NULL;
    if (!text || end > size || start >= end)
        return "";
    return shorten(reader->arena, text + start, end - start);
}

void c_note(CReader *reader, CXCursor cursor, const char *message)
{
    build_note(&reader->notes, c_place(reader, cursor), message, reader->arena);
}
