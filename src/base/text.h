/* SPDX-License-Identifier: BSD-3-Clause */
/* A text that grows:  Text text = {0};  text_add(&text, "%d", 1);  text.bytes.items;  text_take(&text, arena). */
#ifndef FIRMA_BASE_TEXT_H
#define FIRMA_BASE_TEXT_H

#include "base/vec.h"

typedef struct Text {
    VEC(char) bytes; /* without a terminating zero */
} Text;

void text_add(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* `count` times the same character. */
void text_repeat(Text *text, char c, size_t count);

/* The text as a string in the arena; the growing text is freed, and empty again. */
const char *text_take(Text *text, Arena *arena);

#endif
