/* SPDX-License-Identifier: BSD-3-Clause */
/* See text.h. */
#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void text_add_list(Text *text, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length > 0) {
        vec_reserve(&text->bytes, (size_t)length + 1);
        vsnprintf(text->bytes.items + text->bytes.count, (size_t)length + 1, format, again);
        text->bytes.count += (size_t)length;
    }
    va_end(again);
}

void text_add(Text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_add_list(text, format, arguments);
    va_end(arguments);
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

size_t text_character(const char *at, uint32_t *point)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t least; /* a smaller code point has a shorter form */
    } forms[] = {{0x80, 0x00, 0}, {0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};
    const unsigned char *bytes = (const unsigned char *)at;
    for (size_t n = 0; n < sizeof forms / sizeof *forms; n++) {
        if ((*bytes & forms[n].mask) != forms[n].lead)
            continue;
        size_t i = 1;
        *point = *bytes & (unsigned char)~forms[n].mask;
        for (; i <= n && (bytes[i] & 0xC0) == 0x80; i++)
            *point = *point << 6 | (bytes[i] & 0x3F);
        bool is_surrogate = *point >= 0xD800 && *point < 0xE000;
        if (i > n && *point >= forms[n].least && *point <= 0x10FFFF && !is_surrogate)
            return n + 1;
    }
    *point = TEXT_NO_CHARACTER;
    return 1;
}

bool text_is_visible(uint32_t point)
{
    static const struct {
        uint32_t first, last;
    } hidden[] = {
        {0x0000, 0x001F},       {0x007F, 0x009F},   /* control characters */
        {0x00AD, 0x00AD},                           /* soft hyphen */
        {0x061C, 0x061C},                           /* Arabic letter mark */
        {0x115F, 0x1160},                           /* Hangul fillers */
        {0x17B4, 0x17B5},       {0x180B, 0x180F},   /* Khmer vowels, Mongolian selectors */
        {0x200B, 0x200F},                           /* zero width, marks of direction */
        {0x2028, 0x202E},                           /* separators; embeddings and overrides of direction */
        {0x2060, 0x206F},                           /* joiners, isolates of direction */
        {0x3164, 0x3164},                           /* Hangul filler */
        {0xFDD0, 0xFDEF},                           /* noncharacters */
        {0xFEFF, 0xFEFF},       {0xFFA0, 0xFFA0},   /* byte order mark, Hangul filler */
        {0xFFF0, 0xFFFB},                           /* interlinear annotation */
        {0x1BCA0, 0x1BCA3},     {0x1D173, 0x1D17A}, /* shorthand, musical notation */
        {0xE0000, 0xE0FFF},                         /* tags */
        {0x110000, UINT32_MAX},                     /* no characters */
    };
    if ((point & 0xFFFE) == 0xFFFE)
        return false;
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden && hidden[i].first <= point; i++)
        if (point <= hidden[i].last)
            return false;
    return true;
}

const char *text_as_line(const char *text, Arena *arena)
{
    Text line = {0};
    uint32_t point;
    for (size_t length; *text; text += length) {
        length = text_character(text, &point);
        bool stays = text_is_visible(point);
        memcpy(vec_reserve(&line.bytes, length) + line.bytes.count, stays ? text : "?", stays ? length : 1);
        line.bytes.count += stays ? length : 1;
    }
    return text_take(&line, arena);
}

bool text_is_line(const char *text)
{
    uint32_t point = ' ';
    while (*text && text_is_visible(point))
        text += text_character(text, &point);
    return text_is_visible(point);
}

const char *text_of_now(Arena *arena)
{
    char text[32];
    struct tm utc;
    time_t now = time(NULL);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    return arena_strdup(arena, text);
}

const char *text_hexadecimal(const uint8_t *bytes, size_t count, Arena *arena)
{
    char *text = arena_alloc(arena, 2 * count + 1);
    for (size_t i = 0; i < count; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    return text;
}

double text_number(const char *text, char **end)
{
    const char *digits = text + strspn(text, " +-");
    bool is_decimal = digits[0] != '0' || !(digits[1] == 'x' || digits[1] == 'X' || isdigit((unsigned char)digits[1]));
    double number = is_decimal ? strtod(text, end) : 0;
    if (!is_decimal)
        *end = (char *)text;
    return number;
}
