/* SPDX-License-Identifier: BSD-3-Clause */
/* The process's communicators and RMA windows by handle, each with its number in .comms. The handle
 * of a freed communicator is removed, because MPI uses it again. */
#pragma once

#include "trace/recorder/library.h"

typedef struct CommEntry {
    uint64_t handle;
    uint32_t number; /* in .comms */
    uint64_t offset; /* there */
    bool written;
    int rank; /* of this process, in its own group */
    uint32_t n_local, n_remote;
    bool inter;
    bool has_neighbours; /* the next three members are known */
    uint32_t n_sources, n_destinations;
    uint64_t absent; /* bit i: neighbour i of a Cartesian grid is MPI_PROC_NULL */
    struct CommEntry *next;
} CommEntry;

extern uint64_t comms_generation; /* changes when a handle is removed */

/* The communicator of a handle. With `add`, an unknown handle (the recorder missed the call that
 * created the communicator) is added now. NULL: no communicator, or recording had to stop. */
CommEntry *comm_find_slowly(Thread *thread, uint64_t handle, bool add);

/* Adds a new communicator with the members of `model`. The new communicator can't be asked for its
 * members yet. */
CommEntry *comm_add_like(Thread *thread, const CommEntry *model, MPI_Comm comm);

/* The RMA window of a handle. An unknown handle is added now. NULL: recording had to stop. */
CommEntry *window_find_slowly(Thread *thread, MPI_Win window);

/* Removes a communicator after it was freed. */
void comm_forget(const CommEntry *entry);

/* Finds the neighbours in a process topology. */
void comm_find_neighbours(CommEntry *entry);

static inline CommCache *comm_cache(Thread *thread, uint64_t handle)
{
    return &thread->comms[(handle * 0x9e3779b97f4a7c15u) >> 62];
}
_Static_assert(COMM_CACHE_SIZE == 4, "two bits of the hash");

static inline CommEntry *comm_lookup(Thread *thread, uint64_t handle, bool add)
{
    const CommCache *cached = comm_cache(thread, handle);
    if (cached->entry && cached->handle == handle &&
        cached->generation == __atomic_load_n(&comms_generation, __ATOMIC_ACQUIRE))
        return cached->entry;
    return comm_find_slowly(thread, handle, add);
}

static inline CommEntry *comm_find(Thread *thread, MPI_Comm comm)
{
    return comm_lookup(thread, HANDLE(comm), true);
}

/* The same without adding: NULL for an unknown handle. Works for windows, too. */
static inline CommEntry *comm_known(Thread *thread, uint64_t handle)
{
    return comm_lookup(thread, handle, false);
}

/* Removes a handle before it is added anew. MPI may use a handle again after a call that the
 * recorder doesn't know freed it. Such a handle must not keep its old number. */
static inline void comm_forget_old(Thread *thread, uint64_t handle)
{
    const CommEntry *old = comm_known(thread, handle);
    if (old)
        comm_forget(old);
}
