/* SPDX-License-Identifier: BSD-3-Clause */
/* See otf2_errors.h. OTF2 has one error handler for the whole process. It reports an error once per
 * level of its call stack, the cause first. */
#include "trace/otf2_errors.h"

#include "trace/otf2_callbacks.h"
#include <stdio.h>

static char first[512];

static OTF2_ErrorCode keep_first(UNUSED void *user, UNUSED const char *file, UNUSED uint64_t line,
                                 UNUSED const char *function, OTF2_ErrorCode code, const char *format,
                                 va_list arguments)
{
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

const char *otf2_errors_cause(OTF2_ErrorCode status)
{
    return first[0] ? first : OTF2_Error_GetDescription(status);
}

bool otf2_errors_set(Err *err, const char *path, const char *what)
{
    return err_set(err, ERR_INPUT, "%s: %s%s%s", path, what, first[0] ? ": " : "", first);
}
