/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores events that wait for a long time in about a quarter of their size. Members that equal
 * those of the event before are left out; others are stored as differences. Private to trace/. */
#pragma once

#include "model/event.h"

typedef struct Packed {
    uint8_t *bytes;
    size_t count, capacity; /* bytes in use, allocated */
    size_t at;              /* offset of the next event to take */
    size_t n_events;        /* events left to take */
    struct PackedContext {
        uint32_t comm, tag;
        uint64_t bytes, request;
        int64_t enter_ns;
    } first, next; /* the event before the next one to take, and before the next one to add */
} Packed;          /* zero-initialise */

void packed_add(Packed *packed, const Event *events, size_t count);

/* Takes at most `capacity` events, in order. Returns their number. */
size_t packed_take(Packed *packed, Event *events, size_t capacity);

/* Frees the unused part of the allocation. */
void packed_trim(Packed *packed);
void packed_free(Packed *packed);
