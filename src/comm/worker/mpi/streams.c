/* SPDX-License-Identifier: BSD-3-Clause */
/* See streams.h. All messages of a window use one buffer, unless buffers rotate. */
#include "comm/worker/mpi/streams.h"

#include "comm/protocol.h"
#include "comm/worker/harness/buffers.h"
#include "comm/worker/harness/pairs.h"
#include "comm/worker/mpi/checked.h"
#include <mpi.h>

#define UNUSED __attribute__((unused))

enum { TAG_STREAM = 2, TAG_ANSWER = 3 };

static bool start_sends(const ExchangeCall *call, MPI_Request *requests, Err *err)
{
    for (int i = 0; i < COMM_WINDOW; i++)
        if (!mpi_checked(MPI_Isend(pool_next(call->sending, call->bytes), (int)call->bytes, MPI_BYTE, call->peer,
                                   TAG_STREAM, MPI_COMM_WORLD, &requests[i]),
                         "MPI_Isend", err))
            return false;
    return true;
}

static bool start_receives(const ExchangeCall *call, MPI_Request *requests, Err *err)
{
    for (int i = 0; i < COMM_WINDOW; i++)
        if (!mpi_checked(MPI_Irecv(pool_next(call->receiving, call->bytes), (int)call->bytes, MPI_BYTE, call->peer,
                                   TAG_STREAM, MPI_COMM_WORLD, &requests[i]),
                         "MPI_Irecv", err))
            return false;
    return true;
}

static bool wait_for(int n, MPI_Request *requests, Err *err)
{
    MPI_Status statuses[2 * COMM_WINDOW];
    return mpi_checked(MPI_Waitall(n, requests, statuses), "MPI_Waitall", err);
}

bool mpi_stream_send(UNUSED Transport *transport, const ExchangeCall *call, Err *err)
{
    MPI_Request requests[COMM_WINDOW];
    int answer;
    return start_sends(call, requests, err) && wait_for(COMM_WINDOW, requests, err) &&
           mpi_checked(MPI_Recv(&answer, 1, MPI_INT, call->peer, TAG_ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
                       "MPI_Recv", err);
}

bool mpi_stream_receive(UNUSED Transport *transport, const ExchangeCall *call, Err *err)
{
    MPI_Request requests[COMM_WINDOW];
    const int answer = 0;
    return start_receives(call, requests, err) && wait_for(COMM_WINDOW, requests, err) &&
           mpi_checked(MPI_Send(&answer, 1, MPI_INT, call->peer, TAG_ANSWER, MPI_COMM_WORLD), "MPI_Send", err);
}

static bool both_ways(const ExchangeCall *call, Err *err)
{
    MPI_Request requests[2 * COMM_WINDOW];
    return start_receives(call, requests, err) && start_sends(call, requests + COMM_WINDOW, err) &&
           wait_for(2 * COMM_WINDOW, requests, err);
}

/* The peer may begin a window earlier, so that its messages have already arrived: one window can seem far shorter than it
 * is. But the peer begins the second window when it has received the whole first one. */
bool mpi_bidirectional(UNUSED Transport *transport, const ExchangeCall *call, Err *err)
{
    return both_ways(call, err) && both_ways(call, err);
}

bool mpi_pairs(Transport *transport, const CollectiveCall *call, Err *err)
{
    const int peer = pairs_peer(transport->rank, transport->n_ranks);
    const bool sends = peer > transport->rank;
    const ExchangeCall own = {peer, sends, call->sending, call->receiving, call->block};
    for (uint32_t i = 0; peer >= 0 && i < call->windows; i++)
        if (!(sends ? mpi_stream_send : mpi_stream_receive)(transport, &own, err))
            return false;
    return true;
}
