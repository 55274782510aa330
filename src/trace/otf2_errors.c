/* SPDX-License-Identifier: BSD-3-Clause */
/* See otf2_errors.h. OTF2's handler is one per process. It reports an error once per level of its call stack, the
 * cause first. */
#include "trace/otf2_errors.h"

#include <otf2/otf2.h>
#include <stdbool.h>
#include <stdio.h>

static char first[512];

static OTF2_ErrorCode keep_first(void *user, const char *file, uint64_t line, const char *function, OTF2_ErrorCode code,
                                 const char *format, va_list arguments)
{
    (void)user;
    (void)file;
    (void)line;
    (void)function;
    bool harmless = code == OTF2_SUCCESS || code == OTF2_WARNING || code == OTF2_DEPRECATED;
    if (first[0] || harmless)
        return code;
    char detail[384] = "";
    if (format && *format)
        vsnprintf(detail, sizeof detail, format, arguments);
    snprintf(first, sizeof first, "%s%s%s", OTF2_Error_GetDescription(code), detail[0] ? ": " : "", detail);
    return code;
}

void otf2_errors_start(void)
{
    first[0] = '\0';
    OTF2_Error_RegisterCallback(keep_first, NULL);
}

const char *otf2_errors_first(void)
{
    return first;
}
