/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives along trees (algorithms.h): from a root to all members, from all to a root, and back.
 * In a tree, members are numbered by their distance from the root. */
#include "placement/graph/algorithms.h"

#include <assert.h>

/* How a member finds its parent and its children. */
typedef struct Tree {
    uint32_t (*parent)(uint32_t own);                         /* of another member than the root */
    uint32_t (*child)(uint32_t own, uint32_t n, uint32_t at); /* of n members; n or more: no further child */
} Tree;

/* ---- Shapes ---- */

static uint32_t star_parent(uint32_t own)
{
    (void)own;
    return 0;
}

static uint32_t star_child(uint32_t own, uint32_t n, uint32_t at)
{
    return own ? n : at + 1;
}

static uint32_t chain_parent(uint32_t own)
{
    return own - 1;
}

static uint32_t chain_child(uint32_t own, uint32_t n, uint32_t at)
{
    return at ? n : own + 1;
}

/* In a binary tree, level k holds the 2^k members from 2^k - 1 on. Odd members are in the left
 * subtree, even ones in the right one. */
static uint32_t level_width(uint32_t own)
{
    return power_of_two_within(own + 1);
}

static uint32_t binary_parent(uint32_t own)
{
    uint32_t width = level_width(own), parent = own - width / 2;
    return parent < width - 1 ? parent : parent - width / 2;
}

static uint32_t binary_child(uint32_t own, uint32_t n, uint32_t at)
{
    return at < 2 ? own + level_width(own) * (at + 1) : n;
}

/* Binomial: a parent is its child without the lowest bit. The largest subtree comes first. */
static uint32_t binomial_parent(uint32_t own)
{
    return own & (own - 1);
}

static uint32_t binomial_child(uint32_t own, uint32_t n, uint32_t at)
{
    uint32_t bit = own ? own & -own : power_of_two_within(n - 1) * 2;
    for (bit /= 2; bit; bit /= 2)
        if (own + bit < n && at-- == 0)
            return own + bit;
    return n;
}

/* The same with the highest bit: the smallest distance comes first. */
static uint32_t high_binomial_parent(uint32_t own)
{
    return own - power_of_two_within(own);
}

static uint32_t high_binomial_child(uint32_t own, uint32_t n, uint32_t at)
{
    uint64_t bit = (uint64_t)(own ? 2 * power_of_two_within(own) : 1) << (at < 32 ? at : 32);
    return own + bit < n ? (uint32_t)(own + bit) : n;
}

/* As binomial, but with digits of base 4 instead of bits. */
enum { KNOMIAL_BASE = 4 };

/* The place value of the lowest digit that isn't 0; for the root, the first one that isn't below n. */
static uint64_t lowest_digit(uint32_t own, uint32_t n)
{
    uint64_t value = 1;
    while (value < n && own % (KNOMIAL_BASE * value) == 0)
        value *= KNOMIAL_BASE;
    return value;
}

static uint32_t knomial_parent(uint32_t own)
{
    uint64_t above = KNOMIAL_BASE * lowest_digit(own, UINT32_MAX);
    return (uint32_t)(own / above * above);
}

static uint32_t knomial_child(uint32_t own, uint32_t n, uint32_t at)
{
    for (uint64_t value = lowest_digit(own, n) / KNOMIAL_BASE; value; value /= KNOMIAL_BASE)
        for (uint32_t digit = 1; digit < KNOMIAL_BASE; digit++)
            if (own + digit * value < n && at-- == 0)
                return (uint32_t)(own + digit * value);
    return n;
}

static const Tree star = {star_parent, star_child}, chain = {chain_parent, chain_child},
                  binary = {binary_parent, binary_child}, binomial = {binomial_parent, binomial_child},
                  high_binomial = {high_binomial_parent, high_binomial_child},
                  knomial = {knomial_parent, knomial_child};

/* ---- Whole messages ---- */

static void put_down(const Tree *tree, const CollectivePart *part, double bytes, MessageSink *sink)
{
    uint32_t own = from_root(part), child;
    assert(part->place < part->n && part->root < part->n);
    if (own)
        put_receive(sink, at_root_plus(part, tree->parent(own)), bytes);
    for (uint32_t i = 0; (child = tree->child(own, part->n, i)) < part->n; i++)
        put_blocking_send(sink, at_root_plus(part, child), bytes);
}

static void put_up(const Tree *tree, const CollectivePart *part, double bytes, MessageSink *sink)
{
    uint32_t own = from_root(part), child, n = 0;
    while (tree->child(own, part->n, n) < part->n)
        n++;
    for (; n && (child = tree->child(own, part->n, n - 1)) < part->n; n--)
        put_receive(sink, at_root_plus(part, child), bytes);
    if (own)
        put_blocking_send(sink, at_root_plus(part, tree->parent(own)), bytes);
}

#define BCAST(tree)                                                                                                    \
    static void put_##tree##_bcast(const CollectivePart *part, MessageSink *sink)                                      \
    {                                                                                                                  \
        put_down(&tree, part, common_bytes(part), sink);                                                               \
    }                                                                                                                  \
    const CollectiveAlgorithm tree##_bcast = {#tree, put_##tree##_bcast, false, NULL}

#define REDUCE(tree)                                                                                                   \
    static void put_##tree##_reduce(const CollectivePart *part, MessageSink *sink)                                     \
    {                                                                                                                  \
        put_up(&tree, part, part->own.sent, sink);                                                                     \
    }                                                                                                                  \
    const CollectiveAlgorithm tree##_reduce = {#tree, put_##tree##_reduce, false, NULL}

#define BARRIER(tree)                                                                                                  \
    static void put_##tree##_barrier(const CollectivePart *part, MessageSink *sink)                                    \
    {                                                                                                                  \
        CollectivePart rooted = *part;                                                                                 \
        rooted.root = 0;                                                                                               \
        put_up(&tree, &rooted, 0, sink);                                                                               \
        put_down(&tree, &rooted, 0, sink);                                                                             \
    }                                                                                                                  \
    const CollectiveAlgorithm tree##_barrier = {#tree, put_##tree##_barrier, false, NULL}

BCAST(star);
BCAST(chain);
BCAST(binary);
BCAST(binomial);
BCAST(high_binomial);
BCAST(knomial);
REDUCE(star);
REDUCE(chain);
REDUCE(binary);
REDUCE(binomial);
REDUCE(high_binomial);
BARRIER(star);
BARRIER(binomial);

/* ---- Parts of a message ---- */

/* Number of members in the binomial subtree of the member at this distance from the root. */
static double subtree_size(uint32_t own, uint32_t n)
{
    uint32_t bit = own & -own;
    return own == 0 ? n : n - own < bit ? n - own : bit;
}

static void put_binomial_scatter(const CollectivePart *part, MessageSink *sink)
{
    uint32_t own = from_root(part), child;
    double each = own ? part->own.received : part->own.sent / part->n;
    if (own)
        put_receive(sink, at_root_plus(part, binomial_parent(own)), each * subtree_size(own, part->n));
    for (uint32_t i = 0; (child = binomial_child(own, part->n, i)) < part->n; i++)
        put_blocking_send(sink, at_root_plus(part, child), each * subtree_size(child, part->n));
}

static void put_binomial_gather(const CollectivePart *part, MessageSink *sink)
{
    uint32_t own = from_root(part), n = 0;
    while (binomial_child(own, part->n, n) < part->n)
        n++;
    for (; n; n--) {
        uint32_t child = binomial_child(own, part->n, n - 1);
        put_receive(sink, at_root_plus(part, child), part->own.sent * subtree_size(child, part->n));
    }
    if (own)
        put_blocking_send(sink, at_root_plus(part, binomial_parent(own)), part->own.sent * subtree_size(own, part->n));
}

static void put_star_scatter(const CollectivePart *part, MessageSink *sink)
{
    put_down(&star, part, part->place == part->root ? part->own.sent / part->n : part->own.received, sink);
}

static void put_star_gather(const CollectivePart *part, MessageSink *sink)
{
    put_up(&star, part, part->own.sent, sink);
}

/* The root asks each member in turn for its part. An empty message follows the part. */
static void put_announced_gather(const CollectivePart *part, MessageSink *sink)
{
    if (part->place != part->root) {
        put_receive(sink, part->root, 0);
        put_blocking_send(sink, part->root, part->own.sent);
        put_send(sink, part->root, 0);
        return;
    }
    for (uint32_t i = 1; i < part->n; i++)
        put_send(sink, place_after(part, i), 0);
    for (uint32_t i = 1; i < part->n; i++) {
        put_receive(sink, place_after(part, i), part->own.sent);
        put_receive(sink, place_after(part, i), 0);
    }
}

static void put_star_gatherv(const CollectivePart *part, MessageSink *sink)
{
    if (part->place != part->root)
        put_blocking_send(sink, part->root, part->shares[part->place].sent);
    for (uint32_t i = 1; part->place == part->root && i < part->n; i++)
        put_receive(sink, place_after(part, i), part->shares[place_after(part, i)].sent);
}

static void put_star_scatterv(const CollectivePart *part, MessageSink *sink)
{
    if (part->place != part->root)
        put_receive(sink, part->root, part->shares[part->place].received);
    for (uint32_t i = 1; part->place == part->root && i < part->n; i++)
        put_send(sink, place_after(part, i), part->shares[place_after(part, i)].received);
}

const CollectiveAlgorithm binomial_scatter = {"binomial", put_binomial_scatter, false, NULL};
const CollectiveAlgorithm binomial_gather = {"binomial", put_binomial_gather, false, NULL};
const CollectiveAlgorithm star_scatter = {"star", put_star_scatter, false, NULL};
const CollectiveAlgorithm star_gather = {"star", put_star_gather, false, NULL};
const CollectiveAlgorithm announced_gather = {"announced", put_announced_gather, false, NULL};
const CollectiveAlgorithm star_gatherv = {"star", put_star_gatherv, false, NULL};
const CollectiveAlgorithm star_scatterv = {"star", put_star_scatterv, false, NULL};

/* ---- Broadcasts of pieces ---- */

/* The root sends half of the message into either subtree. Then each member exchanges its half with
 * the next member, which is in the other subtree. A last member without a next one gets the other
 * half from the root. */
static void put_split_binary_bcast(const CollectivePart *part, MessageSink *sink)
{
    uint32_t own = from_root(part), last = part->n - 1;
    double half = common_bytes(part) / 2;
    put_down(&binary, part, half, sink);
    if (own == 0) {
        if (part->n % 2 == 0)
            put_blocking_send(sink, at_root_plus(part, last), half);
    } else if (own % 2 && own == last) {
        put_receive(sink, part->root, half);
    } else {
        put_exchange(sink, at_root_plus(part, own % 2 ? own + 1 : own - 1), half);
    }
}

const CollectiveAlgorithm split_binary_bcast = {"split binary", put_split_binary_bcast, false, NULL};

/* A message in as many pieces as members; a scatter gave each member the piece of its number. */
typedef struct Pieces {
    const CollectivePart *part;
    double bytes; /* of a piece */
} Pieces;

/* Bytes of `count` pieces from a number on, of those that there are. */
static double pieces_bytes(const Pieces *pieces, uint32_t first, uint32_t count)
{
    uint32_t n = pieces->part->n;
    return first >= n ? 0 : pieces->bytes * (n - first < count ? n - first : count);
}

static void put_scatter_of_pieces(const Pieces *pieces, MessageSink *sink)
{
    CollectivePart part = *pieces->part;
    part.own = (MemberShare){pieces->bytes * part.n, pieces->bytes};
    put_binomial_scatter(&part, sink);
}

/* Doubling when n is no power of two: a member without a partner gets the pieces of the other half
 * from members that have them, along a tree. */
static void put_doubling_rest(const Pieces *pieces, uint32_t distance, MessageSink *sink)
{
    const CollectivePart *part = pieces->part;
    uint32_t own = from_root(part), first = own & ~(distance - 1), other = (own ^ distance) & ~(distance - 1);
    int64_t n_served = (int64_t)part->n - first - distance;
    double bytes = pieces_bytes(pieces, other, distance);
    if ((uint64_t)other + distance <= part->n)
        return;
    for (uint32_t bit = distance / 2; bit; bit /= 2) {
        uint32_t with = own ^ bit;
        int64_t limit = (int64_t)(own & ~(2 * bit - 1)) + n_served;
        if (with >= part->n)
            continue;
        if (with > own && own < limit && with >= limit)
            put_send(sink, at_root_plus(part, with), bytes);
        else if (with < own && with < limit && own >= limit)
            put_receive(sink, at_root_plus(part, with), bytes);
    }
}

static void put_scatter_doubling_bcast(const CollectivePart *part, MessageSink *sink)
{
    const Pieces pieces = {part, common_bytes(part) / part->n};
    uint32_t own = from_root(part);
    if (has_few_elements(common_bytes(part), part->n)) {
        put_star_bcast(part, sink);
        return;
    }
    put_scatter_of_pieces(&pieces, sink);
    for (uint32_t distance = 1; distance < part->n; distance *= 2) {
        uint32_t with = own ^ distance;
        if (with < part->n) {
            put_send(sink, at_root_plus(part, with), pieces_bytes(&pieces, own & ~(distance - 1), distance));
            put_receive(sink, at_root_plus(part, with), pieces_bytes(&pieces, with & ~(distance - 1), distance));
        }
        put_doubling_rest(&pieces, distance, sink);
    }
}

static void put_scatter_ring_bcast(const CollectivePart *part, MessageSink *sink)
{
    const Pieces pieces = {part, common_bytes(part) / part->n};
    put_scatter_of_pieces(&pieces, sink);
    for (uint32_t i = 1; i < part->n; i++) {
        put_send(sink, place_after(part, 1), pieces.bytes);
        put_receive(sink, place_before(part, 1), pieces.bytes);
    }
}

const CollectiveAlgorithm scatter_doubling_bcast = {"scatter, doubling", put_scatter_doubling_bcast, false, NULL};
const CollectiveAlgorithm scatter_ring_bcast = {"scatter, ring", put_scatter_ring_bcast, true, &scatter_doubling_bcast};
