/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of collectives and of windows' synchronisations; members of communicators. */
#include "model/event.h"

#include <assert.h>
#include <string.h>

static const char *const names[] = {
    [COLLECTIVE_BARRIER] = "barrier",
    [COLLECTIVE_BCAST] = "bcast",
    [COLLECTIVE_GATHER] = "gather",
    [COLLECTIVE_GATHERV] = "gatherv",
    [COLLECTIVE_SCATTER] = "scatter",
    [COLLECTIVE_SCATTERV] = "scatterv",
    [COLLECTIVE_ALLGATHER] = "allgather",
    [COLLECTIVE_ALLGATHERV] = "allgatherv",
    [COLLECTIVE_ALLTOALL] = "alltoall",
    [COLLECTIVE_ALLTOALLV] = "alltoallv",
    [COLLECTIVE_ALLTOALLW] = "alltoallw",
    [COLLECTIVE_ALLREDUCE] = "allreduce",
    [COLLECTIVE_REDUCE] = "reduce",
    [COLLECTIVE_REDUCE_SCATTER] = "reduce_scatter",
    [COLLECTIVE_REDUCE_SCATTER_BLOCK] = "reduce_scatter_block",
    [COLLECTIVE_SCAN] = "scan",
    [COLLECTIVE_EXSCAN] = "exscan",
    [COLLECTIVE_NEIGHBOR_ALLGATHER] = "neighbor_allgather",
    [COLLECTIVE_NEIGHBOR_ALLGATHERV] = "neighbor_allgatherv",
    [COLLECTIVE_NEIGHBOR_ALLTOALL] = "neighbor_alltoall",
    [COLLECTIVE_NEIGHBOR_ALLTOALLV] = "neighbor_alltoallv",
    [COLLECTIVE_NEIGHBOR_ALLTOALLW] = "neighbor_alltoallw",
    [COLLECTIVE_CREATE_HANDLE] = "create_handle",
    [COLLECTIVE_DESTROY_HANDLE] = "destroy_handle",
    [COLLECTIVE_OTHER] = "other",
};
_Static_assert(sizeof names / sizeof *names == COLLECTIVE_COUNT, "each collective has a name");

const char *collective_name(Collective collective)
{
    assert(collective < COLLECTIVE_COUNT);
    return names[collective];
}

bool collective_from_name(const char *name, Collective *collective)
{
    for (int i = 0; i < COLLECTIVE_COUNT; i++)
        if (strcmp(name, names[i]) == 0) {
            *collective = (Collective)i;
            return true;
        }
    return false;
}

bool collective_is_from_root(Collective collective)
{
    return collective == COLLECTIVE_BCAST || collective == COLLECTIVE_SCATTER || collective == COLLECTIVE_SCATTERV;
}

bool collective_is_to_root(Collective collective)
{
    return collective == COLLECTIVE_REDUCE || collective == COLLECTIVE_GATHER || collective == COLLECTIVE_GATHERV;
}

bool collective_has_root(Collective collective)
{
    return collective_is_from_root(collective) || collective_is_to_root(collective);
}

const char *window_sync_name(WindowSync sync)
{
    static const char *const sync_names[WINDOW_SYNC_COUNT] = {
        [WINDOW_SYNC_COMPLETE] = "completed", [WINDOW_SYNC_NOTIFY] = "notify", [WINDOW_SYNC_AWAIT] = "await"};
    assert(sync < WINDOW_SYNC_COUNT);
    return sync_names[sync];
}

/* Mostly, communicators have all processes, in their order. */
uint32_t comm_place(const Comm *comm, uint32_t process)
{
    if (process < comm->n_members && comm->members[process] == process)
        return process;
    uint32_t place = 0;
    while (place < comm->n_members && comm->members[place] != process)
        place++;
    return place;
}
