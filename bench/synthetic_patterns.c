/* SPDX-License-Identifier: BSD-3-Clause */
/* See synthetic_patterns.h. */
#include "synthetic_patterns.h"

#include <string.h>

static void keep(Rank *rank, OTF2_ErrorCode status)
{
    rank->failed |= status != OTF2_SUCCESS;
    rank->n_records++;
}

/* A time within a quarter of the mean. Times hardly ever repeat. */
static uint64_t jitter(Rank *rank, uint64_t mean)
{
    rank->random = rank->random * 6364136223846793005u + 1442695040888963407u;
    return mean - mean / 4 + (rank->random >> 40) * mean / 2 / (1u << 24);
}

static void enter(Rank *rank, uint32_t region, uint64_t computed_ns)
{
    rank->time += jitter(rank, computed_ns);
    keep(rank, OTF2_EvtWriter_Enter(rank->writer, NULL, rank->time, region));
}

static void leave(Rank *rank, uint32_t region, uint64_t took_ns)
{
    rank->time += jitter(rank, took_ns);
    keep(rank, OTF2_EvtWriter_Leave(rank->writer, NULL, rank->time, region));
}

static void collective(Rank *rank, uint32_t region, OTF2_CollectiveOp operation, uint32_t root, uint64_t sent,
                       uint64_t received)
{
    enter(rank, region, 2000);
    keep(rank, OTF2_EvtWriter_MpiCollectiveBegin(rank->writer, NULL, rank->time));
    rank->time += jitter(rank, 8000);
    keep(rank, OTF2_EvtWriter_MpiCollectiveEnd(rank->writer, NULL, rank->time, operation, 0, root, sent, received));
    leave(rank, region, 100);
}

uint32_t grid_columns(uint32_t n_ranks)
{
    uint32_t columns = 1;
    for (uint32_t c = 1; c * c <= n_ranks; c++)
        if (n_ranks % c == 0)
            columns = c;
    return columns;
}

static uint32_t neighbours(const Rank *rank, uint32_t found[4])
{
    uint32_t columns = grid_columns(rank->n_ranks), n = 0;
    if (rank->rank >= columns)
        found[n++] = rank->rank - columns;
    if (rank->rank + columns < rank->n_ranks)
        found[n++] = rank->rank + columns;
    if (rank->rank % columns > 0)
        found[n++] = rank->rank - 1;
    if (rank->rank % columns + 1 < columns)
        found[n++] = rank->rank + 1;
    return n;
}

static void iterate_stencil(Rank *rank, uint64_t iteration)
{
    uint32_t peers[4], n = neighbours(rank, peers);
    uint64_t first = rank->request;
    for (uint32_t i = 0; i < n; i++) {
        enter(rank, IRECV, i ? 200 : 50000);
        keep(rank, OTF2_EvtWriter_MpiIrecvRequest(rank->writer, NULL, rank->time, rank->request++));
        leave(rank, IRECV, 150);
    }
    for (uint32_t i = 0; i < n; i++) {
        enter(rank, ISEND, 300);
        keep(rank, OTF2_EvtWriter_MpiIsend(rank->writer, NULL, rank->time, peers[i], 0, 7, 8192, rank->request++));
        leave(rank, ISEND, 400);
    }
    enter(rank, WAITALL, 100000);
    rank->time += jitter(rank, 5000);
    for (uint32_t i = 0; i < n; i++)
        keep(rank, OTF2_EvtWriter_MpiIrecv(rank->writer, NULL, rank->time, peers[i], 0, 7, 8192, first + i));
    for (uint32_t i = 0; i < n; i++)
        keep(rank, OTF2_EvtWriter_MpiIsendComplete(rank->writer, NULL, rank->time, first + n + i));
    leave(rank, WAITALL, 100);
    collective(rank, ALLREDUCE, OTF2_COLLECTIVE_OP_ALLREDUCE, OTF2_UNDEFINED_UINT32, 8, 8);
    if (iteration % 50 == 49)
        collective(rank, REDUCE, OTF2_COLLECTIVE_OP_REDUCE, 0, 1024, rank->rank ? 0 : 1024);
}

static void iterate_ring(Rank *rank, uint64_t iteration)
{
    uint32_t next = (rank->rank + 1) % rank->n_ranks, previous = (rank->rank + rank->n_ranks - 1) % rank->n_ranks;
    enter(rank, SENDRECV, 30000);
    keep(rank, OTF2_EvtWriter_MpiSend(rank->writer, NULL, rank->time, next, 0, 1, 4096));
    rank->time += jitter(rank, 3000);
    keep(rank, OTF2_EvtWriter_MpiRecv(rank->writer, NULL, rank->time, previous, 0, 1, 4096));
    leave(rank, SENDRECV, 100);
    if (iteration % 10 == 9)
        collective(rank, BARRIER, OTF2_COLLECTIVE_OP_BARRIER, OTF2_UNDEFINED_UINT32, 0, 0);
}

static void send(Rank *rank, uint32_t to, uint32_t tag)
{
    enter(rank, SEND, 20000);
    keep(rank, OTF2_EvtWriter_MpiSend(rank->writer, NULL, rank->time, to, 0, tag, 1600));
    leave(rank, SEND, 900);
}

static void receive(Rank *rank, uint32_t from, uint32_t tag)
{
    enter(rank, RECV, 300);
    rank->time += jitter(rank, 4000);
    keep(rank, OTF2_EvtWriter_MpiRecv(rank->writer, NULL, rank->time, from, 0, tag, 1600));
    leave(rank, RECV, 100);
}

static void iterate_sweep(Rank *rank, uint64_t iteration)
{
    bool first = rank->rank == 0, last = rank->rank + 1 == rank->n_ranks;
    if (!first)
        receive(rank, rank->rank - 1, 1);
    if (!last) {
        send(rank, rank->rank + 1, 1);
        receive(rank, rank->rank + 1, 2);
    }
    if (!first)
        send(rank, rank->rank - 1, 2);
    if (iteration % 5 == 4)
        collective(rank, BCAST, OTF2_COLLECTIVE_OP_BCAST, 0, first ? 64 * (uint64_t)rank->n_ranks : 0, 64);
}

/* `phase_length` different offsets: the beginning of a shuffle that depends only on the phase. */
static void choose_offsets(const Rank *rank, uint64_t phase, uint32_t *offsets)
{
    uint32_t n = rank->n_ranks - 1;
    uint64_t random = (phase + 1) * 0x9e3779b97f4a7c15u;
    for (uint32_t i = 0; i < n; i++)
        offsets[i] = i + 1;
    for (uint32_t i = 0; i < rank->phase_length; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        uint32_t other = i + (uint32_t)((random >> 33) % (n - i)), kept = offsets[i];
        offsets[i] = offsets[other];
        offsets[other] = kept;
    }
}

static void iterate_phases(Rank *rank, uint64_t iteration)
{
    static uint32_t offsets[MOST_PHASE_RANKS];
    collective(rank, ALLREDUCE, OTF2_COLLECTIVE_OP_ALLREDUCE, OTF2_UNDEFINED_UINT32, 8, 8);
    choose_offsets(rank, iteration % rank->n_phases, offsets);
    for (uint32_t i = 0; i < rank->phase_length; i++) {
        send(rank, (rank->rank + offsets[i]) % rank->n_ranks, 3);
        receive(rank, (rank->rank + rank->n_ranks - offsets[i]) % rank->n_ranks, 3);
    }
}

static const Pattern patterns[] = {
    {"stencil", iterate_stencil}, {"ring", iterate_ring}, {"sweep", iterate_sweep}, {"phases", iterate_phases}};

const Pattern *pattern_find(const char *name)
{
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (strcmp(name, patterns[i].name) == 0)
            return &patterns[i];
    return NULL;
}

void record_init(Rank *rank)
{
    enter(rank, INIT, 1000);
    leave(rank, INIT, 100000);
}

void record_finalize(Rank *rank)
{
    enter(rank, FINALIZE, 1000);
    leave(rank, FINALIZE, 100000);
}
