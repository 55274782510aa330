/* SPDX-License-Identifier: BSD-3-Clause */
/* "Did you mean": finds the name that is nearest to a mistyped word.
 *
 *     Nearest nearest = nearest_to("phsaes");
 *     for (…) nearest_try(&nearest, name);
 *     if (nearest.name) … */
#pragma once

#include <stddef.h>

typedef struct Nearest {
    const char *word;
    const char *name; /* the nearest name so far; NULL: no name is near */
    size_t distance;
} Nearest;

Nearest nearest_to(const char *word);

/* Takes a name into account. A name is near if it begins with the word (of at least three letters).
 * It is also near if its edit distance to the word is at most a third of its length. */
void nearest_try(Nearest *nearest, const char *name);

/* The number of letters to insert, remove, replace, or exchange with the next one. SIZE_MAX: a word
 * is longer than any name. */
size_t edit_distance(const char *from, const char *to);
