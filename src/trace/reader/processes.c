/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the locations of each process of MPI_COMM_WORLD; see definitions.h. */
#include "trace/reader/definitions.h"

#include <stdlib.h>

static int compare_locations(const void *a, const void *b)
{
    const Location *x = a, *y = b;
    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    if (x->is_main != y->is_main)
        return x->is_main ? -1 : 1;
    return (x->ref > y->ref) - (x->ref < y->ref);
}

static const RawGroup *comm_locations(const Definitions *definitions)
{
    for (size_t i = 0; i < definitions->group_list.count; i++)
        if (definitions->group_list.items[i].type == OTF2_GROUP_TYPE_COMM_LOCATIONS &&
            definitions->group_list.items[i].paradigm == OTF2_PARADIGM_MPI)
            return &definitions->group_list.items[i];
    return NULL;
}

static bool is_thread(const Definitions *definitions, const RawLocation *location)
{
    return (location->type == OTF2_LOCATION_TYPE_CPU_THREAD || location->type == OTF2_LOCATION_TYPE_UNKNOWN) &&
           ref_table_get(&definitions->accelerators, location->group) == NOT_FOUND;
}

/* Finds the ranks of the world. COMM_LOCATIONS lists one location for each rank, in order. The
 * other threads of that location's group are threads of the process, unless several ranks share the
 * group. */
static bool assign_ranks(const Definitions *definitions, const RawGroup *world, uint32_t *rank_of_location,
                         RefTable *rank_of_group, Err *err)
{
    enum { SHARED = NOT_FOUND - 1 };
    const Archive *archive = definitions->archive;
    RefTable index = {0};
    for (size_t i = 0; i < definitions->locations.count; i++) {
        ref_table_put(&index, definitions->locations.items[i].ref, (uint32_t)i);
        rank_of_location[i] = NOT_FOUND;
    }
    bool ok = true;
    for (uint32_t rank = 0; ok && rank < world->n_members; rank++) {
        uint32_t i = ref_table_get(&index, world->members[rank]);
        if (i == NOT_FOUND) {
            ok = err_set(err, ERR_INPUT, "%s: MPI rank %u is location %lu, which isn't defined",
                         definitions_path(archive), rank, (unsigned long)world->members[rank]);
        } else if (rank_of_location[i] != NOT_FOUND) {
            ok = err_set(err, ERR_INPUT, "%s: MPI ranks %u and %u are the same location %lu", definitions_path(archive),
                         rank_of_location[i], rank, (unsigned long)world->members[rank]);
        } else {
            uint32_t group = definitions->locations.items[i].group;
            rank_of_location[i] = rank;
            ref_table_put(rank_of_group, group, ref_table_get(rank_of_group, group) == NOT_FOUND ? rank : SHARED);
        }
    }
    for (size_t i = 0; ok && i < definitions->locations.count; i++) {
        const RawLocation *location = &definitions->locations.items[i];
        uint32_t rank = ref_table_get(rank_of_group, location->group);
        if (rank_of_location[i] == NOT_FOUND && rank != SHARED && is_thread(definitions, location))
            rank_of_location[i] = rank;
    }
    ref_table_free(&index);
    return ok;
}

static void build_locations(Archive *archive, const Definitions *definitions, const RawGroup *world,
                            const uint32_t *rank_of_location)
{
    archive->locations = arena_new_array(archive->arena, Location, definitions->locations.count);
    archive->processes = arena_new_array(archive->arena, Process, world->n_members);
    for (size_t i = 0; i < definitions->locations.count; i++) {
        if (rank_of_location[i] == NOT_FOUND)
            continue;
        const RawLocation *raw = &definitions->locations.items[i];
        archive->locations[archive->n_locations++] = (Location){
            .archive = archive,
            .ref = raw->ref,
            .n_promised = raw->n_events,
            .process = rank_of_location[i],
            .is_main = world->members[rank_of_location[i]] == raw->ref,
        };
        archive->n_total += raw->n_events == OTF2_UNDEFINED_UINT64 ? 0 : raw->n_events;
    }
    qsort(archive->locations, archive->n_locations, sizeof(Location), compare_locations);
    for (size_t i = archive->n_locations; i-- > 0;) {
        Process *process = &archive->processes[archive->locations[i].process];
        process->locations = &archive->locations[i];
        process->n_locations++;
    }
}

bool tables_build_processes(Archive *archive, const Definitions *definitions, Err *err)
{
    const RawGroup *world = comm_locations(definitions);
    if (!world || world->n_members == 0)
        return err_set(err, ERR_INPUT, "%s: no MPI processes in this archive", definitions_path(archive));
    if (world->n_members > definitions->locations.count)
        return err_set(err, ERR_INPUT, "%s: %u MPI ranks, but only %zu locations", definitions_path(archive),
                       world->n_members, definitions->locations.count);
    archive->n_processes = world->n_members;
    uint32_t *rank_of_location = arena_new_array(definitions->scratch, uint32_t, definitions->locations.count);
    RefTable rank_of_group = {0};
    bool ok = assign_ranks(definitions, world, rank_of_location, &rank_of_group, err);
    if (ok)
        build_locations(archive, definitions, world, rank_of_location);
    ref_table_free(&rank_of_group);
    return ok;
}
