/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells which processors have free slots while a mapper places tasks one by one, and how loaded
 * they are. Private to mapping/. */
#pragma once

#include "base/arena.h"
#include "placement/platform/platform.h"

#define NOWHERE UINT32_MAX
#define ROOM_UNKNOWN (UINT32_MAX - 1)

/* Messages between a cluster's processors all cost the same: it is a node, or the smallest part of a
 * node with levels. */
typedef struct Room {
    const Platform *platform;
    uint32_t slots;
    uint32_t *held;            /* [n_processors] number of tasks on each */
    uint32_t *held_by_node;    /* [n_nodes] number of tasks on each */
    uint32_t *held_by_cluster; /* [n_clusters] likewise */
    double *load_s;            /* [n_processors] computation of the tasks on it */
    uint32_t n_clusters;
    const uint32_t *clusters; /* [n_processors] the cluster of each */
    const uint32_t *begins;   /* [n_clusters + 1] each cluster's first processor */
    uint32_t *first;          /* [n_nodes + 1] each node's first processor */
    uint32_t *best;           /* [n_clusters] last result of room_in_cluster(); ROOM_UNKNOWN: outdated */
} Room;

Room room_new(const Platform *platform, uint32_t slots, Arena *arena);

/* The cluster's processor with a free slot that holds the fewest tasks; of these the least loaded,
 * then the first. NOWHERE: none has a free slot. Valid only if all changes are made by room_take(). */
uint32_t room_in_cluster(const Room *room, uint32_t cluster);

/* The same for all clusters of a node. */
uint32_t room_on_node(const Room *room, uint32_t node);

bool room_is_on(const Room *room, uint32_t processor);

/* Puts a task on the processor. seconds: its computation at speed 1. */
void room_take(Room *room, uint32_t processor, double seconds);
