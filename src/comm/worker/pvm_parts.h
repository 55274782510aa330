/* SPDX-License-Identifier: BSD-3-Clause */
/* What a message of n bytes is packed as in PVM. XDR costs nothing for bytes and much for numbers, so a message is as
 * many doubles as fit, as a numerical program would send, and the few bytes that are left. */
#pragma once

#include <stddef.h>

typedef struct PvmParts {
    int doubles, bytes;
} PvmParts;

/* size_bytes: at most COMM_BYTES_LIMIT. */
static inline PvmParts pvm_parts_of(size_t size_bytes)
{
    return (PvmParts){(int)(size_bytes / sizeof(double)), (int)(size_bytes % sizeof(double))};
}
