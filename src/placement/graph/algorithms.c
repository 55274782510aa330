/* SPDX-License-Identifier: BSD-3-Clause */
/* The messages of each algorithm (algorithms.h). No send waits in a task graph, so a member that
 * sends before it receives acts like MPI_Sendrecv. The bytes of a receive are only informative: a
 * message has the size that its send says. */
#include "placement/graph/algorithms.h"

#include <assert.h>

static void send(MessageSink *sink, uint32_t to, double bytes)
{
    sink->put(sink, STEP_SEND, to, bytes);
}

static void receive(MessageSink *sink, uint32_t from, double bytes)
{
    sink->put(sink, STEP_RECV, from, bytes);
}

static void exchange(MessageSink *sink, uint32_t with, double bytes)
{
    send(sink, with, bytes);
    receive(sink, with, bytes);
}

/* The places at this distance after this one, and before it, around the communicator. */
static uint32_t after(const CollectivePart *part, uint32_t distance)
{
    return (uint32_t)(((uint64_t)part->place + distance) % part->n);
}

static uint32_t before(const CollectivePart *part, uint32_t distance)
{
    return (uint32_t)(((uint64_t)part->place + part->n - distance) % part->n);
}

static bool is_power_of_two(uint32_t n)
{
    return (n & (n - 1)) == 0;
}

static void put_nothing(const CollectivePart *part, MessageSink *sink)
{
    (void)part;
    (void)sink;
}

static void put_dissemination(const CollectivePart *part, MessageSink *sink)
{
    for (uint32_t distance = 1; distance < part->n; distance *= 2) {
        send(sink, after(part, distance), 0);
        receive(sink, before(part, distance), 0);
    }
}

/* ---- Trees. Places count from the root. A parent's place is its child's without the lowest bit.
 * ---- */

static uint32_t from_root(const CollectivePart *part)
{
    return (uint32_t)(((uint64_t)part->place + part->n - part->root) % part->n);
}

static uint32_t at_root_plus(const CollectivePart *part, uint32_t distance)
{
    return (uint32_t)(((uint64_t)part->root + distance) % part->n);
}

/* The lowest bit of the place; for the root, the first power of two that isn't below n. */
static uint32_t lowest_bit(const CollectivePart *part)
{
    uint32_t bit = 1, own = from_root(part);
    while (bit < part->n && !(own & bit))
        bit *= 2;
    return bit;
}

/* Number of members in the subtree of the member at this distance from the root. `bit`: the
 * distance's lowest bit. */
static double tree_size(const CollectivePart *part, uint32_t distance, uint32_t bit)
{
    return part->n - distance < bit ? part->n - distance : bit;
}

/* Messages down the tree, largest subtree first. `each`: bytes for each member of a subtree. `all`:
 * bytes of every message in addition. */
static void put_down(const CollectivePart *part, double each, double all, MessageSink *sink)
{
    uint32_t own = from_root(part), bit = lowest_bit(part);
    assert(part->place < part->n && part->root < part->n);
    if (own)
        receive(sink, at_root_plus(part, own - bit), all + each * tree_size(part, own, bit));
    for (bit /= 2; bit; bit /= 2)
        if (own + bit < part->n)
            send(sink, at_root_plus(part, own + bit), all + each * tree_size(part, own + bit, bit));
}

/* Messages up the tree, smallest subtree first. */
static void put_up(const CollectivePart *part, double each, double all, MessageSink *sink)
{
    uint32_t own = from_root(part), end = lowest_bit(part);
    for (uint32_t bit = 1; bit < end; bit *= 2)
        if (own + bit < part->n)
            receive(sink, at_root_plus(part, own + bit), all + each * tree_size(part, own + bit, bit));
    if (own)
        send(sink, at_root_plus(part, own - end), all + each * tree_size(part, own, end));
}

static void put_broadcast(const CollectivePart *part, MessageSink *sink)
{
    put_down(part, 0, part->place == part->root ? part->own.sent : part->own.received, sink);
}

static void put_reduce(const CollectivePart *part, MessageSink *sink)
{
    put_up(part, 0, part->own.sent, sink);
}

static void put_gather(const CollectivePart *part, MessageSink *sink)
{
    put_up(part, part->own.sent, 0, sink);
}

static void put_scatter(const CollectivePart *part, MessageSink *sink)
{
    put_down(part, part->place == part->root ? part->own.sent / part->n : part->own.received, 0, sink);
}

/* ---- Linear ---- */

static void put_linear_gather(const CollectivePart *part, MessageSink *sink)
{
    if (part->place != part->root)
        send(sink, part->root, part->shares[part->place].sent);
    for (uint32_t i = 1; part->place == part->root && i < part->n; i++)
        receive(sink, after(part, i), part->shares[after(part, i)].sent);
}

static void put_linear_scatter(const CollectivePart *part, MessageSink *sink)
{
    if (part->place != part->root)
        receive(sink, part->root, part->shares[part->place].received);
    for (uint32_t i = 1; part->place == part->root && i < part->n; i++)
        send(sink, after(part, i), part->shares[after(part, i)].received);
}

static void put_linear_scan(const CollectivePart *part, MessageSink *sink)
{
    if (part->place > 0)
        receive(sink, part->place - 1, part->own.sent);
    if (part->place + 1 < part->n)
        send(sink, part->place + 1, part->own.sent);
}

/* ---- Exchanges among a power of two of members. If there are more, the first members form pairs,
 * and one of each pair takes part for both. ---- */

typedef struct Exchange {
    const CollectivePart *part;
    MessageSink *sink;
    uint32_t n, n_pairs, number; /* n: members that take part; number: this member's among them */
} Exchange;

/* False: the member's partner takes part for it. */
static bool exchange_starts(const CollectivePart *part, double bytes, MessageSink *sink, Exchange *made)
{
    uint32_t n = 1;
    while (n <= part->n / 2)
        n *= 2;
    *made = (Exchange){.part = part, .sink = sink, .n = n, .n_pairs = part->n - n};
    made->number = part->place - made->n_pairs;
    if (part->place >= 2 * made->n_pairs)
        return true;
    made->number = part->place / 2;
    if (part->place % 2)
        receive(sink, part->place - 1, bytes);
    else
        send(sink, part->place + 1, bytes);
    return part->place % 2;
}

/* Gives the partner its result. */
static void exchange_ends(const Exchange *at, double bytes)
{
    uint32_t place = at->part->place;
    if (place >= 2 * at->n_pairs)
        return;
    if (place % 2)
        send(at->sink, place - 1, bytes);
    else
        receive(at->sink, place + 1, bytes);
}

static void exchange_at(const Exchange *at, uint32_t distance, double bytes)
{
    uint32_t with = at->number ^ distance;
    assert(with < at->n);
    exchange(at->sink, with < at->n_pairs ? 2 * with + 1 : with + at->n_pairs, bytes);
}

static void put_recursive_doubling(const CollectivePart *part, MessageSink *sink)
{
    Exchange at;
    if (exchange_starts(part, part->own.sent, sink, &at))
        for (uint32_t distance = 1; distance < at.n; distance *= 2)
            exchange_at(&at, distance, part->own.sent);
    exchange_ends(&at, part->own.sent);
}

/* Reduces halves, then gathers them again. */
static void put_rabenseifner(const CollectivePart *part, MessageSink *sink)
{
    Exchange at;
    if (exchange_starts(part, part->own.sent, sink, &at)) {
        for (uint32_t distance = 1; distance < at.n; distance *= 2)
            exchange_at(&at, distance, part->own.sent / (2.0 * distance));
        for (uint32_t distance = at.n / 2; distance; distance /= 2)
            exchange_at(&at, distance, part->own.sent / (2.0 * distance));
    }
    exchange_ends(&at, part->own.sent);
}

static void put_recursive_halving(const CollectivePart *part, MessageSink *sink)
{
    Exchange at;
    if (exchange_starts(part, part->own.sent, sink, &at))
        for (uint32_t distance = at.n / 2; distance; distance /= 2)
            exchange_at(&at, distance, part->own.sent * distance / at.n);
    exchange_ends(&at, part->own.sent / part->n);
}

/* ---- Allgather ---- */

/* Bytes of the shares of `count` members, from place `first` on. */
static double shares_bytes(const CollectivePart *part, uint32_t first, uint32_t count)
{
    double sum = 0;
    if (!part->shares)
        return part->own.sent * count;
    for (uint32_t i = 0; i < count; i++)
        sum += part->shares[((uint64_t)first + i) % part->n].sent;
    return sum;
}

static void put_doubling_gather(const CollectivePart *part, MessageSink *sink)
{
    for (uint32_t distance = 1; distance < part->n; distance *= 2)
        exchange(sink, part->place ^ distance, shares_bytes(part, part->place & ~(distance - 1), distance));
}

static void put_small_gather(const CollectivePart *part, MessageSink *sink)
{
    if (is_power_of_two(part->n)) {
        put_doubling_gather(part, sink);
        return;
    }
    for (uint32_t distance = 1; distance < part->n; distance *= 2) {
        uint32_t count = part->n - distance < distance ? part->n - distance : distance;
        send(sink, before(part, distance), shares_bytes(part, part->place, count));
        receive(sink, after(part, distance), shares_bytes(part, after(part, distance), count));
    }
}

static void put_ring(const CollectivePart *part, MessageSink *sink)
{
    for (uint32_t i = 0; i + 1 < part->n; i++) {
        send(sink, after(part, 1), shares_bytes(part, before(part, i), 1));
        receive(sink, before(part, 1), shares_bytes(part, before(part, i + 1), 1));
    }
}

/* ---- Alltoall ---- */

/* Bytes from one member to another. They are known if all shares are equal. Otherwise, they are the
 * sender's bytes times the receiver's part of all received bytes. */
static double pair_bytes(const CollectivePart *part, uint32_t from, uint32_t to)
{
    if (!part->shares)
        return part->own.sent / part->n;
    return part->received > 0 ? part->shares[from].sent * part->shares[to].received / part->received : 0;
}

static void put_bruck(const CollectivePart *part, MessageSink *sink)
{
    for (uint32_t distance = 1; distance < part->n; distance *= 2) {
        uint32_t count = 0;
        for (uint32_t i = 1; i < part->n; i++)
            count += (i & distance) != 0;
        send(sink, after(part, distance), count * pair_bytes(part, part->place, 0));
        receive(sink, before(part, distance), count * pair_bytes(part, part->place, 0));
    }
}

/* An empty message isn't sent. */
static bool is_empty(const CollectivePart *part, uint32_t from, uint32_t to)
{
    return part->shares && !(pair_bytes(part, from, to) > 0);
}

static void put_all_at_once(const CollectivePart *part, MessageSink *sink)
{
    for (uint32_t i = 1; i < part->n; i++)
        if (!is_empty(part, part->place, after(part, i)))
            send(sink, after(part, i), pair_bytes(part, part->place, after(part, i)));
    for (uint32_t i = 1; i < part->n; i++)
        if (!is_empty(part, before(part, i), part->place))
            receive(sink, before(part, i), pair_bytes(part, before(part, i), part->place));
}

static void put_pairwise(const CollectivePart *part, MessageSink *sink)
{
    for (uint32_t i = 1; i < part->n; i++) {
        bool is_mutual = is_power_of_two(part->n);
        send(sink, is_mutual ? part->place ^ i : after(part, i), part->own.sent / part->n);
        receive(sink, is_mutual ? part->place ^ i : before(part, i), part->own.sent / part->n);
    }
}

/* ---- Choice ---- */

enum { ALL_PAIRS = PAIRWISE_MEMBERS_LIMIT };

/* Of a collective's rows, the first that fits is used. */
static const CollectiveAlgorithm algorithms[] = {
    {COLLECTIVE_BARRIER, "dissemination", 0, 0, 0, false, false, put_dissemination},
    {COLLECTIVE_BCAST, "binomial tree", 0, 0, 0, true, false, put_broadcast},
    {COLLECTIVE_GATHER, "binomial tree", 0, 0, 0, true, false, put_gather},
    {COLLECTIVE_GATHERV, "linear", 0, 0, 0, true, true, put_linear_gather},
    {COLLECTIVE_SCATTER, "binomial tree", 0, 0, 0, true, false, put_scatter},
    {COLLECTIVE_SCATTERV, "linear", 0, 0, 0, true, true, put_linear_scatter},
    {COLLECTIVE_ALLGATHER, "recursive doubling", 0, 0, 81920, false, false, put_small_gather},
    {COLLECTIVE_ALLGATHER, "ring", 0, ALL_PAIRS, 0, false, false, put_ring},
    {COLLECTIVE_ALLGATHER, "recursive doubling", 0, 0, 0, false, false, put_small_gather},
    {COLLECTIVE_ALLGATHERV, "recursive doubling", 0, 0, 81920, false, true, put_small_gather},
    {COLLECTIVE_ALLGATHERV, "ring", 0, ALL_PAIRS, 0, false, true, put_ring},
    {COLLECTIVE_ALLGATHERV, "recursive doubling", 0, 0, 0, false, true, put_small_gather},
    {COLLECTIVE_ALLTOALL, "Bruck", 8, 0, 256, false, false, put_bruck},
    {COLLECTIVE_ALLTOALL, "all at once", 0, ALL_PAIRS, 32768, false, false, put_all_at_once},
    {COLLECTIVE_ALLTOALL, "pairwise", 0, ALL_PAIRS, 0, false, false, put_pairwise},
    {COLLECTIVE_ALLTOALLV, "all at once", 0, ALL_PAIRS, 0, false, true, put_all_at_once},
    {COLLECTIVE_ALLTOALLW, "all at once", 0, ALL_PAIRS, 0, false, true, put_all_at_once},
    {COLLECTIVE_ALLREDUCE, "recursive doubling", 0, 0, 2048, false, false, put_recursive_doubling},
    {COLLECTIVE_ALLREDUCE, "Rabenseifner", 0, 0, 0, false, false, put_rabenseifner},
    {COLLECTIVE_REDUCE, "binomial tree", 0, 0, 0, true, false, put_reduce},
    {COLLECTIVE_REDUCE_SCATTER, "recursive halving", 0, 0, 0, false, false, put_recursive_halving},
    {COLLECTIVE_REDUCE_SCATTER_BLOCK, "recursive halving", 0, 0, 0, false, false, put_recursive_halving},
    {COLLECTIVE_SCAN, "linear", 0, 0, 0, false, false, put_linear_scan},
    {COLLECTIVE_EXSCAN, "linear", 0, 0, 0, false, false, put_linear_scan},
    {COLLECTIVE_CREATE_HANDLE, "dissemination", 0, 0, 0, false, false, put_dissemination},
    {COLLECTIVE_DESTROY_HANDLE, "none", 0, 0, 0, false, false, put_nothing},
};

/* The bytes that the choice depends on. All members agree on them. */
static double deciding_bytes(Collective collective, uint32_t n_members, MemberShare own)
{
    switch (collective) {
    case COLLECTIVE_ALLGATHER:
        return own.sent * n_members;
    case COLLECTIVE_ALLGATHERV:
        return own.received;
    case COLLECTIVE_ALLTOALL:
        return own.sent / n_members;
    case COLLECTIVE_ALLREDUCE:
        return own.sent;
    default:
        return 0;
    }
}

const CollectiveAlgorithm *collective_algorithm(Collective collective, uint32_t n_members, MemberShare own)
{
    double bytes = n_members ? deciding_bytes(collective, n_members, own) : 0;
    for (size_t i = 0; n_members && i < sizeof algorithms / sizeof *algorithms; i++) {
        const CollectiveAlgorithm *algorithm = &algorithms[i];
        if (algorithm->collective == collective && n_members >= algorithm->least_members &&
            (!algorithm->most_members || n_members <= algorithm->most_members) &&
            (!(algorithm->most_bytes > 0) || bytes <= algorithm->most_bytes))
            return algorithm;
    }
    return NULL;
}
