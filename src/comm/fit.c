/* SPDX-License-Identifier: BSD-3-Clause */
/* See fit.h. Dynamic programming finds the best cut of the sizes into segments of at least
 * SEGMENT_LEAST sizes. It minimises the sum of the lines' costs (line.h) + PENALTY · ln(n sizes)
 * for each segment. That is the Bayesian information criterion for a segment's line and border.
 *
 * The noise of a size comes from its median's interval. It is enlarged by a common factor if sizes
 * typically lie farther off the line between their neighbours. Borders of segments disturb that
 * test in a few places only. */
#include "comm/fit.h"

#include "comm/line.h"
#include <assert.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

/* No line is exact: the cost of a message rises in steps of packets and pages. */
static const double LEAST_NOISE = 0.02, MOST_NOISE = 0.3;
static const double PENALTY = 4;
/* A size is off its line if its relative error exceeds three standard deviations, but at least
 * FAR_OFF and at most FURTHEST_OFF. */
static const double FAR_OFF = 0.2, FURTHEST_OFF = 0.3;
enum { SEGMENT_LEAST = 3, LOCAL_LEAST = 5 };
/* If there are more sizes, borders are tried at some sizes only. */
enum { CUTS_MOST = 128 };

typedef struct Segment {
    size_t from, to; /* points [from, to) */
    Line line;
} Segment;

typedef struct Sizes {
    double *bytes, *time_s, *noise;
    size_t n;
    double *weights; /* room for line_fit */
} Sizes;

/* Uses the nearer end of the median's interval. The farther end shows how long other programs kept
 * the machine busy, which may be a thousand times the median. */
static double interval_noise(const CommPoint *point)
{
    const double half_width_over_deviation = 1.959964;
    double below = point->median_s - point->low_s, above = point->high_s - point->median_s;
    return fmin(fmax(0, fmin(below, above)) / half_width_over_deviation / point->median_s, MOST_NOISE);
}

/* The distance of a size from the line between its neighbours, in standard deviations. */
static double off_neighbours(const Sizes *sizes, size_t i)
{
    const double *x = sizes->bytes + i, *t = sizes->time_s + i, *noise = sizes->noise + i;
    double share = (x[1] - x[0]) / (x[1] - x[-1]);
    double before = share * t[-1], after = (1 - share) * t[1];
    return fabs(t[0] - before - after) /
           sqrt(pow(noise[0] * t[0], 2) + pow(noise[-1] * before, 2) + pow(noise[1] * after, 2));
}

/* Enlarges all noises by one factor, so that the typical distance from neighbours is one deviation.
 * Never reduces them. */
static void enlarge_noise(Sizes *sizes, Arena *arena)
{
    const double deviation_over_median = 1.4826;
    if (sizes->n < LOCAL_LEAST)
        return;
    size_t n = sizes->n - 2;
    double *off = arena_new_array(arena, double, n);
    for (size_t i = 0; i < n; i++)
        off[i] = off_neighbours(sizes, i + 1);
    gsl_sort(off, 1, n);
    double factor = fmax(1, deviation_over_median * gsl_stats_median_from_sorted_data(off, 1, n));
    for (size_t i = 0; i < sizes->n; i++)
        sizes->noise[i] *= factor;
}

/* Leaves out times of 0, which are below the clock's resolution: they have no relative error. */
static Sizes read_sizes(const CommSeries *series, Arena *arena)
{
    uint32_t n = series->n_points;
    Sizes sizes = {arena_new_array(arena, double, n), arena_new_array(arena, double, n),
                   arena_new_array(arena, double, n), 0, arena_new_array(arena, double, n)};
    for (uint32_t i = 0; i < n; i++) {
        const CommPoint *point = &series->points[i];
        if (!(point->median_s > 0))
            continue;
        sizes.bytes[sizes.n] = (double)point->bytes;
        sizes.time_s[sizes.n] = point->median_s;
        sizes.noise[sizes.n++] = hypot(LEAST_NOISE, interval_noise(point));
    }
    enlarge_noise(&sizes, arena);
    return sizes;
}

static Line fit_segment(const Sizes *sizes, size_t from, size_t to)
{
    const LineData data = {sizes->bytes + from, sizes->time_s + from, sizes->noise + from, to - from};
    return line_fit(&data, sizes->weights);
}

/* Finds the best segments, and returns their number. */
static size_t cut(const Sizes *sizes, Segment *segments, Arena *arena)
{
    size_t n = sizes->n, count = 0;
    /* last[to]: the last of the best segments of the first `to` sizes. */
    Segment *last = arena_new_array(arena, Segment, n + 1);
    double *cost = arena_new_array(arena, double, n + 1), penalty = PENALTY * log((double)n);
    /* Steps of this size, counted back from n. */
    size_t step = (n + CUTS_MOST - 1) / CUTS_MOST, first = (n - 1) % step + 1;
    for (size_t to = first; to <= n; to += step) {
        cost[to] = INFINITY;
        for (size_t from = 0; from < to; from = from ? from + step : first) {
            size_t length = to - from;
            if ((length < SEGMENT_LEAST && length < n) || cost[from] + penalty >= cost[to])
                continue;
            Line line = fit_segment(sizes, from, to);
            double with_it = cost[from] + line.cost + penalty;
            if (with_it < cost[to]) {
                cost[to] = with_it;
                last[to] = (Segment){from, to, line};
            }
        }
    }
    for (size_t to = n; to > 0; to = last[to].from)
        count++;
    assert(count > 0 && last[n].to == n);
    size_t at = count;
    for (size_t to = n; to > 0; to = last[to].from)
        segments[--at] = last[to];
    return count;
}

/* The size where a segment begins: the intersection with the line before, if that lies between the
 * two neighbouring sizes; else the segment's first size. */
static uint64_t beginning(const Sizes *sizes, const Segment *segment)
{
    if (segment->from == 0)
        return 0;
    const Line *before = &segment[-1].line, *line = &segment->line;
    double meet = (line->alpha - before->alpha) / (before->slope - line->slope);
    double least = sizes->bytes[segment->from - 1], most = sizes->bytes[segment->from];
    return (uint64_t)ceil(isfinite(meet) && meet > least && meet < most ? meet : most);
}

static double relative_error(const Sizes *sizes, const Line *line, size_t i)
{
    return (line->alpha + line->slope * sizes->bytes[i]) / sizes->time_s[i] - 1;
}

static double typical_error(const Sizes *sizes, const Segment *segment)
{
    double *errors = sizes->weights;
    for (size_t i = segment->from; i < segment->to; i++)
        errors[i - segment->from] = fabs(relative_error(sizes, &segment->line, i));
    return gsl_stats_median(errors, 1, segment->to - segment->from);
}

/* A segment isn't a line in three cases. Its latency was held at 0, this makes the fit clearly
 * worse, and a size is far off. Or SEGMENT_LEAST sizes in a row (at the end, two) are far off on
 * the same side; single outliers don't count. Or the typical error is large. */
static bool is_line(const Sizes *sizes, const Segment *segment, double typical)
{
    const Line *line = &segment->line;
    bool held = line->free_alpha < 0 && line->cost - line->free_cost > PENALTY;
    size_t above = 0, below = 0;
    for (size_t i = segment->from; i < segment->to; i++) {
        double error = relative_error(sizes, line, i), limit = fmin(fmax(FAR_OFF, 3 * sizes->noise[i]), FURTHEST_OFF);
        above = error > limit ? above + 1 : 0;
        below = error < -limit ? below + 1 : 0;
        size_t several = i + 1 == sizes->n ? 2 : SEGMENT_LEAST;
        if ((held && above + below > 0) || above >= several || below >= several)
            return false;
    }
    return typical <= FAR_OFF;
}

static void describe(const Sizes *sizes, const Segment *segments, size_t n_segments, CostSegment *costs,
                     MachinePath *path)
{
    double squares = 0, steepness = 0;
    for (size_t i = 0; i < n_segments; i++) {
        squares += segments[i].line.squares;
        steepness += segments[i].line.steepness;
    }
    double width =
        line_noise_factor(squares, steepness, sizes->n, 2 * n_segments) * line_quantile(sizes->n, 2 * n_segments);
    path->linear = true;
    for (size_t i = 0; i < n_segments; i++) {
        const Line *line = &segments[i].line;
        double error = typical_error(sizes, &segments[i]);
        costs[i] =
            (CostSegment){beginning(sizes, &segments[i]),
                          line_estimate(line->alpha, line->free_alpha, width * sqrt(line->alpha_variance)),
                          line_estimate(line->slope, line->free_slope, width * sqrt(line->slope_variance)), error};
        path->linear = path->linear && is_line(sizes, &segments[i], error);
    }
    path->segments = costs;
    path->n_segments = (uint32_t)n_segments;
    for (size_t i = 0; i < sizes->n; i++)
        path->largest_error =
            fmax(path->largest_error, fabs(machine_message_s(path, sizes->bytes[i]) / sizes->time_s[i] - 1));
    path->largest_bytes = (uint64_t)sizes->bytes[sizes->n - 1];
    /* Even an outlier must not take twice or half of what the lines say. */
    path->linear = path->linear && path->largest_error < 1;
}

void fit_path(const CommSeries *series, Arena *arena, MachinePath *path)
{
    Arena *scratch = arena_new();
    Sizes sizes = read_sizes(series, scratch);
    path->segments = NULL;
    path->n_segments = 0;
    path->linear = false;
    path->largest_error = 0;
    path->largest_bytes = 0;
    if (sizes.n >= 2) {
        Segment *segments = arena_new_array(scratch, Segment, sizes.n);
        size_t n_segments = cut(&sizes, segments, scratch);
        describe(&sizes, segments, n_segments, arena_new_array(arena, CostSegment, n_segments), path);
    }
    arena_free(scratch);
}
