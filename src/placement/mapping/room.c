/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts tasks and free slots of processors (room.h). */
#include "placement/mapping/room.h"

#include <assert.h>

static void find_clusters(Room *room, Arena *arena)
{
    const Platform *platform = room->platform;
    uint32_t n = platform->n_processors;
    uint32_t *clusters = arena_new_array(arena, uint32_t, n), *begins = arena_new_array(arena, uint32_t, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        if (!i || platform_level(platform, i - 1, i) + 1 < platform->n_levels)
            begins[room->n_clusters++] = i;
        clusters[i] = room->n_clusters - 1;
    }
    begins[room->n_clusters] = n;
    room->clusters = clusters;
    room->begins = begins;
}

Room room_new(const Platform *platform, uint32_t slots, Arena *arena)
{
    Room room = {.platform = platform, .slots = slots};
    find_clusters(&room, arena);
    room.held = arena_new_array(arena, uint32_t, platform->n_processors);
    room.held_by_node = arena_new_array(arena, uint32_t, platform->n_nodes);
    room.held_by_cluster = arena_new_array(arena, uint32_t, room.n_clusters);
    room.load_s = arena_new_array(arena, double, platform->n_processors);
    room.first = arena_new_array(arena, uint32_t, platform->n_nodes + 1);
    room.best = arena_new_array(arena, uint32_t, room.n_clusters);
    for (uint32_t i = 0; i < platform->n_nodes; i++)
        room.first[i + 1] = platform_first(platform, i + 1);
    for (uint32_t i = 0; i < room.n_clusters; i++)
        room.best[i] = ROOM_UNKNOWN;
    return room;
}

bool room_is_on(const Room *room, uint32_t processor)
{
    return room->held[processor] < room->slots;
}

/* Whether `processor` has room, and either `best` hasn't, or `processor` has less to do. */
static bool is_better(const Room *room, uint32_t processor, uint32_t best)
{
    return room_is_on(room, processor) &&
           (best == NOWHERE || room->held[processor] < room->held[best] ||
            (room->held[processor] == room->held[best] && room->load_s[processor] < room->load_s[best]));
}

uint32_t room_in_cluster(const Room *room, uint32_t cluster)
{
    uint32_t best = NOWHERE;
    if (room->best[cluster] != ROOM_UNKNOWN)
        return room->best[cluster];
    for (uint32_t i = room->begins[cluster]; i < room->begins[cluster + 1]; i++)
        if (is_better(room, i, best))
            best = i;
    return room->best[cluster] = best;
}

uint32_t room_on_node(const Room *room, uint32_t node)
{
    uint32_t best = NOWHERE;
    for (uint32_t i = room->first[node]; i < room->first[node + 1]; i = room->begins[room->clusters[i] + 1]) {
        uint32_t candidate = room_in_cluster(room, room->clusters[i]);
        if (candidate != NOWHERE && is_better(room, candidate, best))
            best = candidate;
    }
    return best;
}

void room_take(Room *room, uint32_t processor, double seconds)
{
    uint32_t cluster = room->clusters[processor];
    assert(room_is_on(room, processor));
    room->held[processor]++;
    room->best[cluster] = ROOM_UNKNOWN;
    room->held_by_cluster[cluster]++;
    room->held_by_node[room->platform->processors[processor].node_index]++;
    room->load_s[processor] += seconds / room->platform->processors[processor].speed;
}
