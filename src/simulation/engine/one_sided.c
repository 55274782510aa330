/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows, puts, gets and accumulates are SMPI's own, so fences cost what they cost a program there. An
 * accumulate moves its bytes like a put. */
#include "simulation/engine/engine.h"

static int place_of(const Rank *rank, const Event *event)
{
    return (int)job_member(&rank->replay->job, &rank->replay->job.comms[event->comm], event->peer);
}

/* The first fence allows accesses. */
void window_make(Rank *rank, uint32_t comm)
{
    MPI_Win_create(rank->replay->in, (MPI_Aint)rank->replay->buffer_bytes, 1, MPI_INFO_NULL, rank->comms[comm],
                   &rank->windows[comm]);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, rank->windows[comm]);
}

void one_sided_start(const Rank *rank, const Event *event)
{
    int sent = (int)event->bytes, fetched = (int)event->bytes_received, peer = place_of(rank, event);
    MPI_Win window = rank->windows[event->comm];
    if (sent || !fetched)
        MPI_Put(rank->replay->out, sent, MPI_BYTE, peer, 0, sent, MPI_BYTE, window);
    if (fetched)
        MPI_Get(rank->replay->in, fetched, MPI_BYTE, peer, 0, fetched, MPI_BYTE, window);
}

void one_sided_complete(const Rank *rank, const Event *event)
{
    MPI_Win window = rank->windows[event->comm];
    if (window == MPI_WIN_NULL)
        return;
    if (event->peer == EVERY_PEER)
        MPI_Win_flush_all(window);
    else
        MPI_Win_flush(place_of(rank, event), window);
}
