/* SPDX-License-Identifier: BSD-3-Clause */
/* See quoting.h. */
#include "comm/quoting.h"

#include "base/text.h"
#include <stdio.h>
#include <string.h>

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

const char *quoting_pack(const char *text, Arena *arena)
{
    Text packed = {0};
    for (const char *c = text; *c; c++)
        text_add(&packed, strchr(plain, *c) ? "%c" : "%%%02X", (unsigned char)*c);
    return text_take(&packed, arena);
}

const char *quoting_unpack(const char *word, Arena *arena)
{
    if (*word != '%')
        return word;
    Text text = {0};
    for (const char *c = word; *c; c++) {
        unsigned code = (unsigned char)*c;
        if (*c == '%') {
            int length = 0;
            if (sscanf(c + 1, "%2x%n", &code, &length) != 1 || length != 2 || code == 0) {
                text_take(&text, arena);
                return NULL;
            }
            c += 2;
        }
        text_add(&text, "%c", (int)code);
    }
    return text_take(&text, arena);
}
