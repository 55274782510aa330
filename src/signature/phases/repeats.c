/* SPDX-License-Identifier: BSD-3-Clause */
/* The lexical list behind repeats.h. Places stand in a list, ordered by the text that follows them.
 * So a place shares its longest prefix with one of its neighbours in the list. Places are removed
 * from left to right; all that remain are later ones. When a place is removed, the common prefix of
 * its neighbours is the smaller of their common prefixes with it.
 *
 * Common prefixes of neighbours are computed in text order (Kärkkäinen, Manzini and Puglisi,
 * Permuted Longest-Common-Prefix Array, 2009): from one place to the next, the length falls by at
 * most one. */
#include "signature/phases/repeats.h"

#include "base/arena.h"
#include "signature/phases/suffixes.h"
#include <stdlib.h>

void repeats_init(Repeats *repeats, const uint32_t *text, uint32_t n, uint32_t n_letters)
{
    uint32_t *order = memory_resize(NULL, n * sizeof *order);
    suffixes_sort(text, n, n_letters, order);
    *repeats = (Repeats){memory_resize(NULL, n * sizeof(uint32_t)), memory_resize(NULL, n * sizeof(uint32_t)), NULL, n};
    for (uint32_t rank = 0; rank < n; rank++) {
        repeats->previous[order[rank]] = rank ? order[rank - 1] : n;
        repeats->next[order[rank]] = rank + 1 < n ? order[rank + 1] : n;
    }
    uint32_t *common = order; /* the order isn't needed any longer */
    uint32_t length = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t other = repeats->previous[i];
        if (other == n)
            length = 0;
        while (other < n && i + length < n && other + length < n && text[i + length] == text[other + length])
            length++;
        common[i] = length;
        length -= length > 0;
    }
    repeats->common = common;
}

void repeats_free(Repeats *repeats)
{
    free(repeats->previous);
    free(repeats->next);
    free(repeats->common);
}

uint32_t repeats_take(Repeats *repeats, uint32_t place)
{
    uint32_t n = repeats->n, previous = repeats->previous[place], next = repeats->next[place];
    uint32_t before = previous < n ? repeats->common[place] : 0, after = next < n ? repeats->common[next] : 0;
    if (previous < n)
        repeats->next[previous] = next;
    if (next < n) {
        repeats->previous[next] = previous;
        if (repeats->common[next] > before)
            repeats->common[next] = before;
    }
    return before > after ? before : after;
}
