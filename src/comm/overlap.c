/* SPDX-License-Identifier: BSD-3-Clause */
/* See overlap.h. */
#include "comm/overlap.h"

#include "comm/estimates.h"
#include "comm/statistics.h"
#include <gsl/gsl_statistics_double.h>
#include <math.h>

static double share_of(double exposed_over_alone)
{
    return fmax(0, 1 - exposed_over_alone);
}

const CommOverlap *overlap_make(const CommPoint *alone, const double *exposed_s, const double *computed_s,
                                const uint32_t *launches, uint64_t n, Arena *arena)
{
    CommPoint exposed = {0};
    Estimated alone_s, left_s;
    statistics_fill(exposed_s, launches, n, 1, &exposed);
    double *computed = arena_copy_array(arena, computed_s, n, sizeof *computed);
    CommOverlap overlap = {.compute_s = gsl_stats_median(computed, 1, n),
                           .exposed_s = exposed.median_s,
                           .share = share_of(exposed.median_s / alone->median_s),
                           .share_low = NAN,
                           .share_high = NAN};
    if (estimate_of_point(alone, COMM_MEDIAN, &alone_s) && estimate_of_point(&exposed, COMM_MEDIAN, &left_s)) {
        const Estimated ratio = estimate_ratio(left_s, alone_s);
        overlap.share_low = share_of(ratio.high);
        overlap.share_high = share_of(ratio.low);
    }
    return arena_copy_array(arena, &overlap, 1, sizeof overlap);
}
