/* SPDX-License-Identifier: BSD-3-Clause */
/* sizeof of a type whose size the compiler doesn't know, as sizeof(double[n][n]): libclang shows the sizes of its arrays,
 * and the tokens tell the rest. */
#include "cost/source/c/tree.h"

#include <math.h>

/* The tokens of `sizeof(…)`. */
typedef struct SizeTokens {
    CReader *reader;
    CXToken *items;
    unsigned n;
} SizeTokens;

static const char *token_text(const SizeTokens *tokens, unsigned i)
{
    return c_string(tokens->reader, tokens->reader->clang->getTokenSpelling(tokens->reader->unit, tokens->items[i]));
}

/* How many bytes a number has of a type that these words name; 0: not known. */
static double bytes_of_words(const SizeTokens *tokens, unsigned end)
{
    static const struct {
        const char *word;
        double bytes;
    } words[] = {{"double", sizeof(double)}, {"float", sizeof(float)},  {"char", sizeof(char)},
                 {"_Bool", sizeof(_Bool)},   {"short", sizeof(short)},  {"long", sizeof(long)},
                 {"int", sizeof(int)},       {"unsigned", sizeof(int)}, {"signed", sizeof(int)}};
    size_t found = sizeof words / sizeof *words, n_found = found;
    for (unsigned i = 2; i < end; i++)
        for (size_t k = 0; k < n_found; k++)
            if (strcmp(token_text(tokens, i), words[k].word) == 0)
                found = k < found ? k : found;
    return found < n_found ? words[found].bytes : 0;
}

/* The type stands before the first bracket: words, or a name to which libclang refers. */
static double bytes_of_element(const SizeTokens *tokens, const CXCursor *name, unsigned end)
{
    const Clang *clang = tokens->reader->clang;
    bool is_pointer = false, is_double = false, is_long = false;
    for (unsigned i = 2; i < end; i++) {
        if (strcmp(token_text(tokens, i), "(") == 0)
            return 0;
        is_pointer |= strcmp(token_text(tokens, i), "*") == 0;
        is_double |= strcmp(token_text(tokens, i), "double") == 0;
        is_long |= strcmp(token_text(tokens, i), "long") == 0;
    }
    if (is_pointer)
        return sizeof(void *);
    if (is_double && is_long)
        return 0;
    return name ? fmax(0, (double)clang->Type_getSizeOf(clang->getCursorType(*name))) : bytes_of_words(tokens, end);
}

static unsigned first_bracket(const SizeTokens *tokens)
{
    unsigned at = 2;
    while (at < tokens->n && strcmp(token_text(tokens, at), "[") != 0)
        at++;
    return at;
}

/* Brackets that aren't in others. */
static unsigned count_brackets(const SizeTokens *tokens, unsigned from)
{
    unsigned n = 0;
    for (unsigned i = from, depth = 0; i < tokens->n; i++) {
        bool opens = strcmp(token_text(tokens, i), "[") == 0, closes = strcmp(token_text(tokens, i), "]") == 0;
        n += opens && !depth;
        depth = depth + opens - (closes && depth);
    }
    return n;
}

static SourceExpression *product(CReader *reader, CXCursor cursor, SourceExpression *left, SourceExpression *right)
{
    SourceExpression *made = c_expression_new(reader, cursor, SOURCE_BINARY);
    made->operator= "*";
    build_two_operands(made, left, right, reader->arena);
    return made;
}

/* `sizeof(`, and the first word of a type. */
static bool is_of_type(const SizeTokens *tokens, const CXCursor *name)
{
    const Clang *clang = tokens->reader->clang;
    if (tokens->n < 4 || strcmp(token_text(tokens, 0), "sizeof") != 0 || strcmp(token_text(tokens, 1), "(") != 0)
        return false;
    return name ||
           (clang->getTokenKind(tokens->items[2]) == CXToken_Keyword && strcmp(token_text(tokens, 2), "sizeof") != 0);
}

/* libclang shows the sizes that aren't numbers first, and then the type with all of its sizes. */
static SourceExpression *size_of(CReader *reader, CXCursor cursor, const SizeTokens *tokens, const Cursors *children)
{
    const Clang *clang = reader->clang;
    const CXCursor *name = NULL;
    for (size_t i = 0; i < children->count; i++)
        if (clang->getCursorKind(children->items[i]) == CXCursor_TypeRef)
            name = &children->items[i];
    unsigned first = first_bracket(tokens), n_sizes = count_brackets(tokens, first);
    double bytes = is_of_type(tokens, name) && n_sizes ? bytes_of_element(tokens, name, first) : 0;
    size_t behind_name = name ? (size_t)(children->items + children->count - 1 - name) : children->count;
    if (bytes <= 0 || n_sizes > behind_name)
        return NULL;
    SourceExpression *size = c_expression_new(reader, cursor, SOURCE_NUMBER);
    size->value = bytes;
    for (unsigned i = 0; i < n_sizes; i++)
        size = product(reader, cursor, c_expression(reader, children->items[children->count - 1 - i]), size);
    return size;
}

SourceExpression *c_size(CReader *reader, CXCursor cursor)
{
    const Clang *clang = reader->clang;
    SizeTokens tokens = {reader, NULL, 0};
    Cursors children = c_children(reader, cursor);
    clang->tokenize(reader->unit, clang->getCursorExtent(cursor), &tokens.items, &tokens.n);
    SourceExpression *size = size_of(reader, cursor, &tokens, &children);
    if (tokens.n)
        clang->disposeTokens(reader->unit, tokens.items, tokens.n);
    vec_free(&children);
    return size;
}
