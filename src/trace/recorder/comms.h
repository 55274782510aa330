/* SPDX-License-Identifier: BSD-3-Clause */
/* The process's communicators and RMA windows by handle, each with its number in .comms. A handle that is freed is
 * forgotten, because MPI gives it out again. */
#pragma once

#include "trace/recorder/library.h"

typedef struct CommEntry {
    uint64_t handle;
    uint32_t number; /* in .comms */
    int rank;        /* of this process, in its own group */
    uint32_t n_local, n_remote;
    bool inter;
    bool has_neighbours; /* the next three are known */
    uint32_t n_sources, n_destinations;
    uint64_t absent; /* bit i: neighbour i of a Cartesian grid is MPI_PROC_NULL */
    struct CommEntry *next;
} CommEntry;

extern uint64_t comms_generation; /* changes when a handle is forgotten */

/* MPI_COMM_WORLD and MPI_COMM_SELF. */
void comms_start(void);

/* The communicator of a handle that is known or not; what something unknown made is added now. NULL: no communicator,
 * or recording had to stop. */
CommEntry *comm_find_slowly(Thread *thread, uint64_t handle, bool add);

/* A communicator that was just made with the members of `model`, but may not be asked for them yet. */
CommEntry *comm_add_like(Thread *thread, const CommEntry *model, MPI_Comm comm);

/* The window of a handle; what something unknown made is added now. NULL: recording had to stop. */
CommEntry *window_find_slowly(Thread *thread, MPI_Win window);

/* After it was freed. */
void comm_forget(const CommEntry *entry);

/* Fills in the neighbours of a process topology. */
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

/* The same without adding: NULL if it was never seen. Windows too. */
static inline CommEntry *comm_known(Thread *thread, uint64_t handle)
{
    return comm_lookup(thread, handle, false);
}

/* A handle that MPI gives out again, after something unknown freed what it stood for, must not keep its old number. */
static inline void comm_forget_old(Thread *thread, uint64_t handle)
{
    const CommEntry *old = comm_known(thread, handle);
    if (old)
        comm_forget(old);
}
