/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds an expression's operator. libclang 17 and later tells it. For older versions, the
 * operator's token must be found. Macros can hide the token; then the operator is unknown rather
 * than wrong. */
#include "cost/source/c/tree.h"

static const char *const OPERATORS[] = {
    "*",   "/",   "%",  "+",  "-",  "<<", ">>", "<",  ">",  "<=", ">=",           "==",
    "!=",  "&",   "^",  "|",  "&&", "||", "=",  "*=", "/=", "%=", "+=",           "-=",
    "<<=", ">>=", "&=", "^=", "|=", ",",  "!",  "~",  "++", "--", "__extension__"};

/* The entry of the table, which lives as long as the program. */
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
    unsigned offset;  /* of the token, or of the macro that produced it */
    bool is_argument; /* of a macro's argument */
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

/* The offset where a token is written: in a macro's definition if the macro contains the token. */
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

/* The first or last token from one location to just before another. */
static const char *token_between(CReader *reader, CXSourceLocation from, CXSourceLocation to, bool is_last)
{
    const Clang *clang = reader->clang;
    CXToken *tokens = NULL;
    unsigned n = 0, end = written_at(reader, to);
    const char *found = NULL;
    clang->tokenize(reader->unit, clang->getRange(from, to), &tokens, &n);
    unsigned n_before = n; /* older versions include the token at the end */
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
    /* One macro produced both. Its definition has the operator, unless an operand is a macro
     * argument. */
    if (start.is_argument || end.is_argument)
        return NULL;
    return token_between(reader, start.location, end.location, is_last);
}

bool c_is_postfix(CReader *reader, CXCursor cursor, CXCursor operand)
{
    return c_same_start(reader, cursor, operand);
}

static const char *last_token(CReader *reader, CXCursor cursor)
{
    CXSourceRange extent = reader->clang->getCursorExtent(cursor);
    return token_between(reader, reader->clang->getRangeStart(extent), reader->clang->getRangeEnd(extent), true);
}

/* False if a macro contains the end of the left operand, the operator, and the right operand. */
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
        return c_is_postfix(reader, cursor, operand) ? last_token(reader, cursor)
                                                     : find_token(reader, cursor, operand, false);
    int kind = clang->getCursorUnaryOperatorKind(cursor);
    return kind ? known_operator(c_string(reader, clang->getUnaryOperatorKindSpelling(kind))) : NULL;
}
