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

size_t text_control_bytes(const char *at)
{
    const unsigned char *c = (const unsigned char *)at;
    if ((*c && *c < ' ') || *c == 0x7F)
        return 1;
    if (c[0] == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0)
        return 2;
    bool is_separator = c[0] == 0xE2 && c[1] == 0x80 && (c[2] == 0xA8 || c[2] == 0xA9);
    bool is_none = c[0] == 0xEF && c[1] == 0xBF && (c[2] == 0xBE || c[2] == 0xBF);
    return is_separator || is_none ? 3 : 0;
}

bool text_is_line(const char *text)
{
    while (*text && !text_control_bytes(text))
        text++;
    return !*text;
}

const char *text_as_line(const char *text, Arena *arena)
{
    Text line = {0};
    while (*text) {
        size_t control = text_control_bytes(text);
        text_repeat(&line, control ? '?' : *text, 1);
        text += control ? control : 1;
    }
    return text_take(&line, arena);
}
