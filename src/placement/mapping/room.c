/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts tasks and free slots of processors (room.h). */
#include "placement/mapping/room.h"

#include <assert.h>

Room room_new(const Platform *platform, uint32_t slots, Arena *arena)
{
    Room room = {.platform = platform, .slots = slots};
    room.held = arena_new_array(arena, uint32_t, platform->n_processors);
    room.held_by_node = arena_new_array(arena, uint32_t, platform->n_nodes);
    room.load_s = arena_new_array(arena, double, platform->n_processors);
    room.first = arena_new_array(arena, uint32_t, platform->n_nodes + 1);
    room.best = arena_new_array(arena, uint32_t, platform->n_nodes);
    for (uint32_t i = 0; i < platform->n_nodes; i++) {
        room.best[i] = ROOM_UNKNOWN;
        room.first[i + 1] = platform_first(platform, i + 1);
    }
    return room;
}

bool room_is_on(const Room *room, uint32_t processor)
{
    return room->held[processor] < room->slots;
}

static uint32_t find_on_node(const Room *room, uint32_t node)
{
    uint32_t best = NOWHERE;
    for (uint32_t i = room->first[node]; i < room->first[node + 1]; i++)
        if (room_is_on(room, i) && (best == NOWHERE || room->held[i] < room->held[best] ||
                                    (room->held[i] == room->held[best] && room->load_s[i] < room->load_s[best])))
            best = i;
    return best;
}

uint32_t room_on_node(const Room *room, uint32_t node)
{
    if (room->best[node] == ROOM_UNKNOWN)
        room->best[node] = find_on_node(room, node);
    return room->best[node];
}

void room_take(Room *room, uint32_t processor, double seconds)
{
    assert(room_is_on(room, processor));
    room->held[processor]++;
    room->best[room->platform->processors[processor].node_index] = ROOM_UNKNOWN;
    room->held_by_node[room->platform->processors[processor].node_index]++;
    room->load_s[processor] += seconds / room->platform->processors[processor].speed;
}
