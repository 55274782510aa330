/* SPDX-License-Identifier: BSD-3-Clause */
/* The content of a stretch of the logical trace: its send-like events, by tick, then process. */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "model/signature.h"

typedef struct Content {
    VEC(PhaseEvent) events;
    VEC(uint32_t) places; /* for each event: the number of its (process, type), see Places */
    /* [n_ticks] index of each tick's first event; content_tick_end() gives the end. */
    VEC(uint32_t) tick_starts;
} Content; /* zero-initialise */

static inline size_t content_tick_end(const Content *content, size_t tick)
{
    return tick + 1 < content->tick_starts.count ? content->tick_starts.items[tick + 1] : content->events.count;
}

void content_free(Content *content);
void content_clear(Content *content);

/* Appends ticks [from, to) of the source to the target. */
void content_append(Content *target, const Content *source, size_t from, size_t to);

MapKey content_hash(const Content *content);

/* Numbers pairs of process and type, from 0. Stores the tick in which each was last seen. */
typedef struct Places {
    Map numbers;
    VEC(uint64_t) last_tick; /* [place number] tick + 1, or 0 */
    struct PlaceCacheEntry *cache;
    size_t cache_mask;
} Places;

void places_init(Places *places, uint32_t n_processes);
void places_free(Places *places);
uint32_t places_find(Places *places, uint32_t process, CommType type);
