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
#include <string.h>

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

/* Of a median, uses the nearer end of the interval. The farther end shows how long other programs kept
 * the machine busy, which may be a thousand times the median. A minimum can only be too long. */
static double interval_noise(const CommPoint *point, CommStatistic statistic)
{
    const double half_width_over_deviation = 1.959964;
    double time_s = comm_point_s(point, statistic), low_s, high_s;
    comm_point_interval(point, statistic, &low_s, &high_s);
    double half_s = statistic == COMM_MINIMUM ? (high_s - low_s) / 2 : fmin(time_s - low_s, high_s - time_s);
    return fmin(fmax(0, half_s) / half_width_over_deviation / time_s, MOST_NOISE);
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
static Sizes read_sizes(const CommSeries *series, CommStatistic statistic, Arena *arena)
{
    uint32_t n = series->n_points;
    Sizes sizes = {arena_new_array(arena, double, n), arena_new_array(arena, double, n),
                   arena_new_array(arena, double, n), 0, arena_new_array(arena, double, n)};
    for (uint32_t i = 0; i < n; i++) {
        const CommPoint *point = &series->points[i];
        if (!(comm_point_s(point, statistic) > 0))
            continue;
        sizes.bytes[sizes.n] = (double)point->bytes;
        sizes.time_s[sizes.n] = comm_point_s(point, statistic);
        sizes.noise[sizes.n++] = hypot(LEAST_NOISE, interval_noise(point, statistic));
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

/* A size is far off if its relative error is larger. */
static double error_limit(const Sizes *sizes, size_t i)
{
    return fmin(fmax(FAR_OFF, 3 * sizes->noise[i]), FURTHEST_OFF);
}

/* Moves the beginning of a segment to where the line before meets it, unless that is outside both, or a size would be
 * far off. */
static bool meet(const Sizes *sizes, const CostSegment *before, CostSegment *segment, double segment_end)
{
    double slopes = segment->s_per_byte.value - before->s_per_byte.value, border = (double)segment->from_bytes;
    double bytes = ceil((before->latency_s.value - segment->latency_s.value) / slopes);
    if (!isfinite(bytes) || bytes <= (double)before->from_bytes || bytes >= segment_end)
        return false;
    const CostSegment *line = bytes < border ? segment : before;
    for (size_t i = 0; i < sizes->n; i++) {
        double size = sizes->bytes[i], time_s = line->latency_s.value + line->s_per_byte.value * size;
        bool is_moved = size >= fmin(bytes, border) && size < fmax(bytes, border);
        if (is_moved && fabs(time_s / sizes->time_s[i] - 1) > error_limit(sizes, i))
            return false;
    }
    segment->from_bytes = (uint64_t)bytes;
    return true;
}

/* Makes the costs rise with size. If a segment would end above the beginning of the next one, the border moves to where
 * the two lines meet. If they don't meet near there, the segment ends in a piece of that constant time. `rising` has
 * room for twice as many segments; returns their number. */
static uint32_t make_rise(const Sizes *sizes, const CostSegment *costs, size_t n, CostSegment *rising)
{
    size_t at = 2 * n;
    for (size_t i = n; i-- > 0;) {
        CostSegment cost = costs[i], *next = &rising[at];
        double latency_s = cost.latency_s.value, slope = cost.s_per_byte.value, from = (double)cost.from_bytes;
        double end_s = 0, most_s = INFINITY; /* at the end, and at the beginning of the next one */
        if (at < 2 * n) {
            end_s = latency_s + slope * ((double)next->from_bytes - 1);
            most_s = next->latency_s.value + next->s_per_byte.value * (double)next->from_bytes;
        }
        double next_end = at + 1 < 2 * n ? (double)next[1].from_bytes : sizes->bytes[sizes->n - 1];
        if (end_s > most_s && !meet(sizes, &cost, next, next_end)) {
            double border = slope > 0 ? fmax(from, ceil((most_s - latency_s) / slope)) : from;
            rising[--at] = (CostSegment){(uint64_t)border,
                                         {most_s, fmin(most_s, cost.latency_s.low), fmax(most_s, cost.latency_s.high)},
                                         {0, 0, 0},
                                         cost.error};
            if (border <= from)
                continue;
        }
        rising[--at] = cost;
    }
    memmove(rising, rising + at, (2 * n - at) * sizeof *rising);
    return (uint32_t)(2 * n - at);
}

static double relative_error(const Sizes *sizes, const MachinePath *path, size_t i)
{
    return machine_message_s(path, sizes->bytes[i]) / sizes->time_s[i] - 1;
}

/* The median of the errors of the sizes in a segment; keeps what is there if no size lies in it. */
static void judge_segment(const Sizes *sizes, const MachinePath *path, CostSegment *segment)
{
    double *errors = sizes->weights;
    size_t n = 0;
    for (size_t i = 0; i < sizes->n; i++)
        if (machine_path_segment(path, sizes->bytes[i]) == segment)
            errors[n++] = fabs(relative_error(sizes, path, i));
    if (n)
        segment->error = gsl_stats_median(errors, 1, n);
}

/* A path isn't linear in four cases. A segment's latency was held at 0, this makes the fit clearly
 * worse, and a size is far off. Or SEGMENT_LEAST sizes in a row (at the end, two) are far off on
 * the same side; single outliers don't count. Or the typical error of a segment is large. Or even a single size takes
 * twice or half of what the lines say. */
static bool is_linear(const Sizes *sizes, const Segment *segments, size_t n_segments, const MachinePath *path)
{
    double *errors = sizes->weights;
    for (size_t k = 0; k < n_segments; k++) {
        const Segment *segment = &segments[k];
        bool held = segment->line.free_alpha < 0 && segment->line.cost - segment->line.free_cost > PENALTY;
        size_t above = 0, below = 0;
        for (size_t i = segment->from; i < segment->to; i++) {
            double error = relative_error(sizes, path, i), limit = error_limit(sizes, i);
            above = error > limit ? above + 1 : 0;
            below = error < -limit ? below + 1 : 0;
            size_t several = i + 1 == sizes->n ? 2 : SEGMENT_LEAST;
            if ((held && above + below > 0) || above >= several || below >= several)
                return false;
            errors[i - segment->from] = fabs(error);
        }
        if (gsl_stats_median(errors, 1, segment->to - segment->from) > FAR_OFF)
            return false;
    }
    return path->largest_error < 1;
}

static void describe(const Sizes *sizes, const Segment *segments, size_t n_segments, Arena *arena, MachinePath *path)
{
    double squares = 0, steepness = 0;
    CostSegment *costs = arena_new_array(arena, CostSegment, n_segments),
                *rising = arena_new_array(arena, CostSegment, 2 * n_segments);
    for (size_t i = 0; i < n_segments; i++) {
        squares += segments[i].line.squares;
        steepness += segments[i].line.steepness;
    }
    double width =
        line_noise_factor(squares, steepness, sizes->n, 2 * n_segments) * line_quantile(sizes->n, 2 * n_segments);
    for (size_t i = 0; i < n_segments; i++) {
        const Line *line = &segments[i].line;
        costs[i] = (CostSegment){beginning(sizes, &segments[i]),
                                 line_estimate(line->alpha, line->free_alpha, width * sqrt(line->alpha_variance)),
                                 line_estimate(line->slope, line->free_slope, width * sqrt(line->slope_variance)), 0};
    }
    path->n_segments = make_rise(sizes, costs, n_segments, rising);
    path->segments = rising;
    for (uint32_t i = 0; i < path->n_segments; i++)
        judge_segment(sizes, path, &rising[i]);
    for (size_t i = 0; i < sizes->n; i++)
        path->largest_error = fmax(path->largest_error, fabs(relative_error(sizes, path, i)));
    path->largest_bytes = (uint64_t)sizes->bytes[sizes->n - 1];
    path->linear = is_linear(sizes, segments, n_segments, path);
}

void fit_path(const CommSeries *series, CommStatistic statistic, Arena *arena, MachinePath *path)
{
    Arena *scratch = arena_new();
    Sizes sizes = read_sizes(series, statistic, scratch);
    path->segments = NULL;
    path->n_segments = 0;
    path->linear = false;
    path->largest_error = 0;
    path->largest_bytes = 0;
    if (sizes.n >= 2) {
        Segment *segments = arena_new_array(scratch, Segment, sizes.n);
        size_t n_segments = cut(&sizes, segments, scratch);
        describe(&sizes, segments, n_segments, arena, path);
    }
    arena_free(scratch);
}
