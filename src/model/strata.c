/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts occurrences in strata without visiting them; see strata.h. The common ordinals of two
 * ranges are a range again (Chinese remainder theorem). Ordinals that later ranges cover are
 * subtracted by inclusion and exclusion. */
#include "model/strata.h"

#include <assert.h>
#include <stdbool.h>

static uint64_t last_place(StratumRange range)
{
    return range.first + (range.count - 1) * range.period;
}

static bool holds(StratumRange range, uint64_t place)
{
    return range.count && place >= range.first && place <= last_place(range) &&
           (place - range.first) % range.period == 0;
}

uint32_t strata_find(const Stratum *strata, uint32_t n_strata, uint64_t ordinal)
{
    for (uint32_t i = n_strata; i > 1; i--)
        for (uint32_t k = 0; k < strata[i - 1].n_ranges; k++)
            if (holds(strata[i - 1].ranges[k], ordinal))
                return i - 1;
    return 0;
}

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Returns x with a·x ≡ 1 (mod n). a and n must have no common divisor. */
static uint64_t inverse(uint64_t a, uint64_t n)
{
    int64_t x = 1, next = 0, rest = (int64_t)(a % n), divisor = (int64_t)n;
    while (divisor) {
        int64_t quotient = rest / divisor, swap = rest % divisor;
        rest = divisor;
        divisor = swap;
        swap = x - quotient * next;
        x = next;
        next = swap;
    }
    assert(rest == 1); /* the greatest common divisor */
    return (uint64_t)(x < 0 ? x + (int64_t)n : x) % n;
}

static const StratumRange nothing = {0, 0, 1};

/* The part of a range within [from, to]. */
static StratumRange clip(StratumRange range, uint64_t from, uint64_t to)
{
    if (!range.count || range.first > to || from > to)
        return nothing;
    uint64_t steps = range.first < from ? (from - range.first + range.period - 1) / range.period : 0;
    if (steps >= range.count)
        return nothing;
    range.first += steps * range.period;
    range.count -= steps;
    if (range.first > to)
        return nothing;
    uint64_t fitting = (to - range.first) / range.period + 1;
    range.count = range.count < fitting ? range.count : fitting;
    return range;
}

/* The ordinals that are in both ranges. b's period must be at most STRATUM_PERIOD_LIMIT, a's may be
 * larger. */
static StratumRange intersect(StratumRange a, StratumRange b)
{
    if (!a.count || !b.count)
        return nothing;
    assert(a.period && b.period);
    uint64_t divisor = greatest_common_divisor(a.period, b.period), n = b.period / divisor;
    uint64_t apart = (b.first % b.period + b.period - a.first % b.period) % b.period;
    if (apart % divisor)
        return nothing;
    uint64_t steps = n > 1 ? apart / divisor % n * inverse(a.period / divisor % n, n) % n : 0;
    if (steps >= a.count)
        return nothing;
    StratumRange both = {a.first + steps * a.period, 0, 0};
    both.count = (a.count - 1 - steps) / n + 1;
    both.period = both.count > 1 ? a.period * n : 1;
    return clip(both, b.first, last_place(b));
}

/* The number of the range's ordinals that are in none of the others. */
static uint64_t count_outside(StratumRange range, const StratumRange *others, uint32_t n_others)
{
    if (!range.count || !n_others)
        return range.count;
    uint64_t outside = count_outside(range, others + 1, n_others - 1);
    uint64_t in_first = count_outside(intersect(range, others[0]), others + 1, n_others - 1);
    assert(in_first <= outside);
    return outside - in_first;
}

uint64_t strata_count(const Stratum *strata, uint32_t n_strata, uint32_t stratum, uint64_t end)
{
    assert(!stratum || stratum < n_strata);
    StratumRange ranges[STRATA_RANGES_LIMIT];
    uint32_t n = 0, n_own = 0;
    for (uint32_t i = stratum ? stratum : 1; i < n_strata; i++)
        for (uint32_t k = 0; k < strata[i].n_ranges && n < STRATA_RANGES_LIMIT; k++) {
            ranges[n++] = strata[i].ranges[k];
            n_own += i == stratum;
        }
    if (!end)
        return 0;
    if (!stratum)
        return count_outside((StratumRange){0, end, 1}, ranges, n);
    uint64_t count = 0;
    for (uint32_t k = 0; k < n_own; k++)
        count += count_outside(clip(ranges[k], 0, end - 1), ranges + k + 1, n - k - 1);
    return count;
}

void strata_typical(const Stratum *strata, uint32_t n_strata, uint64_t weight, uint64_t *from, uint64_t *to)
{
    const uint64_t quarter = weight / 4;
    *from = 0;
    *to = weight;
    for (uint32_t i = 1; i < n_strata; i++)
        for (uint32_t k = 0; k < strata[i].n_ranges; k++) {
            StratumRange range = strata[i].ranges[k];
            if (!range.count)
                continue;
            uint64_t end = last_place(range) + 1;
            if (end <= quarter && end > *from)
                *from = end;
            else if (end >= weight && range.first >= weight - quarter && range.first < *to)
                *to = range.first;
        }
}

double strata_ratio(const Stratum *strata, uint32_t stratum)
{
    if (!stratum || !strata[0].count || !strata[stratum].count || strata[0].total_s <= 0)
        return 1;
    return strata[stratum].total_s / (double)strata[stratum].count / (strata[0].total_s / (double)strata[0].count);
}
