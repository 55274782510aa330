/* SPDX-License-Identifier: BSD-3-Clause */
/* Barriers, reductions and scans by exchanges of members (algorithms.h). */
#include "placement/graph/algorithms.h"

#include "placement/graph/rules.h"
#include <assert.h>

static void put_nothing(const CollectivePart *part, MessageSink *sink)
{
    (void)part;
    (void)sink;
}

static void put_dissemination(const CollectivePart *part, MessageSink *sink)
{
    for (uint32_t distance = 1; distance < part->n; distance *= 2) {
        put_send(sink, place_after(part, distance), 0);
        put_receive(sink, place_before(part, distance), 0);
    }
}

/* Members from a power of two on have a partner below that takes part for them. */
static void put_doubling_barrier(const CollectivePart *part, MessageSink *sink)
{
    uint32_t power = power_of_two_within(part->n), n_rest = part->n - power;
    if (part->place >= power) {
        put_exchange(sink, part->place - power, 0);
        return;
    }
    if (part->place < n_rest)
        put_receive(sink, part->place + power, 0);
    for (uint32_t distance = 1; distance < power; distance *= 2)
        put_exchange(sink, part->place ^ distance, 0);
    if (part->place < n_rest)
        put_blocking_send(sink, part->place + power, 0);
}

const CollectiveAlgorithm nothing = {"none", put_nothing, false, NULL};
const CollectiveAlgorithm dissemination_barrier = {"dissemination", put_dissemination, false, NULL};
const CollectiveAlgorithm doubling_barrier = {"doubling", put_doubling_barrier, false, NULL};

/* ---- Exchanges among a power of two of members. If there are more, the first members form pairs,
 * and one of each pair, its even or its odd member, takes part for both. ---- */

typedef struct Exchange {
    const CollectivePart *part;
    MessageSink *sink;
    uint32_t n, n_pairs, number; /* n: members that take part; number: this member's among them */
    uint32_t parity;             /* of those of pairs that take part */
} Exchange;

static bool is_paired(const Exchange *at)
{
    return at->part->place < 2 * at->n_pairs;
}

static uint32_t partner(const Exchange *at)
{
    return at->part->place ^ 1;
}

/* False: the member's partner takes part for it. */
static bool exchange_starts(const CollectivePart *part, uint32_t parity, MessageSink *sink, Exchange *made)
{
    uint32_t n = power_of_two_within(part->n), n_pairs = part->n - n;
    *made = (Exchange){.part = part, .sink = sink, .n = n, .n_pairs = n_pairs, .parity = parity};
    made->number = is_paired(made) ? part->place / 2 : part->place - n_pairs;
    return !is_paired(made) || part->place % 2 == parity;
}

/* The partner hands over what it gives. */
static bool exchange_starts_whole(const CollectivePart *part, uint32_t parity, double bytes, MessageSink *sink,
                                  Exchange *made)
{
    bool takes_part = exchange_starts(part, parity, sink, made);
    if (is_paired(made) && takes_part)
        put_receive(sink, partner(made), bytes);
    else if (is_paired(made))
        put_blocking_send(sink, partner(made), bytes);
    return takes_part;
}

/* Gives the partner its result. */
static void exchange_ends(const Exchange *at, double bytes)
{
    if (is_paired(at) && at->part->place % 2 == at->parity)
        put_blocking_send(at->sink, partner(at), bytes);
    else if (is_paired(at))
        put_receive(at->sink, partner(at), bytes);
}

static uint32_t place_of_number(const Exchange *at, uint32_t number)
{
    return number < at->n_pairs ? 2 * number + at->parity : number + at->n_pairs;
}

static void exchange_at(const Exchange *at, uint32_t distance, double bytes)
{
    assert((at->number ^ distance) < at->n);
    put_exchange(at->sink, place_of_number(at, at->number ^ distance), bytes);
}

/* Reduces a half, then half of it, and so on. Each member ends with one of n pieces. */
static void exchange_halves(const Exchange *at, double bytes)
{
    for (uint32_t distance = 1; distance < at->n; distance *= 2)
        exchange_at(at, distance, bytes / (2.0 * distance));
}

static void gather_halves(const Exchange *at, double bytes)
{
    for (uint32_t distance = at->n / 2; distance; distance /= 2)
        exchange_at(at, distance, bytes / (2.0 * distance));
}

/* ---- Allreduce ---- */

static void put_doubling_allreduce(const CollectivePart *part, MessageSink *sink)
{
    Exchange at;
    if (exchange_starts_whole(part, 1, part->own.sent, sink, &at))
        for (uint32_t distance = 1; distance < at.n; distance *= 2)
            exchange_at(&at, distance, part->own.sent);
    exchange_ends(&at, part->own.sent);
}

static void put_halving_allreduce(const CollectivePart *part, MessageSink *sink)
{
    Exchange at;
    if (has_few_elements(part->own.sent, power_of_two_within(part->n))) {
        put_doubling_allreduce(part, sink);
        return;
    }
    if (exchange_starts_whole(part, 1, part->own.sent, sink, &at)) {
        exchange_halves(&at, part->own.sent);
        gather_halves(&at, part->own.sent);
    }
    exchange_ends(&at, part->own.sent);
}

/* The same, but both members of a pair reduce half of what they have. */
static void put_halves_allreduce(const CollectivePart *part, MessageSink *sink)
{
    Exchange at;
    double half = part->own.sent / 2;
    if (has_few_elements(part->own.sent, power_of_two_within(part->n))) {
        put_doubling_allreduce(part, sink);
        return;
    }
    bool takes_part = exchange_starts(part, 0, sink, &at);
    if (is_paired(&at))
        put_exchange(sink, partner(&at), half);
    if (is_paired(&at) && takes_part)
        put_receive(sink, partner(&at), half);
    else if (is_paired(&at))
        put_blocking_send(sink, partner(&at), half);
    if (takes_part) {
        exchange_halves(&at, part->own.sent);
        gather_halves(&at, part->own.sent);
    }
    exchange_ends(&at, part->own.sent);
}

static void put_around(const CollectivePart *part, uint32_t times, double bytes, MessageSink *sink)
{
    for (uint32_t i = 0; i < times; i++) {
        put_send(sink, place_after(part, 1), bytes);
        put_receive(sink, place_before(part, 1), bytes);
    }
}

static void put_ring_allreduce(const CollectivePart *part, MessageSink *sink)
{
    if (has_few_elements(part->own.sent, part->n))
        put_doubling_allreduce(part, sink);
    else
        put_around(part, 2 * (part->n - 1), part->own.sent / part->n, sink);
}

/* One collective after another, each by the library's own choice, with member 0 as root. */
static void put_chosen(const CollectivePart *part, Collective collective, MemberShare own, MessageSink *sink)
{
    CollectivePart other = *part;
    other.own = own;
    other.root = 0;
    const CollectiveAlgorithm *algorithm = collective_algorithm(part->library, collective, part->n, own);
    assert(algorithm);
    algorithm->put_messages(&other, sink);
}

static void put_reduce_bcast(const CollectivePart *part, MessageSink *sink)
{
    MemberShare own = {part->own.sent, part->own.sent};
    put_chosen(part, COLLECTIVE_REDUCE, own, sink);
    put_chosen(part, COLLECTIVE_BCAST, own, sink);
}

const CollectiveAlgorithm doubling_allreduce = {"doubling", put_doubling_allreduce, false, NULL};
const CollectiveAlgorithm halving_allreduce = {"halving, doubling", put_halving_allreduce, false, NULL};
const CollectiveAlgorithm halves_allreduce = {"halving, doubling", put_halves_allreduce, false, NULL};
const CollectiveAlgorithm ring_allreduce = {"ring", put_ring_allreduce, true, &halves_allreduce};
const CollectiveAlgorithm reduce_bcast_allreduce = {"reduce, bcast", put_reduce_bcast, false, NULL};

/* ---- Reduce, reduce_scatter ---- */

/* Hands the root a result whose pieces the members have: over half of the distance, with twice as
 * many pieces each time. */
static void gather_pieces(const Exchange *at, uint32_t root, double bytes)
{
    double piece = bytes / at->n;
    for (uint32_t distance = at->n / 2; distance; distance /= 2) {
        uint32_t with = at->number ^ distance;
        double pieces = piece * (at->n / 2 / distance);
        if ((at->number & distance) == (root & distance)) {
            put_receive(at->sink, place_of_number(at, with), pieces);
        } else {
            put_send(at->sink, place_of_number(at, with), pieces);
            return;
        }
    }
}

/* A root that its partner takes part for gets the result from there. */
static void put_halving_reduce(const CollectivePart *part, MessageSink *sink)
{
    Exchange at;
    double bytes = part->own.sent;
    if (has_few_elements(bytes, power_of_two_within(part->n))) {
        binomial_reduce.put_messages(part, sink);
        return;
    }
    bool takes_part = exchange_starts_whole(part, 0, bytes, sink, &at);
    bool is_root_paired = part->root < 2 * at.n_pairs;
    if (takes_part) {
        exchange_halves(&at, bytes);
        gather_pieces(&at, is_root_paired ? part->root / 2 : part->root - at.n_pairs, bytes);
    }
    if (is_root_paired && part->root % 2 && part->place == part->root)
        put_receive(sink, part->root - 1, bytes);
    else if (is_root_paired && part->root % 2 && part->place + 1 == part->root)
        put_blocking_send(sink, part->root, bytes);
}

static void put_halving_reduce_scatter(const CollectivePart *part, MessageSink *sink)
{
    Exchange at;
    if (exchange_starts_whole(part, 1, part->own.sent, sink, &at))
        for (uint32_t distance = at.n / 2; distance; distance /= 2)
            exchange_at(&at, distance, part->own.sent * distance / at.n);
    exchange_ends(&at, part->own.sent / part->n);
}

/* Each time, all but the parts of those with whom the member has exchanged already, and its own. */
static void put_doubling_reduce_scatter(const CollectivePart *part, MessageSink *sink)
{
    Exchange at;
    if (exchange_starts_whole(part, 1, part->own.sent, sink, &at))
        for (uint32_t distance = 1; distance < at.n; distance *= 2)
            exchange_at(&at, distance, part->own.sent * (at.n - distance) / at.n);
    exchange_ends(&at, part->own.sent / part->n);
}

static void put_ring_reduce_scatter(const CollectivePart *part, MessageSink *sink)
{
    put_around(part, part->n - 1, part->own.sent / part->n, sink);
}

static void put_pairwise_reduce_scatter(const CollectivePart *part, MessageSink *sink)
{
    for (uint32_t i = 1; i < part->n; i++) {
        put_send(sink, place_after(part, i), part->own.sent / part->n);
        put_receive(sink, place_before(part, i), part->own.sent / part->n);
    }
}

static void put_reduce_scatterv(const CollectivePart *part, MessageSink *sink)
{
    CollectivePart rooted = *part;
    MemberShare scattered = {part->own.sent, part->own.sent / part->n};
    put_chosen(part, COLLECTIVE_REDUCE, (MemberShare){part->own.sent, part->own.sent}, sink);
    rooted.root = 0;
    rooted.own = scattered;
    star_scatter.put_messages(&rooted, sink);
}

static void put_reduce_scatter_in_turn(const CollectivePart *part, MessageSink *sink)
{
    put_chosen(part, COLLECTIVE_REDUCE, (MemberShare){part->own.sent, part->own.sent}, sink);
    put_chosen(part, COLLECTIVE_SCATTER, (MemberShare){part->own.sent, part->own.sent / part->n}, sink);
}

const CollectiveAlgorithm halving_reduce = {"halving, gather", put_halving_reduce, false, NULL};
const CollectiveAlgorithm halving_reduce_scatter = {"halving", put_halving_reduce_scatter, false, NULL};
const CollectiveAlgorithm doubling_reduce_scatter = {"doubling", put_doubling_reduce_scatter, false, NULL};
const CollectiveAlgorithm ring_reduce_scatter = {"ring", put_ring_reduce_scatter, true, &halving_reduce_scatter};
const CollectiveAlgorithm pairwise_reduce_scatter = {"pairwise", put_pairwise_reduce_scatter, true,
                                                     &halving_reduce_scatter};
const CollectiveAlgorithm reduce_scatterv = {"reduce, scatterv", put_reduce_scatterv, false, NULL};
const CollectiveAlgorithm reduce_scatter_in_turn = {"reduce, scatter", put_reduce_scatter_in_turn, false, NULL};

/* ---- Scan ---- */

static void put_chain_scan(const CollectivePart *part, MessageSink *sink)
{
    if (part->place > 0)
        put_receive(sink, part->place - 1, part->own.sent);
    if (part->place + 1 < part->n)
        put_blocking_send(sink, part->place + 1, part->own.sent);
}

static void put_doubling_scan(const CollectivePart *part, MessageSink *sink)
{
    for (uint32_t distance = 1; distance < part->n; distance *= 2)
        if ((part->place ^ distance) < part->n)
            put_exchange(sink, part->place ^ distance, part->own.sent);
}

/* Each member sends to all behind it. */
static void put_pairs_scan(const CollectivePart *part, MessageSink *sink)
{
    for (uint32_t to = part->place + 1; to < part->n; to++)
        put_send(sink, to, part->own.sent);
    for (uint32_t from = 0; from < part->place; from++)
        put_receive(sink, from, part->own.sent);
}

const CollectiveAlgorithm chain_scan = {"chain", put_chain_scan, false, NULL};
const CollectiveAlgorithm doubling_scan = {"doubling", put_doubling_scan, false, NULL};
const CollectiveAlgorithm pairs_scan = {"pairs", put_pairs_scan, true, &chain_scan};

/* ---- Neighbourhoods. A trace knows what a member gives to all its destinations, not to each. ---- */

static void put_neighbours(const CollectivePart *part, double sent, MessageSink *sink)
{
    const CommNeighbours *own = part->neighbours;
    for (uint32_t i = 0; i < own->n_destinations; i++)
        if (own->destinations[i] != part->place)
            put_send(sink, own->destinations[i], sent);
    for (uint32_t i = 0; i < own->n_sources; i++)
        if (own->sources[i] != part->place)
            put_posted_receive(sink, own->sources[i], part->own.received / own->n_sources);
}

static void put_neighbour_gather(const CollectivePart *part, MessageSink *sink)
{
    put_neighbours(part, part->own.sent, sink);
}

static void put_neighbour_exchange(const CollectivePart *part, MessageSink *sink)
{
    put_neighbours(part, part->own.sent / part->neighbours->n_destinations, sink);
}

const CollectiveAlgorithm neighbour_gather = {"to neighbours", put_neighbour_gather, false, NULL};
const CollectiveAlgorithm neighbour_exchange = {"among neighbours", put_neighbour_exchange, false, NULL};
