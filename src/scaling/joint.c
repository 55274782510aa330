/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits the model of n and p, and asks it for times and for the sizes that keep an efficiency (joint.h). */
#include "scaling/joint.h"

#include "scaling/isoefficiency.h"
#include "scaling/law_table.h"

#include <math.h>

enum { VALUES_LEAST = 3, POINTS_LEAST = 7, BISECTIONS = 24 };

/* Sizes that keep an efficiency are looked for up to this factor beyond those that were run. */
static const double FAR_SIZES = 1e6;

typedef struct Extent {
    double least_n, most_n, most_p;
} Extent;

static Extent extent_of(const Runs *runs)
{
    Extent extent = {runs->points[0].n, runs->points[runs->n_points - 1].n, 0};
    for (uint32_t i = 0; i < runs->n_points; i++)
        extent.most_p = fmax(extent.most_p, runs->points[i].p);
    return extent;
}

/* Whether some p was run with several sizes, and some size on several p: otherwise the runs can't tell
 * the influence of one from that of the other. */
static bool has_both(const Runs *runs)
{
    uint32_t sizes_most = 0, processes_most = 0;
    for (uint32_t i = 0; i < runs->n_points; i++) {
        uint32_t sizes = 0, processes = 0;
        for (uint32_t k = 0; k < runs->n_points; k++) {
            sizes += runs->points[k].p == runs->points[i].p;
            processes += runs->points[k].n == runs->points[i].n;
        }
        sizes_most = sizes > sizes_most ? sizes : sizes_most;
        processes_most = processes > processes_most ? processes : processes_most;
    }
    return runs->n_points >= POINTS_LEAST && sizes_most >= VALUES_LEAST && processes_most >= VALUES_LEAST;
}

/* ---- times ---- */

static JointPrediction predict(const JointScaling *joint, const Extent *extent, double n, double p)
{
    const LawFit *law = &joint->laws[0];
    double beyond = fmax(n / extent->most_n, p / extent->most_p);
    return (JointPrediction){.n = n,
                             .p = p,
                             .time_s = laws_time_at(law, 1, n, p),
                             .by_best = law_time_at(law, n, p),
                             .efficiency = law_value_at(law, n, 1) / (p * law_value_at(law, n, p)),
                             .is_extrapolated = beyond > 1,
                             .is_far = beyond > FAR_BEYOND};
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
    if (!runs->has_sizes || !has_both(runs))
        return joint;
    LawPoint *points = arena_new_array(arena, LawPoint, runs->n_points);
    uint32_t left_out = 0; /* counted for each size already */
    for (uint32_t i = 0; i < runs->n_points; i++)
        points[i] = law_point(&runs->points[i], far_off, &left_out);
    joint.n_laws = laws_fit(FAMILY_JOINT, LAW_COUNT, points, runs->n_points, arena, &joint.laws);
    if (!joint.n_laws)
        return joint;
    Extent extent = extent_of(runs);
    add_predictions(&joint, runs, &extent, options, arena);
    joint.isoefficiency = isoefficiency_of(&joint, runs, &extent, options, arena);
    return joint;
}
