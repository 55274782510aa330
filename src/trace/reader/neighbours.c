/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the topologies of communicators (PROPERTY_NEIGHBOURS). What isn't as firma writes it is
 * ignored: then the topology isn't known. */
#include "trace/reader/definitions.h"

#include <jansson.h>

static bool read_places(const json_t *array, uint32_t n_members, Arena *arena, const uint32_t **places, uint32_t *n)
{
    size_t count = json_array_size(array);
    uint32_t *read = arena_new_array(arena, uint32_t, count);
    if (!json_is_array(array) || count > UINT32_MAX)
        return false;
    for (size_t i = 0; i < count; i++) {
        json_int_t place = json_integer_value(json_array_get(array, i));
        if (!json_is_integer(json_array_get(array, i)) || place < 0 || place >= n_members)
            return false;
        read[i] = (uint32_t)place;
    }
    *places = read;
    *n = (uint32_t)count;
    return true;
}

static const CommNeighbours *read_members(const json_t *array, uint32_t n_members, Arena *arena)
{
    CommNeighbours *members = arena_new_array(arena, CommNeighbours, n_members);
    if (json_array_size(array) != (size_t)n_members + 1)
        return NULL;
    for (uint32_t i = 0; i < n_members; i++) {
        const json_t *member = json_array_get(array, i + 1);
        if (!read_places(json_array_get(member, 0), n_members, arena, &members[i].sources, &members[i].n_sources) ||
            !read_places(json_array_get(member, 1), n_members, arena, &members[i].destinations,
                         &members[i].n_destinations))
            return NULL;
    }
    return members;
}

void tables_read_neighbours(Archive *archive, const char *text, Comm *comms)
{
    json_t *array = json_loads(text, 0, NULL), *item;
    size_t i;
    json_array_foreach(array, i, item) {
        json_int_t ref = json_integer_value(json_array_get(item, 0));
        uint32_t at = json_is_integer(json_array_get(item, 0)) && ref >= 0 && ref < UINT32_MAX
                          ? ref_table_get(&archive->comms, (uint64_t)ref)
                          : NOT_FOUND;
        const ReadComm *read = at == NOT_FOUND ? NULL : &archive->read_comms.items[at];
        if (read && !read->is_self && !read->is_inter)
            comms[read->first].neighbours = read_members(item, comms[read->first].n_members, archive->arena);
    }
    json_decref(array);
}
