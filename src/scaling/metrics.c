/* SPDX-License-Identifier: BSD-3-Clause */
/* Speedups, efficiencies and serial shares of points, and why a speedup is superlinear
 * (metrics.h). */
#include "scaling/metrics.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

/* Without repeats the noise isn't known. Then a speedup is above p if it exceeds p by this
 * share. */
static const double NOISE_UNKNOWN = 0.02;
/* Repeats of a search differ by their nature: by FAR_NOISIER times what those of other points
 * differ by, and at least by FAR_NOISY. */
static const double FAR_NOISIER = 3, FAR_NOISY = 0.1;
/* A jump: efficiency has this share of its highest rise directly after the least p. */
static const double JUMP_SHARE = 0.8;

double metrics_noise(const Runs *runs, Arena *arena)
{
    const double deviation_over_median = 1.4826;
    size_t n = 0, all = 0;
    for (uint32_t i = 0; i < runs->n_points; i++)
        all += runs->points[i].n_times;
    double *off = arena_new_array(arena, double, all);
    for (uint32_t i = 0; i < runs->n_points; i++) {
        const RunPoint *point = &runs->points[i];
        /* The distance of the median itself is 0 by its choice. */
        for (uint32_t k = 0; point->n_times > 2 && k < point->n_times; k++)
            if (k != point->n_times / 2)
                off[n++] = fabs(point->times_s[k] / point->median_s - 1);
    }
    gsl_sort(off, 1, n);
    return n ? deviation_over_median * gsl_stats_median_from_sorted_data(off, 1, n) : NAN;
}

static Estimated speedup_of(const RunPoint *base, const RunPoint *run)
{
    double p = base->p;
    if (run == base)
        return (Estimated){p, p, p};
    return (Estimated){p * base->median_s / run->median_s, p * base->low_s / run->high_s,
                       p * base->high_s / run->low_s};
}

/* The serial share s from two points. With R = T(p)/T(p0) and T = T(1) (s + (1-s)/p), s = (R/p0 -
 * 1/p) / (1 - 1/p - R (1 - 1/p0)). For p0 = 1, this is Karp and Flatt's (1/S - 1/p) / (1 - 1/p). */
static double serial_share(const RunPoint *base, const RunPoint *run)
{
    double ratio = run->median_s / base->median_s, p = run->p, p0 = base->p;
    return run == base ? NAN : (ratio / p0 - 1 / p) / (1 - 1 / p - ratio * (1 - 1 / p0));
}

static bool is_superlinear(const ScalePoint *point, double noise)
{
    double p = point->run->p, margin = isnan(noise) ? NOISE_UNKNOWN : 0;
    bool has_interval = point->run->n_times > 2;
    return point->speedup.value > p * (1 + (has_interval ? margin : NOISE_UNKNOWN)) && point->speedup.low > p;
}

static double spread_of(const RunPoint *run)
{
    return (run->times_s[run->n_times - 1] - run->times_s[0]) / run->median_s;
}

static SuperlinearCause cause_of(const ScalePoint *points, uint32_t n, uint32_t i, double noise)
{
    const ScalePoint *point = &points[i];
    double highest = 0;
    for (uint32_t k = 0; k < n; k++)
        highest = fmax(highest, points[k].efficiency);
    if (!isnan(point->real_speedup) && point->real_speedup <= point->run->p)
        return CAUSE_BASELINE;
    if (point->run->n_times > 2 && spread_of(point->run) > fmax(FAR_NOISY, FAR_NOISIER * 2 * noise))
        return CAUSE_LESS_WORK;
    return points[1].efficiency - 1 >= JUMP_SHARE * (highest - 1) ? CAUSE_MEMORY : CAUSE_CACHE;
}

const ScalePoint *metrics_make(const RunPoint *runs, uint32_t n, double sequential_s, double noise, Arena *arena)
{
    ScalePoint *points = arena_new_array(arena, ScalePoint, n);
    for (uint32_t i = 0; i < n; i++) {
        Estimated speedup = speedup_of(&runs[0], &runs[i]);
        points[i] = (ScalePoint){.run = &runs[i],
                                 .speedup = speedup,
                                 .real_speedup = sequential_s > 0 ? sequential_s / runs[i].median_s : NAN,
                                 .efficiency = speedup.value / runs[i].p,
                                 .serial_share = serial_share(&runs[0], &runs[i])};
    }
    for (uint32_t i = 1; i < n; i++)
        if (is_superlinear(&points[i], noise))
            points[i].superlinear = cause_of(points, n, i, noise);
    return points;
}

const char *superlinear_cause_text(SuperlinearCause cause)
{
    static const char *const texts[] = {
        [CAUSE_NONE] = "",
        [CAUSE_BASELINE] = "a slow baseline: the sequential program is faster than this one on the fewest processes",
        [CAUSE_LESS_WORK] = "less work: repeats differ as in a search that may end early",
        [CAUSE_MEMORY] = "memory: with the fewest processes, the problem didn't fit the cache, or the memory",
        [CAUSE_CACHE] = "cache: a process's share of the data has become small enough for the cache"};
    return texts[cause];
}
