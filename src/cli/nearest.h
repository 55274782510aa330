/* SPDX-License-Identifier: BSD-3-Clause */
/* "Did you mean": of some names, the one that a mistyped word is nearest to.
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

/* A name is near if it begins with the word (of at least three letters), or if few slips lead from the word to the
 * name: one for each three letters of the name. */
void nearest_try(Nearest *nearest, const char *name);

/* How many letters have to be inserted, removed, replaced, or exchanged with the next one. SIZE_MAX: a word is longer
 * than any name. */
size_t edit_distance(const char *from, const char *to);
