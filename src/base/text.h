/* SPDX-License-Identifier: BSD-3-Clause */
/* A text that grows:  Text text = {0};  text_add(&text, "%d", 1);  text.bytes.items;  text_take(&text, arena). */
#pragma once

#include "base/vec.h"
#include <stdbool.h>

typedef struct Text {
    VEC(char) bytes; /* without a terminating zero */
} Text;

void text_add(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* `count` times the same character. */
void text_repeat(Text *text, char c, size_t count);

/* The text as a string in the arena; the growing text is freed, and empty again. */
const char *text_take(Text *text, Arena *arena);

/* How many bytes of UTF-8 at `at` are one that a line of text can't hold, 0 if none is: control characters (C0, DELETE,
 * C1), separators of lines and paragraphs, and what is no character in XML. Terminals and files would take them for
 * something else than what they are in. */
size_t text_control_bytes(const char *at);

/* Whether there is none of these in it. */
bool text_is_line(const char *text);

/* The text with a question mark for each of them. */
const char *text_as_line(const char *text, Arena *arena);
