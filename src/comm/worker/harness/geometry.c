/* SPDX-License-Identifier: BSD-3-Clause */
/* See geometry.h. */
#include "comm/worker/harness/geometry.h"

#include "comm/worker/harness/uneven.h"
#include <assert.h>
#include <stdbool.h>
#include <string.h>

static size_t rounded_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

static size_t at_least(size_t bytes, size_t least)
{
    return bytes < least ? least : bytes;
}

/* The operations whose blocks are uneven take any number of bytes. */
static bool find_uneven(const char *operation, size_t n, int rank, int n_ranks, Geometry *geometry)
{
    const size_t at_root = rank == 0 ? n : 0, own = uneven_block(n, rank, n_ranks);
    if (strcmp(operation, "gatherv") == 0)
        *geometry = (Geometry){n, n, own, at_root};
    else if (strcmp(operation, "scatterv") == 0)
        *geometry = (Geometry){n, n, at_root, own};
    else if (strcmp(operation, "allgatherv") == 0)
        *geometry = (Geometry){n, n, own, n};
    else if (strcmp(operation, "alltoallv") == 0)
        *geometry = (Geometry){n, n, n, n};
    else
        return false;
    return true;
}

/* "broadcast" of "ibroadcast". No blocking operation begins with an i. */
static const char *blocking(const char *operation)
{
    return operation[0] == 'i' ? operation + 1 : operation;
}

/* Operations of messages between two processes, or of several such pairs. */
static bool is_of_messages(const char *operation)
{
    static const char *const names[] = {"pingpong", "stream", "bidirectional", "pairs", "put", "get"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(operation, names[i]) == 0)
            return true;
    return false;
}

Geometry geometry_of(const char *name, size_t bytes, size_t least_bytes, int rank, int n_ranks)
{
    const char *operation = blocking(name);
    const bool is_root = rank == 0;
    if (strcmp(operation, "barrier") == 0)
        return (Geometry){0};
    if (is_of_messages(operation)) {
        size_t n = at_least(bytes, least_bytes);
        return (Geometry){n, n, n, n};
    }
    if (strcmp(operation, "broadcast") == 0 || strcmp(operation, "multicast") == 0) {
        size_t n = at_least(bytes, least_bytes);
        return (Geometry){n, n, 0, n};
    }
    if (strcmp(operation, "reduce") == 0 || strcmp(operation, "allreduce") == 0) {
        size_t n = rounded_up(at_least(bytes, sizeof(double)), sizeof(double));
        return (Geometry){n, n, n, n};
    }
    Geometry uneven;
    if (find_uneven(operation, at_least(bytes, least_bytes), rank, n_ranks, &uneven))
        return uneven;
    size_t n = rounded_up(at_least(bytes, least_bytes), (size_t)n_ranks), block = n / (size_t)n_ranks;
    if (strcmp(operation, "scatter") == 0)
        return (Geometry){n, block, is_root ? n : 0, block};
    if (strcmp(operation, "gather") == 0)
        return (Geometry){n, block, block, is_root ? n : 0};
    if (strcmp(operation, "allgather") == 0)
        return (Geometry){n, block, block, n};
    assert(strcmp(operation, "alltoall") == 0);
    return (Geometry){n, block, n, n};
}
