/* SPDX-License-Identifier: BSD-3-Clause */
/* Events that wait long to be handed on, in about a quarter of the space: what resembles the event before is left out
 * or told as a difference. Private to trace/. */
#pragma once

#include "model/event.h"

typedef struct Packed {
    uint8_t *bytes;
    size_t count, capacity; /* bytes in use, allocated */
    size_t at;              /* of the next event to be taken */
    size_t n_events;        /* that are left */
    struct PackedContext {
        uint32_t comm, tag;
        uint64_t bytes, request;
        int64_t enter_ns;
    } first, next; /* what stood before the next event to be taken, and before the next to be added */
} Packed;          /* zero-initialise */

void packed_add(Packed *packed, const Event *events, size_t count);

/* At most `capacity` events, in order; returns how many. */
size_t packed_take(Packed *packed, Event *events, size_t capacity);

/* Gives back the memory that isn't used. */
void packed_trim(Packed *packed);
void packed_free(Packed *packed);
