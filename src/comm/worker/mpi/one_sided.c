/* SPDX-License-Identifier: BSD-3-Clause */
/* See one_sided.h. A pair's window has a communicator of these two ranks alone, since the other ranks take no part
 * in a chunk. The window is as large as the pool of received messages, and messages move through it like buffers through
 * the pool. */
#include "comm/worker/mpi/one_sided.h"

#include "comm/protocol.h"
#include "comm/worker/harness/buffers.h"
#include "comm/worker/mpi/checked.h"
#include <mpi.h>
#include <string.h>

enum { TAG_GROUP = 4, TAG_END = 5 };

typedef struct PairWindow {
    bool is_made;
    MPI_Comm pair;
    MPI_Win window;
} PairWindow;

static PairWindow windows[COMM_RANKS_LIMIT]; /* by the other rank */

/* The other rank's number in the pair's communicator, where the lower rank is 0. */
static int target_of(const Transport *transport, const ExchangeCall *call)
{
    return transport->rank < call->peer ? 1 : 0;
}

static bool make_window(const Transport *transport, const ExchangeCall *call, PairWindow *made, Err *err)
{
    const int rank = transport->rank, peer = call->peer;
    const int members[] = {rank < peer ? rank : peer, rank < peer ? peer : rank};
    MPI_Group world, group;
    void *memory;
    if (!mpi_checked(MPI_Comm_group(MPI_COMM_WORLD, &world), "MPI_Comm_group", err) ||
        !mpi_checked(MPI_Group_incl(world, 2, members, &group), "MPI_Group_incl", err) ||
        !mpi_checked(MPI_Comm_create_group(MPI_COMM_WORLD, group, TAG_GROUP, &made->pair), "MPI_Comm_create_group",
                     err))
        return false;
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    MPI_Comm_set_errhandler(made->pair, MPI_ERRORS_RETURN);
    if (!mpi_checked(
            MPI_Win_allocate((MPI_Aint)call->receiving->capacity, 1, MPI_INFO_NULL, made->pair, &memory, &made->window),
            "MPI_Win_allocate", err))
        return false;
    MPI_Win_set_errhandler(made->window, MPI_ERRORS_RETURN);
    memset(memory, 0, call->receiving->capacity);
    made->is_made = true;
    return true;
}

bool mpi_one_sided_open(Transport *transport, const ExchangeCall *call, Err *err)
{
    PairWindow *pair = &windows[call->peer];
    if (!pair->is_made && !make_window(transport, call, pair, err))
        return false;
    return !call->begins ||
           mpi_checked(MPI_Win_lock(MPI_LOCK_SHARED, target_of(transport, call), 0, pair->window), "MPI_Win_lock", err);
}

/* Where the next message lies in the window. */
static MPI_Aint next_place(const ExchangeCall *call)
{
    return (char *)pool_next(call->receiving, call->bytes) - call->receiving->memory;
}

static bool flush(const Transport *transport, const ExchangeCall *call, Err *err)
{
    return mpi_checked(MPI_Win_flush(target_of(transport, call), windows[call->peer].window), "MPI_Win_flush", err);
}

bool mpi_put(Transport *transport, const ExchangeCall *call, Err *err)
{
    const int n = (int)call->bytes;
    return mpi_checked(MPI_Put(pool_next(call->sending, call->bytes), n, MPI_BYTE, target_of(transport, call),
                               next_place(call), n, MPI_BYTE, windows[call->peer].window),
                       "MPI_Put", err) &&
           flush(transport, call, err);
}

bool mpi_get(Transport *transport, const ExchangeCall *call, Err *err)
{
    const int n = (int)call->bytes;
    return mpi_checked(MPI_Get(pool_next(call->sending, call->bytes), n, MPI_BYTE, target_of(transport, call),
                               next_place(call), n, MPI_BYTE, windows[call->peer].window),
                       "MPI_Get", err) &&
           flush(transport, call, err);
}

bool mpi_one_sided_close(Transport *transport, const ExchangeCall *call, Err *err)
{
    const MPI_Comm pair = windows[call->peer].pair;
    const int other = target_of(transport, call);
    char token = 0;
    if (!call->begins)
        return mpi_checked(MPI_Recv(&token, 1, MPI_CHAR, other, TAG_END, pair, MPI_STATUS_IGNORE), "MPI_Recv", err);
    return mpi_checked(MPI_Win_unlock(other, windows[call->peer].window), "MPI_Win_unlock", err) &&
           mpi_checked(MPI_Send(&token, 1, MPI_CHAR, other, TAG_END, pair), "MPI_Send", err);
}

void mpi_one_sided_end(const Transport *transport)
{
    for (int peer = 0; peer < transport->n_ranks; peer++)
        if (windows[peer].is_made) {
            MPI_Win_free(&windows[peer].window);
            MPI_Comm_free(&windows[peer].pair);
        }
}
