/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts together what the folder's other files compute, size by size (scaling.h). */
#include "scaling/scaling.h"

#include "scaling/isoefficiency.h"
#include "scaling/joint.h"
#include "scaling/laws.h"
#include "scaling/metrics.h"
#include "scaling/warnings.h"
#include "scaling/weak.h"
#include <float.h>
#include <math.h>

/* Larger numbers of processes are of no interest. */
static const double PROCESSES_MOST = 1e9;
/* A run is left out of fits if it is at least this many deviations, and at least this share, away
 * from the median: other programs used its processors. */
static const double FAR_OFF_DEVIATIONS = 6, FAR_OFF_LEAST = 0.15;
enum { BISECTIONS = 100 };

Distance scaling_distance(double x, double least, double most)
{
    double times = fmax(1, fmax(x / most, least / x));
    return (Distance){times, times > 1, times > LAW_FAR};
}

/* As of points: against the fewest processes that were run. */
static double efficiency_at(const SizeScaling *size, double p)
{
    const LawFit *law = &size->laws[0];
    double base = size->points[0].run->p;
    return base * law_value_s(law, base) / (p * law_value_s(law, p));
}

/* The largest p, from `from` on, up to which the best law's efficiency is at least the limit. At `from`
 * it must be. */
static double reach(const SizeScaling *size, double from, double limit)
{
    double inside = from, outside = from;
    while (efficiency_at(size, outside) >= limit) {
        if (outside > PROCESSES_MOST)
            return INFINITY;
        inside = outside;
        outside *= 2;
    }
    for (int i = 0; i < BISECTIONS && outside - inside > DBL_EPSILON * inside; i++) {
        double middle = (inside + outside) / 2;
        if (efficiency_at(size, middle) >= limit)
            inside = middle;
        else
            outside = middle;
    }
    return floor(inside + 1e-6);
}

static void find_most_processes(SizeScaling *size, double limit)
{
    const ScalePoint *last = &size->points[size->n_points - 1];
    size->most_processes = NAN;
    for (uint32_t i = 0; i < size->n_points; i++)
        if (size->points[i].efficiency >= limit)
            size->most_processes = size->points[i].run->p;
    if (size->n_laws == 0 || size->n_points < 2 || size->most_processes != last->run->p)
        return;
    /* The law differs a little from the last point, so there it may be below the limit already. */
    if (efficiency_at(size, last->run->p) < limit)
        return;
    size->most_processes = reach(size, last->run->p, limit);
    size->most_is_extrapolated = size->most_processes > last->run->p;
}

/* Each law's time either falls without end, or falls to one minimum and then rises. So going up as
 * long as it falls finds the minimum. */
static double fastest(const LawFit *law)
{
    const double step = 1.001, least_gain = 1e-12;
    double p = 1;
    while (p < PROCESSES_MOST && law_value_s(law, p * step) < law_value_s(law, p) * (1 - least_gain))
        p *= step;
    return p < PROCESSES_MOST && law_value_s(law, p * 2) > law_value_s(law, p) ? fmax(1, round(p)) : INFINITY;
}

static Estimated bound_of(const SizeScaling *size)
{
    const LawFit *amdahl = laws_find(size->laws, size->n_laws, LAW_AMDAHL);
    if (!amdahl || !amdahl->plausible)
        return (Estimated){NAN, NAN, NAN};
    const Estimated *s = &amdahl->values[1];
    double more = size->points[0].run->p - 1.0; /* p0 T(p0) / (T(1) s) - 1/s */
    return (Estimated){1 / s->value + more, 1 / s->high + more, 1 / s->low + more};
}

static void predict(SizeScaling *size, const ScalingOptions *options, Arena *arena)
{
    if (size->n_laws == 0)
        return;
    double last = size->points[size->n_points - 1].run->p;
    ScalePrediction *predictions = arena_new_array(arena, ScalePrediction, options->n_extrapolate);
    for (uint32_t i = 0; i < options->n_extrapolate; i++) {
        double p = options->extrapolate[i];
        double efficiency = efficiency_at(size, p);
        predictions[i] = (ScalePrediction){.p = p,
                                           .time_s = laws_time_s(size->laws, size->n_laws, p),
                                           .by_best = law_time_s(&size->laws[0], p),
                                           .speedup = efficiency * p,
                                           .efficiency = efficiency,
                                           .distance = scaling_distance(p, size->points[0].run->p, last)};
    }
    size->n_predictions = options->n_extrapolate;
    size->predictions = predictions;
}

/* Steps of equal ratio, for pictures. */
static void draw_curve(SizeScaling *size, Arena *arena)
{
    enum { POINTS = 41 };
    const double beyond = 2;
    double first = size->points[0].run->p, last = beyond * size->points[size->n_points - 1].run->p;
    for (uint32_t i = 0; i < size->n_predictions; i++)
        last = fmax(last, size->predictions[i].p);
    ScaleCurvePoint *curve = arena_new_array(arena, ScaleCurvePoint, POINTS);
    for (uint32_t i = 0; size->n_laws && i < POINTS; i++) {
        double p = first * pow(last / first, (double)i / (POINTS - 1));
        curve[i] = (ScaleCurvePoint){p, laws_time_s(size->laws, size->n_laws, p)};
    }
    size->n_curve = size->n_laws ? POINTS : 0;
    size->curve = curve;
}

static double sequential_time(const Runs *runs, const ScalingOptions *options, double n)
{
    for (uint32_t i = 0; i < runs->n_sequential; i++)
        if (runs->sequential[i].n == n)
            return runs->sequential[i].time_s;
    return options->sequential_s;
}

typedef struct Noise {
    double deviation, far_off;
    uint32_t left_out;
} Noise;

static SizeScaling make_size(const Runs *runs, uint32_t from, uint32_t to, const ScalingOptions *options, Noise *noise,
                             Arena *arena)
{
    const RunPoint *points = &runs->points[from];
    uint32_t n = to - from;
    double sequential_s = sequential_time(runs, options, points->n);
    SizeScaling size = {.n = points->n,
                        .n_points = n,
                        .points = metrics_make(points, n, sequential_s, noise->deviation, arena),
                        .sequential_s = sequential_s,
                        .fastest_p = NAN};
    LawPoint *law_points = arena_new_array(arena, LawPoint, n);
    for (uint32_t i = 0; i < n; i++)
        law_points[i] = law_point(&points[i], noise->far_off, &noise->left_out);
    size.n_laws = laws_fit(FAMILY_STRONG, law_kind(options->law), law_points, n, arena, &size.laws);
    size.speedup_bound = bound_of(&size);
    if (size.n_laws)
        size.fastest_p = fastest(&size.laws[0]);
    find_most_processes(&size, options->efficiency_limit);
    predict(&size, options, arena);
    if (options->wants_curves)
        draw_curve(&size, arena);
    return size;
}

static ScalingKind kind_of(const Scaling *scaling)
{
    bool is_strong = false;
    for (uint32_t i = 0; i < scaling->n_sizes; i++)
        is_strong |= scaling->sizes[i].n_points > 1;
    if (scaling->n_weak)
        return is_strong ? SCALING_BOTH : SCALING_WEAK;
    return is_strong ? SCALING_STRONG : SCALING_NONE;
}

const Scaling *scaling_make(const Runs *runs, const ScalingOptions *options, Arena *arena)
{
    Scaling *scaling = arena_alloc(arena, sizeof *scaling);
    SizeScaling *sizes = arena_new_array(arena, SizeScaling, runs->n_points);
    double deviation = metrics_noise(runs, arena);
    Noise noise = {deviation, fmax(FAR_OFF_LEAST, isnan(deviation) ? 0 : FAR_OFF_DEVIATIONS * deviation), 0};
    scaling->runs = runs;
    scaling->law = options->law;
    scaling->efficiency_limit = options->efficiency_limit;
    scaling->sizes = sizes;
    for (uint32_t from = 0, to; from < runs->n_points; from = to) {
        for (to = from; to < runs->n_points && runs->points[to].n == runs->points[from].n; to++)
            continue;
        sizes[scaling->n_sizes++] = make_size(runs, from, to, options, &noise, arena);
    }
    scaling->n_weak = weak_make(runs, noise.far_off, options, arena, &scaling->weak);
    scaling->joint = joint_make(runs, noise.far_off, options, arena);
    scaling->kind = kind_of(scaling);
    if (scaling->n_sizes > 1)
        scaling->isoefficiency = isoefficiency_make(sizes, scaling->n_sizes, options->efficiency_limit, arena);
    warnings_make(scaling, noise.left_out, arena);
    return scaling;
}
