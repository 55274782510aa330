/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON form of strata, and checks of it; see strata_json.h. */
#include "model/strata_json.h"

static const FieldList range_fields =
    FIELDS(StratumRange, FIELD(StratumRange, first, "number of the first occurrence among those of its phase, from 0"),
           FIELD(StratumRange, count, "number of occurrences"),
           FIELD(StratumRange, period, "distance from each occurrence to the next", .limit = STRATUM_PERIOD_LIMIT));

#define STRATUM_FIELDS                                                                                                 \
    FIELD(Stratum, count, "number of occurrences in the stratum"),                                                     \
        FIELD(Stratum, total_s, "total time of these occurrences, mean over processes"),                               \
        FIELD(Stratum, path_s, "of this, computation and waiting for it"),                                             \
        FIELD_LIST(Stratum, ranges, n_ranges, "ranges",                                                                \
                   "the phase's occurrences in this stratum; none: all that are in no other stratum",                  \
                   .of = &range_fields, .limit = STRATA_RANGES_LIMIT)

const FieldList stratum_fields = FIELDS(Stratum, STRATUM_FIELDS);

const FieldList kept_stratum_fields =
    FIELDS(Stratum, STRATUM_FIELDS,
           FIELD_LIST(Stratum, time_s, n_milestones, "milestones_s", "of `total_s`, the time before each milestone"));

static bool check_ranges(const Stratum *stratum, uint64_t weight, const JsonPlace *place, Err *err)
{
    for (uint32_t i = 0; i < stratum->n_ranges; i++) {
        const StratumRange *range = &stratum->ranges[i];
        const JsonPlace at = json_place_at(place, "ranges", i);
        if (!range->count || !range->period || range->first >= weight ||
            range->count - 1 > (weight - 1 - range->first) / range->period)
            return json_refuse(&at, "", err, "expected places below the phase's weight of %lu", (unsigned long)weight);
    }
    return true;
}

bool strata_check(const Stratum *strata, uint32_t n_strata, uint64_t weight, const JsonPlace *place, Err *err)
{
    uint32_t n_ranges = 0;
    if (n_strata > STRATA_LIMIT || n_strata == 1)
        return json_refuse(place, "strata", err, "expected none, or 2 to %d", STRATA_LIMIT);
    for (uint32_t i = 0; i < n_strata; i++) {
        const JsonPlace at = json_place_at(place, "strata", i);
        /* files hold 12 digits */
        if (strata[i].path_s > strata[i].total_s * (1 + 1e-9) + 1e-9)
            return json_refuse(&at, "path_s", err, "%g, but it is a part of `total_s`, which is %g", strata[i].path_s,
                               strata[i].total_s);
        if (!check_ranges(&strata[i], weight, &at, err))
            return false;
        n_ranges += strata[i].n_ranges;
        if (n_ranges > STRATA_RANGES_LIMIT || (i == 0) != (strata[i].n_ranges == 0))
            return json_refuse(&at, "ranges", err,
                               "expected none in the first stratum, some in each other, at most %d together",
                               STRATA_RANGES_LIMIT);
    }
    for (uint32_t i = 0; i < n_strata; i++) {
        const JsonPlace at = json_place_at(place, "strata", i);
        uint64_t count = strata_count(strata, n_strata, i, weight);
        if (count != strata[i].count)
            return json_refuse(&at, "count", err, "%lu, but its ranges hold %lu", (unsigned long)strata[i].count,
                               (unsigned long)count);
    }
    return true;
}
