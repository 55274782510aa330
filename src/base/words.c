/* SPDX-License-Identifier: BSD-3-Clause */
/* See words.h. */
#include "base/words.h"

#include <popt.h>
#include <stdlib.h>
#include <string.h>

const char *words_split(const char *text, Arena *arena, const char *const **words, size_t *n)
{
    int count = 0;
    const char **found = NULL;
    int status = text && text[strspn(text, " \t\n")] ? poptParseArgvString(text, &count, &found) : 0;
    if (status != 0)
        return poptStrerror(status);
    const char **kept = arena_new_array(arena, const char *, (size_t)count + 1);
    for (int i = 0; i < count; i++)
        kept[i] = arena_strdup(arena, found[i]);
    free(found);
    *words = kept;
    if (n)
        *n = (size_t)count;
    return NULL;
}

size_t words_count(const char *const *words)
{
    size_t n = 0;
    while (words && words[n])
        n++;
    return n;
}

const char *const *words_join(const char *const *const *lists, Arena *arena)
{
    size_t n = 0;
    for (size_t i = 0; lists[i]; i++)
        n += words_count(lists[i]);
    const char **joined = arena_new_array(arena, const char *, n + 1), **at = joined;
    for (size_t i = 0; lists[i]; i++)
        for (size_t k = 0; lists[i][k]; k++)
            *at++ = lists[i][k];
    return joined;
}
