/* SPDX-License-Identifier: BSD-3-Clause */
/* What an operation on n bytes needs of each rank: comm/protocol.h, "Sizes". */
#pragma once

#include <stddef.h>

typedef struct Geometry {
    size_t moved_bytes; /* n, rounded up to what can be divided */
    size_t block;       /* of CollectiveCall */
    size_t send_bytes, receive_bytes;
} Geometry;

/* `least_bytes` is the least that the transport can move in one message. */
Geometry geometry_of(const char *operation, size_t bytes, size_t least_bytes, int rank, int n_ranks);
