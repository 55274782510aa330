/* SPDX-License-Identifier: BSD-3-Clause */
/* A growing text:
 *     Text text = {0};  text_add(&text, "%d", 1);  text.bytes.items;  text_take(&text, arena); */
#pragma once

#include "base/vec.h"
#include <stdbool.h>

typedef struct Text {
    VEC(char) bytes; /* without a terminating zero */
} Text;

void text_add(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds the same character `count` times. */
void text_repeat(Text *text, char c, size_t count);

/* Returns the text as a string in the arena. Frees the growing text and leaves it empty. */
const char *text_take(Text *text, Arena *arena);

/* The number of bytes at `at` that form a character which a line of text must not hold; 0 if the
 * character is allowed. Not allowed are control characters (C0, DELETE, C1), separators of lines
 * and paragraphs, and U+FFFE and U+FFFF, which XML forbids. `at` is UTF-8. Terminals and file
 * formats give these characters a meaning of their own. */
size_t text_control_bytes(const char *at);

/* True if the text has no such character. */
bool text_is_line(const char *text);

/* The text, with a question mark for each such character. */
const char *text_as_line(const char *text, Arena *arena);
