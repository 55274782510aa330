/* SPDX-License-Identifier: BSD-3-Clause */
/* A greedy search for regular places: takes the best range, removes its members, and goes on until
 * the best range could be chance.
 *
 * Periods that are tried: 1 (consecutive places); the commonest distance from a member to its next
 * one, its second next, and so on; and divisors of these distances. For each period, only the
 * residue class with the most members is searched. A range's score is the number of its members
 * minus MISS_COST for each place that isn't a member. The best range of a class is its best partial
 * sum (Kadane's algorithm).
 *
 * If the members were thrown at random, the expected number of ranges of p places that hold h
 * members would be at most
 *
 *     C · binomial(p, h) · density^h        C: number of ranges that could have been looked at */
#include "signature/phases/regular.h"

#include "base/vec.h"
#include <assert.h>
#include <math.h>
#include <stdbool.h>

enum { MISS_COST = 3, NEIGHBOURS = 8, LARGEST_DIVISOR = 6 };

static const double CHANCE_ACCEPTED = 0.01;

typedef struct Candidate {
    StratumRange range;
    uint64_t hits;
    int64_t score;
} Candidate;

/* The commonest distance between members that are `neighbour` apart in the list; 0: there is
 * none. */
static uint32_t commonest_distance(const uint32_t *members, size_t n, size_t neighbour, uint32_t longest,
                                   uint32_t *counts)
{
    uint32_t best = 0;
    memset(counts, 0, (longest + 1) * sizeof *counts);
    for (size_t i = 0; i + neighbour < n; i++) {
        assert(members[i + neighbour] > members[i]);
        uint32_t distance = members[i + neighbour] - members[i];
        if (distance <= longest && ++counts[distance] > counts[best])
            best = distance;
    }
    return best;
}

static uint32_t fullest_class(const uint32_t *members, size_t n, uint32_t period, uint32_t *counts)
{
    uint32_t best = 0;
    memset(counts, 0, period * sizeof *counts);
    for (size_t i = 0; i < n; i++)
        counts[members[i] % period]++;
    for (uint32_t residue = 1; residue < period; residue++)
        if (counts[residue] > counts[best])
            best = residue;
    return best;
}

static Candidate best_of_class(const uint32_t *members, size_t n, uint32_t period, uint32_t residue)
{
    Candidate best = {0}, now = {0};
    uint32_t last = 0;
    for (size_t i = 0; i < n; i++) {
        if (members[i] % period != residue)
            continue;
        if (now.hits)
            now.score -= (int64_t)MISS_COST * ((members[i] - last) / period - 1);
        if (!now.hits || now.score <= 0)
            now = (Candidate){.range = {members[i], 0, period}};
        now.score++;
        now.hits++;
        now.range.count = (members[i] - now.range.first) / period + 1;
        last = members[i];
        if (now.score > best.score)
            best = now;
    }
    return best;
}

static Candidate best_range(const uint32_t *members, size_t n, size_t n_places, uint32_t *counts)
{
    uint32_t longest = (uint32_t)(n_places / 3);
    Candidate best = best_of_class(members, n, 1, 0);
    for (size_t neighbour = 1; neighbour <= NEIGHBOURS; neighbour++) {
        uint32_t period = commonest_distance(members, n, neighbour, longest, counts);
        if (period < 2)
            continue;
        /* If there are other members in between, a multiple of the period may be commoner than the
         * period. */
        for (uint32_t part = 1; part <= LARGEST_DIVISOR; part++) {
            if (period % part || period / part < 2)
                continue;
            uint32_t divisor = period / part;
            Candidate candidate = best_of_class(members, n, divisor, fullest_class(members, n, divisor, counts));
            if (candidate.score > best.score)
                best = candidate;
        }
    }
    if (best.range.count == 1)
        best.range.period = 1;
    return best;
}

static bool is_chance(const Candidate *candidate, size_t n_members, size_t n_places)
{
    if (candidate->hits < 2)
        return true;
    double hits = (double)candidate->hits, count = (double)candidate->range.count, places = (double)n_places;
    double looked_at = candidate->range.period > 1 ? places / hits * (places / hits)
                       : candidate->range.first    ? places * hits
                                                   : hits;
    double log_chance = log(looked_at) + lgamma(count + 1) - lgamma(hits + 1) - lgamma(count - hits + 1) +
                        hits * log((double)n_members / places);
    return log_chance > log(CHANCE_ACCEPTED);
}

static size_t remove_range(uint32_t *members, size_t n, StratumRange range)
{
    size_t kept = 0;
    uint64_t last = range.first + (range.count - 1) * range.period;
    for (size_t i = 0; i < n; i++)
        if (members[i] < range.first || members[i] > last || (members[i] - range.first) % range.period)
            members[kept++] = members[i];
    return kept;
}

uint32_t regular_find(uint32_t *members, size_t *n_members, size_t n_places, StratumRange *ranges, uint32_t limit)
{
    uint32_t *counts = memory_zeroed(n_places / 3 + 2, sizeof *counts), n = 0;
    while (n < limit && *n_members) {
        Candidate best = best_range(members, *n_members, n_places, counts);
        if (is_chance(&best, *n_members, n_places))
            break;
        ranges[n++] = best.range;
        size_t n_left = remove_range(members, *n_members, best.range);
        assert(n_left + best.hits == *n_members);
        *n_members = n_left;
    }
    free(counts);
    assert(n <= limit);
    return n;
}
