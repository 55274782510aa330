/* SPDX-License-Identifier: BSD-3-Clause */
/* See text.h. */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>

void text_add(Text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length > 0) {
        vec_reserve(&text->bytes, (size_t)length + 1);
        vsnprintf(text->bytes.items + text->bytes.count, (size_t)length + 1, format, again);
        text->bytes.count += (size_t)length;
    }
    va_end(again);
}

void text_repeat(Text *text, char c, size_t count)
{
    vec_reserve(&text->bytes, count + 1);
    memset(text->bytes.items + text->bytes.count, c, count);
    text->bytes.count += count;
}

const char *text_take(Text *text, Arena *arena)
{
    const char *taken = arena_strndup(arena, text->bytes.count ? text->bytes.items : "", text->bytes.count);
    vec_free(&text->bytes);
    return taken;
}
