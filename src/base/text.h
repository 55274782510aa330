/* SPDX-License-Identifier: BSD-3-Clause */
/* A growing text:
 *     Text text = {0};  text_add(&text, "%d", 1);  text.bytes.items;  text_take(&text, arena); */
#pragma once

#include "base/vec.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Text {
    VEC(char) bytes; /* without a terminating zero */
} Text;

void text_add(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

void text_add_list(Text *text, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));

/* Adds the same character `count` times. */
void text_repeat(Text *text, char c, size_t count);

/* Returns the text as a string in the arena. Frees the growing text and leaves it empty. */
const char *text_take(Text *text, Arena *arena);

/* The code point of a byte that belongs to no UTF-8 character. */
#define TEXT_NO_CHARACTER UINT32_MAX

/* The number of bytes of the UTF-8 character at `at`, which isn't the end of the text. *point
 * becomes its code point. A byte that belongs to no character is one of its own. */
size_t text_character(const char *at, uint32_t *point);

/* False for what a line of text must not hold: control characters (C0, DELETE, C1), separators of
 * lines and paragraphs, marks of writing direction, other characters without a form of their own,
 * noncharacters such as U+FFFE, and TEXT_NO_CHARACTER. Terminals and file formats give these a
 * meaning of their own, or a reader can't see them. */
bool text_is_visible(uint32_t point);

/* True if all characters of the text are visible. */
bool text_is_line(const char *text);

/* The text, with a question mark for each character that isn't visible. */
const char *text_as_line(const char *text, Arena *arena);

/* What stands behind a noun: "%u node%s". */
static inline const char *text_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* As strtod(), but for decimal numbers only: 0x10 and 010 are none. */
double text_number(const char *text, char **end);

/* The time of day in UTC: "2030-01-31T08:30:00Z". */
const char *text_of_now(Arena *arena);

/* The bytes in hexadecimal digits: "0fa3". */
const char *text_hexadecimal(const uint8_t *bytes, size_t count, Arena *arena);
