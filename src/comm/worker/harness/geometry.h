/* SPDX-License-Identifier: BSD-3-Clause */
/* How many bytes an operation on n bytes needs at each rank: see comm/protocol.h, "Sizes". */
#pragma once

#include <stddef.h>

typedef struct Geometry {
    size_t moved_bytes; /* n, rounded up so that it can be divided */
    size_t block;       /* as in CollectiveCall */
    size_t send_bytes, receive_bytes;
} Geometry;

/* `least_bytes` is the size of the transport's smallest message, or of a collective's smallest vector. */
Geometry geometry_of(const char *operation, size_t bytes, size_t least_bytes, int rank, int n_ranks);
