/* SPDX-License-Identifier: BSD-3-Clause */
/* Which operator an expression has. libclang says so from version 17 on; before, its token has to be found, which
 * macros can hide: no operator is better than a wrong one then. */
#include "cost/source/c/tree.h"

static const char *const OPERATORS[] = {
    "*",   "/",   "%",  "+",  "-",  "<<", ">>", "<",  ">",  "<=", ">=",           "==",
    "!=",  "&",   "^",  "|",  "&&", "||", "=",  "*=", "/=", "%=", "+=",           "-=",
    "<<=", ">>=", "&=", "^=", "|=", ",",  "!",  "~",  "++", "--", "__extension__"};

/* The table's own text, which lives as long as the program. */
static const char *known_operator(const char *spelling)
{
    for (size_t i = 0; i < sizeof OPERATORS / sizeof *OPERATORS; i++)
        if (strcmp(OPERATORS[i], spelling) == 0)
            return OPERATORS[i];
    return NULL;
}

typedef struct TokenPlace {
    CXSourceLocation location;
    CXFile file;
    unsigned offset;  /* where it, or the macro that made it, is in the file */
    bool is_argument; /* of a macro */
} TokenPlace;

static TokenPlace start_of(CReader *reader, CXCursor cursor)
{
    const Clang *clang = reader->clang;
    TokenPlace place = {.location = clang->getRangeStart(clang->getCursorExtent(cursor))};
    unsigned written;
    clang->getExpansionLocation(place.location, &place.file, NULL, NULL, &place.offset);
    clang->getFileLocation(place.location, NULL, NULL, NULL, &written);
    place.is_argument = written != place.offset;
    return place;
}

/* Where the token there is written: in a macro's definition, if that made it. */
static unsigned written_at(CReader *reader, CXSourceLocation location)
{
    const Clang *clang = reader->clang;
    CXToken *tokens = NULL;
    unsigned n = 0;
    clang->tokenize(reader->unit, clang->getRange(location, location), &tokens, &n);
    unsigned at = n ? clang->getTokenLocation(reader->unit, tokens[0]).int_data : location.int_data;
    if (n)
        clang->disposeTokens(reader->unit, tokens, n);
    return at;
}

/* Of the tokens that are written from one place to just before another: the first, or the last. */
static const char *token_between(CReader *reader, CXSourceLocation from, CXSourceLocation to, bool is_last)
{
    const Clang *clang = reader->clang;
    CXToken *tokens = NULL;
    unsigned n = 0, end = written_at(reader, to);
    const char *found = NULL;
    clang->tokenize(reader->unit, clang->getRange(from, to), &tokens, &n);
    unsigned n_before = n; /* older versions count the token at the end, too */
    while (n_before && clang->getTokenLocation(reader->unit, tokens[n_before - 1]).int_data >= end)
        n_before--;
    if (n_before) {
        CXToken token = tokens[is_last ? n_before - 1 : 0];
        found = known_operator(c_string(reader, clang->getTokenSpelling(reader->unit, token)));
    }
    if (n)
        clang->disposeTokens(reader->unit, tokens, n);
    return found;
}

static const char *find_token(CReader *reader, CXCursor from, CXCursor to, bool is_last)
{
    const Clang *clang = reader->clang;
    TokenPlace start = start_of(reader, from), end = start_of(reader, to);
    if (start.file != end.file || start.offset > end.offset)
        return NULL;
    if (start.offset < end.offset)
        return token_between(reader, clang->getLocationForOffset(reader->unit, start.file, start.offset),
                             clang->getLocationForOffset(reader->unit, end.file, end.offset), is_last);
    /* One macro made both: its definition has the operator, unless one of the two came as an argument. */
    if (start.is_argument || end.is_argument)
        return NULL;
    return token_between(reader, start.location, end.location, is_last);
}

static bool is_postfix(CReader *reader, CXCursor cursor, CXCursor operand)
{
    return c_same_start(reader, cursor, operand);
}

static const char *last_token(CReader *reader, CXCursor cursor)
{
    CXSourceRange extent = reader->clang->getCursorExtent(cursor);
    return token_between(reader, reader->clang->getRangeStart(extent), reader->clang->getRangeEnd(extent), true);
}

/* Else a macro holds the end of the left operand, the operator, and the right one. */
static bool ends_before(CReader *reader, CXCursor left, CXCursor right)
{
    const Clang *clang = reader->clang;
    unsigned end;
    CXFile file;
    TokenPlace start = start_of(reader, right);
    clang->getExpansionLocation(clang->getRangeEnd(clang->getCursorExtent(left)), &file, NULL, NULL, &end);
    return file == start.file && (end < start.offset || start.offset == start_of(reader, left).offset);
}

const char *c_binary_operator(CReader *reader, CXCursor cursor, CXCursor left, CXCursor right)
{
    const Clang *clang = reader->clang;
    if (!clang->getCursorBinaryOperatorKind || !clang->getBinaryOperatorKindSpelling)
        return ends_before(reader, left, right) ? find_token(reader, left, right, true) : NULL;
    int kind = clang->getCursorBinaryOperatorKind(cursor);
    return kind ? known_operator(c_string(reader, clang->getBinaryOperatorKindSpelling(kind))) : NULL;
}

const char *c_unary_operator(CReader *reader, CXCursor cursor, CXCursor operand)
{
    const Clang *clang = reader->clang;
    if (!clang->getCursorUnaryOperatorKind || !clang->getUnaryOperatorKindSpelling)
        return is_postfix(reader, cursor, operand) ? last_token(reader, cursor)
                                                   : find_token(reader, cursor, operand, false);
    int kind = clang->getCursorUnaryOperatorKind(cursor);
    return kind ? known_operator(c_string(reader, clang->getUnaryOperatorKindSpelling(kind))) : NULL;
}
