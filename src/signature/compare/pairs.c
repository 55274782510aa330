/* SPDX-License-Identifier: BSD-3-Clause */
/* See pairs.h. Only one row is held at a time, and of what differs only the most. */
#include "signature/compare/pairs.h"

void pairs_init(Pairs *pairs, uint32_t source)
{
    *pairs = (Pairs){.source = source};
}

void pairs_free(Pairs *pairs)
{
    map_free(&pairs->numbers);
    vec_free(&pairs->list);
}

void pairs_add(Pairs *pairs, int side, uint32_t destination, uint64_t bytes)
{
    size_t number = map_number(&pairs->numbers, (MapKey){0, destination}, pairs->list.count);
    if (number == pairs->list.count)
        *vec_push(&pairs->list) = (PairDifference){.source = pairs->source, .destination = destination};
    PairDifference *pair = &pairs->list.items[number];
    pair->messages[side]++;
    pair->bytes[side] += bytes;
}

static uint64_t away(const uint64_t values[2])
{
    return values[0] > values[1] ? values[0] - values[1] : values[1] - values[0];
}

static bool differs_more(const PairDifference *a, const PairDifference *b)
{
    if (away(a->bytes) != away(b->bytes))
        return away(a->bytes) > away(b->bytes);
    if (away(a->messages) != away(b->messages))
        return away(a->messages) > away(b->messages);
    return a->source != b->source ? a->source < b->source : a->destination < b->destination;
}

static void keep(const PairDifference *pair, TraceDifference *difference)
{
    uint32_t at = difference->n_kept;
    if (at == PAIRS_KEPT) {
        if (!differs_more(pair, &difference->pairs[PAIRS_KEPT - 1]))
            return;
        at--;
    } else {
        difference->n_kept++;
    }
    for (; at && differs_more(pair, &difference->pairs[at - 1]); at--)
        difference->pairs[at] = difference->pairs[at - 1];
    difference->pairs[at] = *pair;
}

void pairs_finish(const Pairs *pairs, TraceDifference *difference)
{
    difference->n_pairs += pairs->list.count;
    for (size_t i = 0; i < pairs->list.count; i++) {
        const PairDifference *pair = &pairs->list.items[i];
        if (!away(pair->messages) && !away(pair->bytes))
            continue;
        difference->n_different_pairs++;
        keep(pair, difference);
    }
}
