/* SPDX-License-Identifier: BSD-3-Clause */
/* How a message of n bytes is packed in PVM: as many doubles as fit, then the remaining bytes. A
 * numerical program would send doubles, too. XDR converts numbers at a high cost, and bytes for
 * free. */
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
