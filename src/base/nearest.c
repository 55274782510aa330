/* SPDX-License-Identifier: BSD-3-Clause */
/* See nearest.h. Damerau-Levenshtein distance, restricted: no letter moves twice. */
#include "base/nearest.h"

#include <stdint.h>
#include <string.h>

enum { LENGTH_LIMIT = 32, PREFIX_LEAST = 3 };

/* How many slips a name may hold: 1 in up to 4 letters, 2 in up to 7, and so on. */
static size_t slips_allowed(const char *name)
{
    enum { LETTERS_A_SLIP = 3 };
    size_t slips = (strlen(name) + 1) / LETTERS_A_SLIP;
    return slips ? slips : 1;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* rows[i % 3][j] is the distance from the first i letters of `from` to the first j letters of
 * `to`. */
size_t edit_distance(const char *from, const char *to)
{
    size_t from_length = strlen(from), to_length = strlen(to), rows[3][LENGTH_LIMIT + 1];
    if (from_length > LENGTH_LIMIT || to_length > LENGTH_LIMIT)
        return SIZE_MAX;
    for (size_t j = 0; j <= to_length; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= from_length; i++) {
        size_t *row = rows[i % 3], *above = rows[(i - 1) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= to_length; j++) {
            row[j] = least(above[j - 1] + (from[i - 1] != to[j - 1]), least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
                row[j] = least(row[j], two_above[j - 2] + 1);
        }
    }
    return rows[from_length % 3][to_length];
}

Nearest nearest_to(const char *word)
{
    return (Nearest){.word = word, .distance = SIZE_MAX};
}

void nearest_try(Nearest *nearest, const char *name)
{
    size_t length = strlen(nearest->word);
    size_t distance = edit_distance(nearest->word, name);
    if (length >= PREFIX_LEAST && strncmp(nearest->word, name, length) == 0)
        distance = least(distance, 1);
    if (length == 0 || distance >= strlen(name) || distance > slips_allowed(name) || distance >= nearest->distance)
        return;
    nearest->name = name;
    nearest->distance = distance;
}
