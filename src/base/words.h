/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of command lines: arrays that end with NULL. */
#pragma once

#include "base/arena.h"
#include <stddef.h>

/* Splits a text into words as a shell does, with its quotes. NULL is no text. Returns NULL, or what is wrong with the
 * text. Words are in the arena. n may be NULL. */
const char *words_split(const char *text, Arena *arena, const char *const **words, size_t *n);

/* How many there are. NULL: none. */
size_t words_count(const char *const *words);

/* The words of all lists, one after the other. The array of lists ends with NULL, too. */
const char *const *words_join(const char *const *const *lists, Arena *arena);
