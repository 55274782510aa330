/* SPDX-License-Identifier: BSD-3-Clause */
/* See word.h. */
#include "comm/word.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *word_pack(const json_t *document, Arena *arena)
{
    char *text = json_dumps(document, JSON_COMPACT);
    size_t length = text ? strlen(text) : 0;
    char *digits = arena_new_array(arena, char, 2 * length + 1);
    for (size_t i = 0; i < length; i++)
        snprintf(digits + 2 * i, 3, "%02x", (unsigned char)text[i]);
    free(text);
    return digits;
}

const char *word_unpack(const char *word, Arena *arena)
{
    size_t length = strlen(word) / 2;
    if (strspn(word, "0123456789abcdef") != strlen(word) || strlen(word) % 2)
        return NULL;
    char *text = arena_new_array(arena, char, length + 1);
    for (size_t i = 0; i < length; i++) {
        const char pair[3] = {word[2 * i], word[2 * i + 1], '\0'};
        text[i] = (char)strtoul(pair, NULL, 16);
    }
    return text;
}
