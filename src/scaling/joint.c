/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits the model of n and p, and asks it for times and for the sizes that keep an efficiency (joint.h). */
#include "scaling/joint.h"

#include "scaling/isoefficiency.h"
#include "scaling/law_table.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

enum { VALUES_LEAST = 3, POINTS_LEAST = 7, BISECTIONS = 24 };

/* Sizes that keep an efficiency are looked for up to this factor beyond those that were run. */
static const double FAR_SIZES = 1e6;

typedef struct Extent {
    double least_n, most_n, least_p, most_p;
} Extent;

static Extent extent_of(const Runs *runs)
{
    Extent extent = {runs->points[0].n, runs->points[runs->n_points - 1].n, INFINITY, 0};
    for (uint32_t i = 0; i < runs->n_points; i++) {
        extent.least_p = fmin(extent.least_p, runs->points[i].p);
        extent.most_p = fmax(extent.most_p, runs->points[i].p);
    }
    return extent;
}

/* Whether some p was run with several sizes, and some size on several p: otherwise the runs can't tell
 * the influence of one from that of the other. */
static bool has_both(const LawPoint *points, uint32_t n)
{
    uint32_t sizes_most = 0, processes_most = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t sizes = 0, processes = 0;
        for (uint32_t k = 0; k < n; k++) {
            sizes += points[k].p == points[i].p;
            processes += points[k].n == points[i].n;
        }
        sizes_most = sizes > sizes_most ? sizes : sizes_most;
        processes_most = processes > processes_most ? processes : processes_most;
    }
    return n >= POINTS_LEAST && sizes_most >= VALUES_LEAST && processes_most >= VALUES_LEAST;
}

/* ---- what the model misses ---- */

static double size_of(const LawPoint *point)
{
    return point->n;
}

static double processes_of(const LawPoint *point)
{
    return point->p;
}

/* The share by which the points with the largest value lie outside of the interval of a model that is fitted
 * without them, for each doubling of the value; 0: most of them lie inside, or the rest is too few. So a
 * model shows that it lacks a term which matters more and more. */
static double missed_share(const LawPoint *points, uint32_t n, double (*value_of)(const LawPoint *), Arena *arena)
{
    LawPoint *kept = arena_new_array(arena, LawPoint, n);
    double most = 0, before = 0, *shares = arena_new_array(arena, double, n);
    uint32_t n_kept = 0, n_shares = 0, n_outside = 0;
    const LawFit *laws;
    for (uint32_t i = 0; i < n; i++)
        most = fmax(most, value_of(&points[i]));
    for (uint32_t i = 0; i < n; i++)
        if (value_of(&points[i]) < most) {
            before = fmax(before, value_of(&points[i]));
            kept[n_kept++] = points[i];
        }
    if (!has_both(kept, n_kept) || !laws_fit(FAMILY_JOINT, LAW_COUNT, kept, n_kept, arena, &laws))
        return 0;
    for (uint32_t i = 0; i < n; i++) {
        const LawPoint *point = &points[i];
        if (value_of(point) < most)
            continue;
        Estimated time_s = laws_time_at(laws, 1, point->n, point->p);
        double noise_s = point->freedom > 0 ? 2 * sqrt(point->squares / point->freedom / point->count) : 0;
        n_outside += point->value + noise_s < time_s.low || point->value - noise_s > time_s.high;
        shares[n_shares++] = fabs(log(point->value / time_s.value));
    }
    if (2 * n_outside <= n_shares)
        return 0;
    gsl_sort(shares, 1, n_shares);
    return gsl_stats_median_from_sorted_data(shares, 1, n_shares) / log2(most / before);
}

/* What is missed grows like the distance. */
static double missed_at(const JointScaling *joint, const Extent *extent, double n, double p)
{
    return joint->missed_by_size * fmax(0, n / extent->most_n - 1) +
           joint->missed_by_processes * fmax(0, p / extent->most_p - 1);
}

/* ---- times ---- */

static JointPrediction predict(const JointScaling *joint, const Extent *extent, double n, double p)
{
    const LawFit *law = &joint->laws[0];
    double missed = missed_at(joint, extent, n, p);
    const Distance by_size = scaling_distance(n, extent->least_n, extent->most_n),
                   by_processes = scaling_distance(p, extent->least_p, extent->most_p);
    Estimated time_s = laws_time_at(law, 1, n, p);
    time_s.low *= exp(-missed);
    time_s.high *= exp(missed);
    return (JointPrediction){.n = n,
                             .p = p,
                             .time_s = time_s,
                             .by_best = law_time_at(law, n, p),
                             .efficiency = law_value_at(law, n, 1) / (p * law_value_at(law, n, p)),
                             .distance = by_size.times > by_processes.times ? by_size : by_processes};
}

/* Each size that was asked for, or else each that was run, on each p that was asked for. */
static void add_predictions(JointScaling *joint, const Runs *runs, const Extent *extent, const ScalingOptions *options,
                            Arena *arena)
{
    uint32_t n_sizes = options->n_sizes, n = 0;
    double *sizes = arena_new_array(arena, double, runs->n_points + n_sizes);
    for (uint32_t i = 0; i < n_sizes; i++)
        sizes[i] = (double)options->sizes[i];
    for (uint32_t i = 0; !options->n_sizes && i < runs->n_points; i++)
        if (!i || runs->points[i].n != runs->points[i - 1].n)
            sizes[n_sizes++] = runs->points[i].n;
    JointPrediction *predictions = arena_new_array(arena, JointPrediction, (size_t)n_sizes * options->n_extrapolate);
    for (uint32_t i = 0; i < n_sizes; i++)
        for (uint32_t k = 0; k < options->n_extrapolate; k++)
            predictions[n++] = predict(joint, extent, sizes[i], options->extrapolate[k]);
    joint->n_predictions = n;
    joint->predictions = predictions;
}

/* ---- isoefficiency ---- */

typedef enum Bound { BY_BEST, BY_ANY, BY_ALL } Bound;

/* Whether the efficiency at (n, p) is at least the limit: by the best model, by some plausible one, or by
 * all. T(n, 1) - limit · p · T(n, p) is a sum of the same terms, so its range is that of linear_range(). */
static bool keeps(const LawFit *law, double n, double p, double limit, Bound bound)
{
    if (bound == BY_BEST)
        return law_value_at(law, n, 1) >= limit * p * law_value_at(law, n, p);
    for (uint32_t i = 0; i < law->n_alternatives; i++) {
        const LawFit *other = &law->alternatives[i];
        double x[LINEAR_TERMS_LIMIT], on_p[LINEAR_TERMS_LIMIT];
        law_table[LAW_JOINT].terms(other, n, 1, x);
        law_table[LAW_JOINT].terms(other, n, p, on_p);
        for (int k = 0; k < LINEAR_TERMS_LIMIT; k++)
            x[k] -= limit * p * on_p[k];
        Estimated range = linear_range(&other->linear, x, other->charge, other->slack);
        if (bound == BY_ANY && range.high >= 0)
            return true;
        if (bound == BY_ALL && range.low < 0)
            return false;
    }
    return bound == BY_ALL;
}

/* The least size that keeps the efficiency, between 2 and FAR_SIZES times the largest; NAN: none. */
static double size_that_keeps(const LawFit *law, const Extent *extent, double p, double limit, Bound bound)
{
    double low = log(2), high = log(extent->most_n * FAR_SIZES);
    if (!keeps(law, exp(high), p, limit, bound))
        return NAN;
    if (keeps(law, exp(low), p, limit, bound))
        return exp(low);
    for (int i = 0; i < BISECTIONS; i++) {
        double middle = (low + high) / 2;
        if (keeps(law, exp(middle), p, limit, bound))
            high = middle;
        else
            low = middle;
    }
    return exp(high);
}

static double exponent_between(double first_n, double last_n, double first_p, double last_p)
{
    return log(last_n / first_n) / log(last_p / first_p);
}

/* n grows as p to a power, between the first and the last p. */
static Estimated exponent_of(const IsoefficiencyPoint *points, uint32_t n)
{
    if (n < 2)
        return (Estimated){NAN, NAN, NAN};
    const IsoefficiencyPoint *first = &points[0], *last = &points[n - 1];
    return (Estimated){exponent_between(first->n.value, last->n.value, first->p, last->p),
                       fmax(0, exponent_between(first->n.high, last->n.low, first->p, last->p)),
                       exponent_between(first->n.low, last->n.high, first->p, last->p)};
}

/* At each p above 1 that was run or asked for. */
static Isoefficiency isoefficiency_of(const JointScaling *joint, const Runs *runs, const Extent *extent,
                                      const ScalingOptions *options, Arena *arena)
{
    Isoefficiency found = {.is_scalable = true};
    IsoefficiencyPoint *points =
        arena_new_array(arena, IsoefficiencyPoint, (size_t)runs->n_points + options->n_extrapolate);
    for (uint32_t i = 0; i < runs->n_points + options->n_extrapolate; i++) {
        double p = i < runs->n_points ? runs->points[i].p : options->extrapolate[i - runs->n_points];
        if (p > 1 && !isoefficiency_has(points, found.n_points, p))
            points[found.n_points++].p = p;
    }
    isoefficiency_sort(points, found.n_points);
    for (uint32_t i = 0; i < found.n_points; i++) {
        double limit = options->efficiency_limit, p = points[i].p;
        points[i].n.value = size_that_keeps(joint->laws, extent, p, limit, BY_BEST);
        points[i].n.low = size_that_keeps(joint->laws, extent, p, limit, BY_ANY);
        points[i].n.high = size_that_keeps(joint->laws, extent, p, limit, BY_ALL);
        points[i].is_extrapolated = !(points[i].n.value >= extent->least_n && points[i].n.value <= extent->most_n);
        found.is_scalable &= !isnan(points[i].n.value);
    }
    found.points = points;
    found.exponent = exponent_of(points, found.n_points);
    return found;
}

JointScaling joint_make(const Runs *runs, double far_off, const ScalingOptions *options, Arena *arena)
{
    JointScaling joint = {0};
    LawPoint *points = arena_new_array(arena, LawPoint, runs->n_points);
    uint32_t left_out = 0; /* counted for each size already */
    for (uint32_t i = 0; i < runs->n_points; i++)
        points[i] = law_point(&runs->points[i], far_off, &left_out);
    if (!runs->has_sizes || !has_both(points, runs->n_points))
        return joint;
    joint.n_laws = laws_fit(FAMILY_JOINT, LAW_COUNT, points, runs->n_points, arena, &joint.laws);
    if (!joint.n_laws)
        return joint;
    joint.missed_by_size = missed_share(points, runs->n_points, size_of, arena);
    joint.missed_by_processes = missed_share(points, runs->n_points, processes_of, arena);
    Extent extent = extent_of(runs);
    add_predictions(&joint, runs, &extent, options, arena);
    joint.isoefficiency = isoefficiency_of(&joint, runs, &extent, options, arena);
    return joint;
}
