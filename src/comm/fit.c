/* SPDX-License-Identifier: BSD-3-Clause */
/* See fit.h. Break points by dynamic programming: of all ways to cut the sizes into pieces of at least SEGMENT_LEAST,
 * the one whose lines' costs (line.h), with PENALTY · ln(sizes) for each piece, are least; that is the Bayesian
 * information criterion of a piece's line and place. The noise comes from the medians' intervals, and from how far
 * each size lies off the line between its neighbours, which breaks disturb in a few places only. */
#include "comm/fit.h"

#include "comm/line.h"
#include <assert.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

/* No line is trusted to be exact: the cost of a message goes up by steps of packets and pages. */
static const double LEAST_NOISE = 0.02, MOST_NOISE = 0.3;
static const double PENALTY = 4;
/* Relative error of what isn't described by its line: where times are noisy, three deviations, up to the latter. */
static const double FAR_OFF = 0.2, FURTHEST_OFF = 0.3;
enum { SEGMENT_LEAST = 3, LOCAL_LEAST = 5 };
/* Of more sizes, not each is a place to cut at. */
enum { CUTS_MOST = 128 };

typedef struct Piece {
    size_t from, to; /* points [from, to) */
    Line line;
} Piece;

typedef struct Sizes {
    double *bytes, *time_s, *noise;
    size_t n;
    double *weights; /* room for line_fit */
} Sizes;

/* From the nearer end of the median's interval: the other one tells how long somebody else kept the machine busy, which
 * may be a thousand times the median. */
static double interval_noise(const CommPoint *point)
{
    const double half_width_over_deviation = 1.959964;
    double below = point->median_s - point->low_s, above = point->high_s - point->median_s;
    return fmin(fmax(0, fmin(below, above)) / half_width_over_deviation / point->median_s, MOST_NOISE);
}

/* How far a size lies off the line between its neighbours, in standard deviations of that difference. */
static double off_neighbours(const Sizes *sizes, size_t i)
{
    const double *x = sizes->bytes + i, *t = sizes->time_s + i, *noise = sizes->noise + i;
    double share = (x[1] - x[0]) / (x[1] - x[-1]);
    double before = share * t[-1], after = (1 - share) * t[1];
    return fabs(t[0] - before - after) /
           sqrt(pow(noise[0] * t[0], 2) + pow(noise[-1] * before, 2) + pow(noise[1] * after, 2));
}

/* Never less than the intervals say. */
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

/* Times of 0, below what the clock can tell, say nothing about a relative error. */
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

static Line fit_piece(const Sizes *sizes, size_t from, size_t to)
{
    const LineData data = {sizes->bytes + from, sizes->time_s + from, sizes->noise + from, to - from};
    return line_fit(&data, sizes->weights);
}

/* The best pieces, last one first at the end of `pieces`; returns how many. */
static size_t cut(const Sizes *sizes, Piece *pieces, Arena *arena)
{
    size_t n = sizes->n, count = 0;
    Piece *last = arena_new_array(arena, Piece, n + 1); /* of the best pieces of the first so many points */
    double *cost = arena_new_array(arena, double, n + 1), penalty = PENALTY * log((double)n);
    size_t step = (n + CUTS_MOST - 1) / CUTS_MOST, first = (n - 1) % step + 1; /* so that n is a place, too */
    for (size_t to = first; to <= n; to += step) {
        cost[to] = INFINITY;
        for (size_t from = 0; from < to; from = from ? from + step : first) {
            size_t length = to - from;
            if ((length < SEGMENT_LEAST && length < n) || cost[from] + penalty >= cost[to])
                continue;
            Line line = fit_piece(sizes, from, to);
            double with_it = cost[from] + line.cost + penalty;
            if (with_it < cost[to]) {
                cost[to] = with_it;
                last[to] = (Piece){from, to, line};
            }
        }
    }
    for (size_t to = n; to > 0; to = last[to].from)
        count++;
    assert(count > 0 && last[n].to == n);
    size_t at = count;
    for (size_t to = n; to > 0; to = last[to].from)
        pieces[--at] = last[to];
    return count;
}

/* Where a piece begins: where its line meets that of the piece before, if that is between the two sizes. */
static uint64_t beginning(const Sizes *sizes, const Piece *piece)
{
    if (piece->from == 0)
        return 0;
    const Line *before = &piece[-1].line, *line = &piece->line;
    double meet = (line->alpha - before->alpha) / (before->slope - line->slope);
    double least = sizes->bytes[piece->from - 1], most = sizes->bytes[piece->from];
    return (uint64_t)ceil(isfinite(meet) && meet > least && meet < most ? meet : most);
}

static double relative_error(const Sizes *sizes, const Line *line, size_t i)
{
    return (line->alpha + line->slope * sizes->bytes[i]) / sizes->time_s[i] - 1;
}

static double typical_error(const Sizes *sizes, const Piece *piece)
{
    double *errors = sizes->weights;
    for (size_t i = piece->from; i < piece->to; i++)
        errors[i - piece->from] = fabs(relative_error(sizes, &piece->line, i));
    return gsl_stats_median(errors, 1, piece->to - piece->from);
}

/* The line was held at 0 where it would go on below, and is far off somewhere for it; or it is far off at most sizes;
 * or at SEGMENT_LEAST sizes one after the other, to the same side: outliers come alone. */
static bool is_line(const Sizes *sizes, const Piece *piece, double typical)
{
    const Line *line = &piece->line;
    bool held = line->free_alpha < 0 && line->cost - line->free_cost > PENALTY;
    size_t above = 0, below = 0;
    for (size_t i = piece->from; i < piece->to; i++) {
        double error = relative_error(sizes, line, i), limit = fmin(fmax(FAR_OFF, 3 * sizes->noise[i]), FURTHEST_OFF);
        above = error > limit ? above + 1 : 0;
        below = error < -limit ? below + 1 : 0;
        size_t several = i + 1 == sizes->n ? 2 : SEGMENT_LEAST;
        if ((held && above + below > 0) || above >= several || below >= several)
            return false;
    }
    return typical <= FAR_OFF;
}

static void describe(const Sizes *sizes, const Piece *pieces, size_t n_pieces, CostSegment *segments, MachinePath *path)
{
    double squares = 0, steepness = 0;
    for (size_t i = 0; i < n_pieces; i++) {
        squares += pieces[i].line.squares;
        steepness += pieces[i].line.steepness;
    }
    double width =
        line_noise_factor(squares, steepness, sizes->n, 2 * n_pieces) * line_quantile(sizes->n, 2 * n_pieces);
    path->linear = true;
    for (size_t i = 0; i < n_pieces; i++) {
        const Line *line = &pieces[i].line;
        double error = typical_error(sizes, &pieces[i]);
        segments[i] =
            (CostSegment){beginning(sizes, &pieces[i]),
                          line_estimate(line->alpha, line->free_alpha, width * sqrt(line->alpha_variance)),
                          line_estimate(line->slope, line->free_slope, width * sqrt(line->slope_variance)), error};
        path->linear = path->linear && is_line(sizes, &pieces[i], error);
    }
    path->segments = segments;
    path->n_segments = (uint32_t)n_pieces;
    for (size_t i = 0; i < sizes->n; i++)
        path->largest_error =
            fmax(path->largest_error, fabs(machine_message_s(path, sizes->bytes[i]) / sizes->time_s[i] - 1));
    path->largest_bytes = (uint64_t)sizes->bytes[sizes->n - 1];
    /* A size that takes twice as long as the lines say, or half, isn't described, outlier or not. */
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
        Piece *pieces = arena_new_array(scratch, Piece, sizes.n);
        size_t n_pieces = cut(&sizes, pieces, scratch);
        describe(&sizes, pieces, n_pieces, arena_new_array(arena, CostSegment, n_pieces), path);
    }
    arena_free(scratch);
}
