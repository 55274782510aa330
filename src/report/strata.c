/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes strata in words (strata.h). Occurrences are counted from 1. */
#include "report/strata.h"

#include "report/format.h"

static const char *ordinal_text(uint64_t ordinal, Arena *arena)
{
    const char *endings[] = {"th", "st", "nd", "rd"};
    bool teen = ordinal % 100 >= 11 && ordinal % 100 <= 13;
    return arena_printf(arena, "%s%s", format_count(arena, ordinal),
                        !teen && ordinal % 10 <= 3 ? endings[ordinal % 10] : "th");
}

static const char *range_text(const StratumRange *range, uint64_t weight, Arena *arena)
{
    uint64_t last = range->first + (range->count - 1) * range->period;
    bool to_the_end = weight - 1 - last < range->period;
    const char *from = ordinal_text(range->first + 1, arena), *to = ordinal_text(last + 1, arena);
    if (range->count == 1)
        return arena_printf(arena, "the %s", from);
    if (range->period == 1 && range->first == 0)
        return arena_printf(arena, "the first %s", format_count(arena, range->count));
    if (range->period == 1)
        return to_the_end ? arena_printf(arena, "the %s and later", from)
                          : arena_printf(arena, "the %s to the %s", from, to);
    const char *every = ordinal_text(range->period, arena);
    return to_the_end ? arena_printf(arena, "every %s from the %s", every, from)
                      : arena_printf(arena, "every %s from the %s to the %s", every, from, to);
}

const char *stratum_places_text(const Phase *phase, uint32_t stratum, Arena *arena)
{
    const Stratum *own = &phase->strata[stratum];
    const char *text = own->n_ranges ? "" : "others";
    for (uint32_t i = 0; i < own->n_ranges; i++)
        text = arena_printf(arena, "%s%s%s", text, i ? ", " : "", range_text(&own->ranges[i], phase->weight, arena));
    return text;
}

const char *strata_text(const Phase *phase, Arena *arena)
{
    const char *text = "";
    for (uint32_t i = 0; i < phase->n_strata; i++) {
        const Stratum *stratum = &phase->strata[i];
        double mean_s = stratum->count ? stratum->total_s / (double)stratum->count : 0;
        text = arena_printf(arena, "%s%s%s%s of %s", text, i ? ", " : "", format_count(arena, stratum->count),
                            i ? "" : " occurrences", format_seconds(arena, mean_s));
        if (i)
            text = arena_printf(arena, "%s (%s)", text, stratum_places_text(phase, i, arena));
    }
    return text;
}
