/* SPDX-License-Identifier: BSD-3-Clause */
/* See strata_json.h. */
#include "model/strata_json.h"

#include "base/json.h"

#define COUNT_LIMIT ((uint64_t)INT64_MAX)

json_t *strata_to_json(const Stratum *strata, uint32_t n_strata)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < n_strata; i++) {
        json_t *ranges = json_array();
        for (uint32_t k = 0; k < strata[i].n_ranges; k++) {
            const StratumRange *range = &strata[i].ranges[k];
            json_array_append_new(ranges, json_pack("{s:I, s:I, s:I}", "first", (json_int_t)range->first, "count",
                                                    (json_int_t)range->count, "period", (json_int_t)range->period));
        }
        json_array_append_new(array, json_pack("{s:I, s:f, s:o}", "count", (json_int_t)strata[i].count, "total_s",
                                               strata[i].total_s, "ranges", ranges));
    }
    return array;
}

static bool range_from_json(const json_t *object, const JsonPlace *place, uint64_t weight, StratumRange *range,
                            Err *err)
{
    if (!json_get_uint(object, "first", place, COUNT_LIMIT, &range->first, err) ||
        !json_get_uint(object, "count", place, COUNT_LIMIT, &range->count, err) ||
        !json_get_uint(object, "period", place, STRATUM_PERIOD_LIMIT, &range->period, err))
        return false;
    return (range->count && range->period && range->first < weight &&
            range->count - 1 <= (weight - 1 - range->first) / range->period) ||
           err_set(err, ERR_INPUT, "%s: %s: expected places below the phase's weight of %lu", place->file, place->path,
                   (unsigned long)weight);
}

static bool ranges_from_json(const json_t *object, const JsonPlace *place, uint64_t weight, Arena *arena,
                             Stratum *stratum, Err *err)
{
    json_t *array;
    if (!json_get_array(object, "ranges", place, SIZE_MAX, &array, err))
        return false;
    size_t n = json_array_size(array);
    if (n > STRATA_RANGES_LIMIT)
        return err_set(err, ERR_INPUT, "%s: %s.ranges: more than the limit of %d", place->file, place->path,
                       STRATA_RANGES_LIMIT);
    StratumRange *ranges = arena_new_array(arena, StratumRange, n);
    for (size_t i = 0; i < n; i++) {
        const JsonPlace at = json_place(place->file, "%s.ranges[%zu]", place->path, i);
        if (!range_from_json(json_array_get(array, i), &at, weight, &ranges[i], err))
            return false;
    }
    stratum->ranges = ranges;
    stratum->n_ranges = (uint32_t)n;
    return true;
}

bool strata_from_json(const json_t *array, const char *file, const char *path, uint64_t weight, Arena *arena,
                      const Stratum **result, uint32_t *n_result, Err *err)
{
    size_t n = json_array_size(array);
    const JsonPlace whole = json_place(file, "%s.strata", path);
    if (n > STRATA_LIMIT || n == 1)
        return err_set(err, ERR_INPUT, "%s: %s: expected none, or 2 to %d", file, whole.path, STRATA_LIMIT);
    Stratum *strata = arena_new_array(arena, Stratum, n);
    uint32_t n_ranges = 0;
    for (size_t i = 0; i < n; i++) {
        const JsonPlace place = json_place(file, "%s[%zu]", whole.path, i);
        const json_t *object = json_array_get(array, i);
        if (!json_get_uint(object, "count", &place, COUNT_LIMIT, &strata[i].count, err) ||
            !json_get_seconds(object, "total_s", &place, &strata[i].total_s, err) ||
            !ranges_from_json(object, &place, weight, arena, &strata[i], err))
            return false;
        n_ranges += strata[i].n_ranges;
        if (n_ranges > STRATA_RANGES_LIMIT || (i == 0) != (strata[i].n_ranges == 0))
            return err_set(err, ERR_INPUT,
                           "%s: %s.ranges: expected none in the first stratum, some in each other, at most %d together",
                           file, place.path, STRATA_RANGES_LIMIT);
    }
    for (uint32_t i = 0; i < n; i++) {
        uint64_t count = strata_count(strata, (uint32_t)n, i, weight);
        if (count != strata[i].count)
            return err_set(err, ERR_INPUT, "%s: %s[%u].count: %lu, but its ranges hold %lu", file, whole.path, i,
                           (unsigned long)strata[i].count, (unsigned long)count);
    }
    *result = strata;
    *n_result = (uint32_t)n;
    return true;
}
