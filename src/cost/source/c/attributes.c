/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes of functions. libclang shows GNU's in the function's type, and C11's as children without
 * a kind of their own. */
#include "cost/source/c/tree.h"

static bool names_noreturn(const char *text)
{
    return strstr(text, "noreturn") || strstr(text, "_Noreturn");
}

static bool has_attribute(CReader *reader, CXCursor function)
{
    Cursors children = c_children(reader, function);
    bool is_there = false;
    for (size_t i = 0; i < children.count && !is_there; i++)
        is_there = reader->clang->getCursorKind(children.items[i]) == CXCursor_UnexposedAttr &&
                   names_noreturn(c_text(reader, children.items[i]));
    vec_free(&children);
    return is_there;
}

bool c_never_returns(CReader *reader, CXCursor function)
{
    const Clang *clang = reader->clang;
    return names_noreturn(c_string(reader, clang->getTypeSpelling(clang->getCursorType(function)))) ||
           has_attribute(reader, function) || build_never_returns(c_string(reader, clang->getCursorSpelling(function)));
}
