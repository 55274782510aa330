/* SPDX-License-Identifier: BSD-3-Clause */
/* See notes.h. */
#include "formats/notes.h"

#include "base/text.h"
#include <stdarg.h>

void notes_add(Notes *notes, const char *format, ...)
{
    Text text = {0};
    va_list arguments;
    va_start(arguments, format);
    text_add_list(&text, format, arguments);
    va_end(arguments);
    *vec_push(&notes->items) = text_take(&text, notes->arena);
}

void notes_free(Notes *notes)
{
    vec_free(&notes->items);
}
