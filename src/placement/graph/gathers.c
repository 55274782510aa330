/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather and alltoall: each member's part goes to every other member (algorithms.h). */
#include "placement/graph/algorithms.h"

#include "placement/graph/rules.h"

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

static void put_bruck_allgather(const CollectivePart *part, MessageSink *sink)
{
    for (uint32_t distance = 1; distance < part->n; distance *= 2) {
        uint32_t count = part->n - distance < distance ? part->n - distance : distance;
        put_send(sink, place_before(part, distance), shares_bytes(part, part->place, count));
        put_receive(sink, place_after(part, distance), shares_bytes(part, place_after(part, distance), count));
    }
}

static void put_doubling_allgather(const CollectivePart *part, MessageSink *sink)
{
    if (!is_power_of_two(part->n)) {
        put_bruck_allgather(part, sink);
        return;
    }
    for (uint32_t distance = 1; distance < part->n; distance *= 2) {
        uint32_t with = part->place ^ distance;
        put_send(sink, with, shares_bytes(part, part->place & ~(distance - 1), distance));
        put_receive(sink, with, shares_bytes(part, with & ~(distance - 1), distance));
    }
}

static void put_ring_allgather(const CollectivePart *part, MessageSink *sink)
{
    for (uint32_t i = 0; i + 1 < part->n; i++) {
        put_send(sink, place_after(part, 1), shares_bytes(part, place_before(part, i), 1));
        put_receive(sink, place_before(part, 1), shares_bytes(part, place_before(part, i + 1), 1));
    }
}

/* Exchanges with the neighbours below and above in turn. Members form pairs: after the first
 * exchange, each one hands on the two parts that came last. */
static void put_neighbour_allgather(const CollectivePart *part, MessageSink *sink)
{
    uint32_t own = part->place, other = own % 2 ? place_after(part, 1) : place_before(part, 1), held = own & ~1U;
    if (part->n % 2) {
        put_ring_allgather(part, sink);
        return;
    }
    put_send(sink, own ^ 1, shares_bytes(part, own, 1));
    put_receive(sink, own ^ 1, shares_bytes(part, own ^ 1, 1));
    for (uint32_t i = 1; i < part->n / 2; i++) {
        uint32_t with = i % 2 ? other : own ^ 1, distance = (i + 1) / 2 * 2;
        uint32_t got = ((own & ~1U) + (i % 2 == own % 2 ? distance : part->n - distance)) % part->n;
        put_send(sink, with, shares_bytes(part, held, 2));
        put_receive(sink, with, shares_bytes(part, got, 2));
        held = got;
    }
}

static void put_scattered(const CollectivePart *part, MessageSink *sink)
{
    for (uint32_t i = 1; i < part->n; i++)
        put_send(sink, place_after(part, i), shares_bytes(part, part->place, 1));
    for (uint32_t i = 1; i < part->n; i++)
        put_receive(sink, place_before(part, i), shares_bytes(part, place_before(part, i), 1));
}

/* Member 0 gathers all parts and broadcasts them. */
static void put_gather_bcast(const CollectivePart *part, MessageSink *sink)
{
    CollectivePart rooted = *part;
    double all = part->shares ? shares_bytes(part, 0, part->n) : part->own.sent * part->n;
    MemberShare whole = {all, all};
    rooted.root = 0;
    if (part->shares)
        star_gatherv.put_messages(&rooted, sink);
    else
        collective_algorithm(part->library, COLLECTIVE_GATHER, part->n, part->own)->put_messages(&rooted, sink);
    rooted.own = whole;
    collective_algorithm(part->library, COLLECTIVE_BCAST, part->n, whole)->put_messages(&rooted, sink);
}

const CollectiveAlgorithm bruck_allgather = {"Bruck", put_bruck_allgather, false, NULL};
const CollectiveAlgorithm doubling_allgather = {"doubling", put_doubling_allgather, false, NULL};
const CollectiveAlgorithm ring_allgather = {"ring", put_ring_allgather, true, &doubling_allgather};
const CollectiveAlgorithm neighbour_allgather = {"neighbours", put_neighbour_allgather, true, &doubling_allgather};
const CollectiveAlgorithm pairs_allgather = {"pairs", put_scattered, true, &doubling_allgather};
const CollectiveAlgorithm gather_bcast_allgather = {"gather, bcast", put_gather_bcast, false, NULL};

/* ---- Alltoall ---- */

/* Bytes from one member to another. They are known if all shares are equal. Otherwise, they are the
 * sender's bytes times the receiver's part of all received bytes. */
static double pair_bytes(const CollectivePart *part, uint32_t from, uint32_t to)
{
    if (!part->shares)
        return part->own.sent / part->n;
    return part->received > 0 ? part->shares[from].sent * part->shares[to].received / part->received : 0;
}

static void put_bruck_alltoall(const CollectivePart *part, MessageSink *sink)
{
    for (uint32_t distance = 1; distance < part->n; distance *= 2) {
        uint32_t count = 0;
        for (uint32_t i = 1; i < part->n; i++)
            count += (i & distance) != 0;
        put_send(sink, place_after(part, distance), count * pair_bytes(part, part->place, 0));
        put_receive(sink, place_before(part, distance), count * pair_bytes(part, part->place, 0));
    }
}

/* An empty message isn't sent. */
static bool is_empty(const CollectivePart *part, uint32_t from, uint32_t to)
{
    return part->shares && !(pair_bytes(part, from, to) > 0);
}

static void put_send_to(const CollectivePart *part, uint32_t to, MessageSink *sink)
{
    if (!is_empty(part, part->place, to))
        put_send(sink, to, pair_bytes(part, part->place, to));
}

static void put_receive_from(const CollectivePart *part, uint32_t from, MessageSink *sink)
{
    if (!is_empty(part, from, part->place))
        put_posted_receive(sink, from, pair_bytes(part, from, part->place));
}

static void put_all_at_once(const CollectivePart *part, MessageSink *sink)
{
    for (uint32_t i = 1; i < part->n; i++)
        put_send_to(part, place_after(part, i), sink);
    for (uint32_t i = 1; i < part->n; i++)
        put_receive_from(part, place_before(part, i), sink);
}

static void put_pairwise(const CollectivePart *part, MessageSink *sink)
{
    for (uint32_t i = 1; i < part->n; i++) {
        put_send_to(part, place_after(part, i), sink);
        put_receive_from(part, place_before(part, i), sink);
    }
}

/* With a power of two of members, two send to each other at the same time. */
static void put_mutual(const CollectivePart *part, MessageSink *sink)
{
    if (!is_power_of_two(part->n)) {
        put_pairwise(part, sink);
        return;
    }
    for (uint32_t i = 1; i < part->n; i++)
        put_exchange(sink, part->place ^ i, pair_bytes(part, part->place, 0));
}

const CollectiveAlgorithm bruck_alltoall = {"Bruck", put_bruck_alltoall, false, NULL};
const CollectiveAlgorithm scattered_alltoall = {"all at once", put_all_at_once, true, NULL};
const CollectiveAlgorithm pairwise_alltoall = {"pairwise", put_pairwise, true, NULL};
const CollectiveAlgorithm mutual_alltoall = {"pairwise", put_mutual, true, NULL};
