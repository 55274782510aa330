/* SPDX-License-Identifier: BSD-3-Clause */
/* See err.h. Messages and hints that are too long are cut off. */
#include "base/err.h"

#include <stdio.h>
#include <string.h>

bool err_set(Err *err, ErrKind kind, const char *format, ...)
{
    err->kind = kind;
    err->hint[0] = '\0';
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(err->message, sizeof err->message, format, arguments);
    va_end(arguments);
    return false;
}

bool err_hint(Err *err, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(err->hint, sizeof err->hint, format, arguments);
    va_end(arguments);
    return false;
}

bool err_prefix(Err *err, const char *format, ...)
{
    char prefixed[sizeof err->message];
    va_list arguments;
    va_start(arguments, format);
    int used = vsnprintf(prefixed, sizeof prefixed, format, arguments);
    va_end(arguments);
    if (used < 0 || (size_t)used >= sizeof prefixed)
        return false;
    snprintf(prefixed + used, sizeof prefixed - (size_t)used, ": %s", err->message);
    memcpy(err->message, prefixed, sizeof err->message);
    return false;
}
