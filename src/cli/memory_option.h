/* SPDX-License-Identifier: BSD-3-Clause */
/* --memory, the same in every verb that analyses a trace. */
#ifndef FIRMA_CLI_MEMORY_OPTION_H
#define FIRMA_CLI_MEMORY_OPTION_H

#include "base/err.h"
#include <popt.h>
#include <stddef.h>

#define MEMORY_OPTION(text)                                                                                            \
    {                                                                                                                  \
        "memory", '\0', POPT_ARG_STRING, (text), 0,                                                                    \
            "what ordering may hold of the trace at a time, such as 512M or 2G; by default half of the machine's "     \
            "memory",                                                                                                  \
            "SIZE"                                                                                                     \
    }

/* "512M": K, M, G, T are powers of 1024; no letter: bytes. NULL: the default. */
bool memory_option_parse(const char *text, size_t *size_bytes, Err *err);

#endif
