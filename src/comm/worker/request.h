/* SPDX-License-Identifier: BSD-3-Clause */
/* What a worker was asked for (comm/protocol.h), checked. */
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
    int *cpus; /* COMM_CPU_ANY: any */
    bool all_pairs, by_windows, touch;
    double seconds, target;
    uint64_t least, most, warmup;
    size_t rotate_bytes;
} Request;

/* The names' own constants; NULL if it isn't an operation. */
const char *request_operation(const char *name);

/* `text`, JSON or that packed (comm/word.h), to its document, whose reference the caller owns. ERR_INPUT: it isn't an
 * object, with the place. */
bool request_load(const char *text, json_t **document, Err *err);

/* Texts in the request are the document's. What belongs to transports alone ("packing", "peers", "connect") is left to
 * them, but for the number of peers. ERR_INPUT names the member. */
bool request_parse(const json_t *document, Arena *arena, Request *request, Err *err);
