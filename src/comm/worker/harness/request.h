/* SPDX-License-Identifier: BSD-3-Clause */
/* The request to a worker (comm/protocol.h), checked. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Request {
    const char *transport;
    const char **operations; /* constants of COMM_OPERATIONS */
    size_t n_operations, n_sizes, n_cpus, n_peers;
    size_t *sizes;
    int *cpus; /* COMM_CPU_ANY: not bound */
    bool all_pairs, by_windows, touch;
    double seconds, target;
    uint64_t least, most, warmup;
    size_t rotate_bytes;
} Request;

/* Parses `text`, plain JSON or packed by comm/word.h. The caller owns the document's reference.
 * ERR_INPUT: not an object; gives the position. */
bool request_load(const char *text, json_t **document, Err *err);

/* Checks and converts a document, which keeps owning the strings. Of "packing", "peers" and
 * "connect", it checks the number of peers alone; the transports check the rest. ERR_INPUT: names
 * the member. */
bool request_parse(const json_t *document, Arena *arena, Request *request, Err *err);
