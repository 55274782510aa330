/* SPDX-License-Identifier: BSD-3-Clause */
/* Which processors still have room while a mapper places tasks one by one, and how loaded they are. Private to
 * mapping/. */
#pragma once

#include "base/arena.h"
#include "placement/mapping/platform.h"

#define NOWHERE UINT32_MAX
#define ROOM_UNKNOWN (UINT32_MAX - 1)

typedef struct Room {
    const Platform *platform;
    uint32_t slots;
    uint32_t *held;         /* [n_processors] tasks */
    uint32_t *held_by_node; /* [n_nodes] tasks */
    double *load_s;         /* [n_processors] their computation there */
    uint32_t *first;        /* [n_nodes + 1] each node's first processor */
    uint32_t *best;         /* [n_nodes] what room_on_node has found; ROOM_UNKNOWN: to be looked for */
} Room;

Room room_new(const Platform *platform, uint32_t slots, Arena *arena);

/* Of rooms that are changed by room_take alone: the node's processor with room that holds the fewest tasks, then is the
 * least loaded, then the first; NOWHERE: it's full. */
uint32_t room_on_node(const Room *room, uint32_t node);

bool room_is_on(const Room *room, uint32_t processor);

/* A task that computes so long at speed 1. */
void room_take(Room *room, uint32_t processor, double seconds);
