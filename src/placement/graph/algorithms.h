/* SPDX-License-Identifier: BSD-3-Clause */
/* The messages that collectives become: one function for each algorithm that MPI libraries use.
 * Which algorithm a library chooses is in rules.h, and docs/COLLECTIVES.md. For this
 * folder, formats/ and simulation/. */
#pragma once

#include "model/event.h"
#include "model/tfg.h"

/* Whose algorithms collectives become (rules.h). */
typedef enum CollectiveLibrary { LIBRARY_OPENMPI, LIBRARY_MPICH, LIBRARY_SMPI, LIBRARY_COUNT } CollectiveLibrary;

/* The bytes that a member of a communicator contributes to a collective and receives from it, its
 * own share included. */
typedef struct MemberShare {
    double sent, received;
} MemberShare;

/* A process's part in a collective. `place`: its rank in the communicator, 0 to n - 1. */
typedef struct CollectivePart {
    uint32_t n, place, root;
    MemberShare own;
    const MemberShare *shares;        /* [n] of all members; NULL: the collective doesn't need them */
    double received;                  /* by all members together */
    CollectiveLibrary library;        /* whose collectives an algorithm uses in turn */
    const CommNeighbours *neighbours; /* this member's; NULL: not known */
} CollectivePart;

/* Takes the messages of a part in order: STEP_SEND to a place, or STEP_RECV from a place. */
typedef struct MessageSink {
    void (*put)(struct MessageSink *sink, StepKind kind, uint32_t place, double bytes, bool blocks);
} MessageSink;

typedef struct CollectiveAlgorithm {
    const char *name;
    void (*put_messages)(const CollectivePart *part, MessageSink *sink);
    bool is_quadratic;                         /* each member sends a message to each other, or as many in turn */
    const struct CollectiveAlgorithm *instead; /* of a quadratic one, with many members; NULL: left out */
} CollectiveAlgorithm;

/* With more members, a quadratic algorithm would become more than half a million messages. */
enum { QUADRATIC_MEMBERS_LIMIT = 724 };

/* Along trees (trees.c). Rooted: from the root to all, or from all to the root. */
extern const CollectiveAlgorithm star_bcast, chain_bcast, binary_bcast, binomial_bcast, high_binomial_bcast,
    knomial_bcast, split_binary_bcast, scatter_doubling_bcast, scatter_ring_bcast;
extern const CollectiveAlgorithm star_reduce, chain_reduce, binary_reduce, binomial_reduce, high_binomial_reduce,
    halving_reduce;
extern const CollectiveAlgorithm star_gather, star_gatherv, announced_gather, binomial_gather;
extern const CollectiveAlgorithm star_scatter, star_scatterv, binomial_scatter;
extern const CollectiveAlgorithm star_barrier, binomial_barrier;

/* Exchanges of members (exchanges.c). */
extern const CollectiveAlgorithm dissemination_barrier, doubling_barrier, nothing;
extern const CollectiveAlgorithm doubling_allreduce, ring_allreduce, halving_allreduce, halves_allreduce,
    reduce_bcast_allreduce;
extern const CollectiveAlgorithm halving_reduce_scatter, ring_reduce_scatter, pairwise_reduce_scatter,
    doubling_reduce_scatter, reduce_scatterv, reduce_scatter_in_turn;
extern const CollectiveAlgorithm chain_scan, doubling_scan, pairs_scan;

/* Of every member's part to every other (gathers.c). */
extern const CollectiveAlgorithm doubling_allgather, ring_allgather, neighbour_allgather, bruck_allgather,
    pairs_allgather, gather_bcast_allgather;
extern const CollectiveAlgorithm bruck_alltoall, scattered_alltoall, mutual_alltoall, pairwise_alltoall;

/* With neighbours in the topology. All libraries post all messages at once. */
extern const CollectiveAlgorithm neighbour_gather, neighbour_exchange;

/* ---- For the algorithms' own files ---- */

/* A send beside which the member receives. */
static inline void put_send(MessageSink *sink, uint32_t to, double bytes)
{
    sink->put(sink, STEP_SEND, to, bytes, false);
}

/* A send that is done before the member goes on. */
static inline void put_blocking_send(MessageSink *sink, uint32_t to, double bytes)
{
    sink->put(sink, STEP_SEND, to, bytes, true);
}

static inline void put_receive(MessageSink *sink, uint32_t from, double bytes)
{
    sink->put(sink, STEP_RECV, from, bytes, true);
}

/* A receive that was posted before the member's sends. */
static inline void put_posted_receive(MessageSink *sink, uint32_t from, double bytes)
{
    sink->put(sink, STEP_RECV, from, bytes, false);
}

/* A member that sends before it receives acts like MPI_Sendrecv. */
static inline void put_exchange(MessageSink *sink, uint32_t with, double bytes)
{
    put_send(sink, with, bytes);
    put_receive(sink, with, bytes);
}

/* The places at this distance after this one, and before it, around the communicator. */
static inline uint32_t place_after(const CollectivePart *part, uint32_t distance)
{
    return (uint32_t)(((uint64_t)part->place + distance) % part->n);
}

static inline uint32_t place_before(const CollectivePart *part, uint32_t distance)
{
    return (uint32_t)(((uint64_t)part->place + part->n - distance) % part->n);
}

/* Distance from the root, and the place at this distance. */
static inline uint32_t from_root(const CollectivePart *part)
{
    return (uint32_t)(((uint64_t)part->place + part->n - part->root) % part->n);
}

static inline uint32_t at_root_plus(const CollectivePart *part, uint32_t distance)
{
    return (uint32_t)(((uint64_t)part->root + distance) % part->n);
}

static inline bool is_power_of_two(uint32_t n)
{
    return (n & (n - 1)) == 0;
}

/* The largest power of two that isn't above n. */
static inline uint32_t power_of_two_within(uint32_t n)
{
    uint32_t power = 1;
    while (power <= n / 2)
        power *= 2;
    return power;
}

/* Bytes of a message that all members have alike: the root gives it, or all do. Some tracers write
 * that the root of a broadcast sends it to each member; what it receives is right there, too. */
static inline double common_bytes(const CollectivePart *part)
{
    return part->own.received > 0 ? part->own.received : part->own.sent;
}

/* Libraries don't cut up messages with fewer elements than members. A trace knows bytes alone, so
 * elements are taken for doubles. */
static inline bool has_few_elements(double bytes, uint32_t n)
{
    return bytes < 8.0 * n;
}
