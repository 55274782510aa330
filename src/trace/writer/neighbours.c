/* SPDX-License-Identifier: BSD-3-Clause */
/* See neighbours.h. */
#include "trace/writer/neighbours.h"

#include "base/map.h"
#include "base/text.h"
#include "trace/archive_names.h"

/* Most neighbours in an archive: some 20 MB of text. */
enum { NEIGHBOURS_LIMIT = 1 << 22 };

static MapKey key_of(uint32_t comm, uint32_t rank)
{
    return (MapKey){comm, rank};
}

/* False: some member's neighbours aren't known. */
static bool find_members(const CommTable *comms, const Map *local_of, Topology *topology, Arena *arena)
{
    const MemberList *list = &comms->lists[comms->comms[topology->comm].a];
    uint64_t *ranks = arena_new_array(arena, uint64_t, list->n_inside);
    CommNeighbours *members = arena_new_array(arena, CommNeighbours, list->n_members);
    if (list->n_inside < list->n_members)
        return false;
    member_list_expand(list, ranks);
    for (uint32_t i = 0; i < list->n_members; i++) {
        const uint64_t *at = map_get(local_of, key_of(topology->comm, (uint32_t)ranks[i]));
        if (!at)
            return false;
        const LocalComm *local = &comms->local[*at];
        members[i] = (CommNeighbours){local->n_sources, local->n_destinations, local->neighbours,
                                      local->neighbours + local->n_sources};
    }
    topology->n_members = list->n_members;
    topology->members = members;
    return true;
}

Topologies topologies_find(const Recording *recording, const CommTable *comms, Arena *arena)
{
    Topologies topologies = {0};
    Map local_of = {0}, is_there = {0};
    VEC(uint32_t) numbers = {0};
    for (uint32_t rank = 0; rank < recording->n_processes; rank++)
        for (uint64_t i = comms->first[rank]; i < comms->first[rank + 1]; i++) {
            const uint32_t comm = comms->local[i].comm;
            if (!comms->local[i].neighbours)
                continue;
            *map_put(&local_of, key_of(comm, rank), NULL) = i;
            if (map_number(&is_there, key_of(comm, 0), numbers.count) == numbers.count)
                *vec_push(&numbers) = comm;
        }
    for (size_t i = 0; i < numbers.count; i++) {
        Topology topology = {.comm = numbers.items[i]};
        if (find_members(comms, &local_of, &topology, arena))
            *vec_push(&topologies) = topology;
    }
    vec_free(&numbers);
    map_free(&local_of);
    map_free(&is_there);
    return topologies;
}

static uint64_t count_neighbours(const Topology *topology)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < topology->n_members; i++)
        n += (uint64_t)topology->members[i].n_sources + topology->members[i].n_destinations;
    return n;
}

static void add_list(Text *text, const uint32_t *places, uint32_t n)
{
    text_add(text, "[");
    for (uint32_t i = 0; i < n; i++)
        text_add(text, "%s%u", i ? "," : "", places[i]);
    text_add(text, "]");
}

static void add_topology(Text *text, const Topology *topology)
{
    text_add(text, "[%u", topology->comm);
    for (uint32_t i = 0; i < topology->n_members; i++) {
        const CommNeighbours *member = &topology->members[i];
        text_add(text, ",[");
        add_list(text, member->sources, member->n_sources);
        text_add(text, ",");
        add_list(text, member->destinations, member->n_destinations);
        text_add(text, "]");
    }
    text_add(text, "]");
}

bool topologies_write(ArchiveOutput *output, Topologies *topologies, Err *err)
{
    Text text = {0};
    uint64_t n = 0;
    for (size_t i = 0; i < topologies->count; i++) {
        const uint64_t n_more = n + count_neighbours(&topologies->items[i]);
        if (n_more > NEIGHBOURS_LIMIT)
            continue;
        text_add(&text, "%s", text.bytes.count ? "," : "[");
        add_topology(&text, &topologies->items[i]);
        n = n_more;
    }
    vec_free(topologies);
    *topologies = (Topologies){0};
    if (!text.bytes.count)
        return true;
    text_add(&text, "]%c", '\0');
    OTF2_ErrorCode status = OTF2_Archive_SetProperty(output->otf2, PROPERTY_NEIGHBOURS, text.bytes.items, true);
    vec_free(&text.bytes);
    return output_check(output, "properties", status, err);
}
