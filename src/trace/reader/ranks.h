/* SPDX-License-Identifier: BSD-3-Clause */
/* Translates the communicator and ranks of an archive's event to those of the trace. Inline,
 * because every message passes here. Private to trace/. */
#pragma once

#include "trace/reader/calls.h"

/* Returns NULL, and reading fails, if the communicator isn't defined. */
static inline const ReadComm *location_find_comm(Location *location, OTF2_CommRef ref)
{
    uint32_t i = ref_table_get(&location->archive->comms, ref);
    if (__builtin_expect(i != NOT_FOUND, 1))
        return &location->archive->read_comms.items[i];
    location_fail(location, "an event refers to communicator %u, which isn't defined", ref);
    return NULL;
}

/* The communicator's index in Trace.comms. */
static inline uint32_t location_comm_index(const Location *location, const ReadComm *comm)
{
    return comm->is_self ? comm->first + location->process : comm->first;
}

/* *world becomes the world rank of a rank that this location's event names. Reading fails if the
 * communicator has no such rank. */
static inline bool location_world_rank(Location *location, const ReadComm *comm, uint32_t rank, uint32_t *world)
{
    const uint32_t *members = comm->a;
    uint32_t n = comm->n_a;
    if (__builtin_expect(comm->is_self || comm->is_inter, 0)) {
        if (comm->is_self) {
            members = &location->process;
            n = 1;
        } else if (comm->in_a[location->process / 8] >> location->process % 8 & 1) {
            members = comm->b;
            n = comm->n_b;
        }
    }
    if (__builtin_expect(rank >= n, 0)) {
        location_fail(location, "an event names rank %u of a communicator of %u", rank, n);
        return false;
    }
    *world = members[rank];
    return true;
}
