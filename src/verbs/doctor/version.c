/* SPDX-License-Identifier: BSD-3-Clause */
/* See version.h. */
#include "verbs/doctor/version.h"

#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"

const char *version_in(const char *text, Arena *arena)
{
    const char *whole = "";
    for (text += strcspn(text, DIGITS); *text; text += strcspn(text, DIGITS)) {
        size_t length = strspn(text, DIGITS ".");
        if (memchr(text, '.', length - 1))
            return arena_strndup(arena, text, length);
        if (!*whole)
            whole = arena_strndup(arena, text, strspn(text, DIGITS));
        text += length;
    }
    return whole;
}

int version_major(const char *version)
{
    return atoi(version);
}
