/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats quantities for people, in the same way in every verb: "12.3 ms", "4.00 GB", "1 234 567",
 * "97.5 %". If the unit scales, there are three significant digits. UTF-8. Results in the arena. */
#pragma once

#include "base/arena.h"
#include "base/text.h"
#include <stdint.h>

/* In ns, µs, ms or s; from two minutes on "2 min 05 s", "3 h 20 min". */
const char *format_seconds(Arena *arena, double seconds);
const char *format_bytes(Arena *arena, double size_bytes); /* decimal units: B, kB, MB, … */
const char *format_rate(Arena *arena, double per_s);       /* "1.20 M/s" */
const char *format_count(Arena *arena, uint64_t count);    /* groups of three digits */
const char *format_percent(Arena *arena, double share);    /* 0.975 is "97.5 %" */

/* A name in one line, of at most `room` characters: a longer one ends with …. */
const char *format_name(Arena *arena, const char *name, size_t room);

/* Adds the first `length` bytes of a paragraph in lines of at most `columns` characters, and a newline. The first line
 * begins at `column`; the others are indented. A number and the word behind it, such as its unit, stay together. */
void format_add_filled(Text *text, const char *paragraph, size_t length, size_t column, size_t indent, size_t columns);
