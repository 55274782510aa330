/* SPDX-License-Identifier: BSD-3-Clause */
/* See values.h. Volumes are whole numbers that follow from the layout, so the simplest formula that meets them all
 * holds. Computation is measured, and has the laws of scaling with their intervals. */
#include "scaling/extrapolate/values.h"

#include "scaling/counts/counts.h"
#include <math.h>

/* Blocks of a grid differ by a row, so volumes may differ from their formula by this share. */
static const double VOLUME_TOLERANCE = 0.015;
/* Less computation than this share has the factor of all others. */
static const double NOTABLE_SHARE = 1e-3;
/* Computation has its simplest law if it is this near. */
static const double COMPUTATION_TOLERANCE = 0.03;
/* A process comes to a place more often, by at least this share. */
static const double GROWTH_LEAST = 0.2;
/* Computation that falls more slowly than this power of p doesn't fall. */
static const double WEAK_EXPONENT = -0.5;

/* ---- volumes ---- */

enum { MEASURES = 9 };

/* What volumes may be proportional to, from the likeliest on. */
static double measure(const Shape *shape, int which)
{
    double p = shape->p, first = shape->sides[0], second = shape->sides[1], third = shape->sides[2];
    switch (which) {
    case 0:
        return 1;
    case 1:
        return 1 / first;
    case 2:
        return 1 / second;
    case 3:
        return 1 / third;
    case 4:
        return 1 / (first * second);
    case 5:
        return 1 / (second * third);
    case 6:
        return 1 / p;
    case 7:
        return 1 / sqrt(p);
    default:
        return p;
    }
}

typedef struct Means {
    const Shape *shapes[COUNT_RUNS_LIMIT];
    double values[COUNT_RUNS_LIMIT];
    uint32_t n;
} Means;

/* value = a + b measure, with a = 0 unless has_constant: by the first and the last one. */
static bool meets(const Means *means, int which, bool has_constant, const Shape *target, double *value)
{
    uint32_t last = means->n - 1;
    double first_x = measure(means->shapes[0], which), last_x = measure(means->shapes[last], which), a = 0,
           b = means->values[last] / last_x;
    if (has_constant) {
        b = (means->values[last] - means->values[0]) / (last_x - first_x);
        a = means->values[last] - b * last_x;
    }
    for (uint32_t i = 0; i < means->n; i++)
        if (!(fabs(a + b * measure(means->shapes[i], which) - means->values[i]) <= VOLUME_TOLERANCE * means->values[i]))
            return false;
    *value = a + b * measure(target, which);
    return *value >= 0;
}

/* NAN: no formula meets them. */
static double volume_at(const Means *means, const Shape *target)
{
    double value;
    for (int which = 0; which < MEASURES; which++)
        if (meets(means, which, false, target, &value))
            return value;
    for (int which = 1; which < MEASURES && means->n > 2; which++)
        if (meets(means, which, true, target, &value))
            return value;
    return NAN;
}

typedef struct VolumeSum {
    double sent, received, count;
} VolumeSum;

static double volume_factor(const LoadedRun *runs, uint32_t n, const VolumeSum *sums, bool received,
                            const Shape *target, uint64_t *n_kept)
{
    Means means = {.n = 0};
    for (uint32_t i = 0; i < n; i++)
        if (sums[i].count > 0) {
            means.shapes[means.n] = &runs[i].shape;
            means.values[means.n++] = (received ? sums[i].received : sums[i].sent) / sums[i].count;
        }
    if (!sums[n - 1].count || means.values[means.n - 1] <= 0)
        return 1;
    double value = volume_at(&means, target);
    *n_kept += isnan(value);
    return isnan(value) ? 1 : value / means.values[means.n - 1];
}

/* A kind that only the largest run has changes as another kind of the same calls does, with the same volume. */
static void take_factors_of_others(const Kinds *kinds, const VolumeSum *sums, uint32_t n, Values *values)
{
    for (size_t i = 0; i < kinds->items.count; i++) {
        const VolumeSum *own = &sums[i * n + n - 1];
        for (size_t k = 0; kinds->runs.items[i] == 1u << (n - 1) && k < kinds->items.count; k++) {
            const VolumeSum *of = &sums[k * n + n - 1];
            if (kinds->items.items[k].kind != kinds->items.items[i].kind || kinds->runs.items[k] == 1u << (n - 1) ||
                !of->count ||
                fabs(of->sent / of->count - own->sent / own->count) > VOLUME_TOLERANCE * own->sent / own->count)
                continue;
            values->sent[i] = values->sent[k];
            break;
        }
    }
}

/* In a hypercube, only the largest run has its largest mask. Volumes along that mask change as those along half of it. */
static void compare_masks(const Kinds *kinds, uint32_t kind, const VolumeSum *sums, uint32_t n, Values *values)
{
    EventKindKey half = kinds->items.items[kind];
    half.direction /= 2;
    uint32_t other = half.direction ? kinds_number(kinds, &half) : NO_KIND;
    const VolumeSum *own = &sums[(size_t)kind * n + n - 1];
    if (other == NO_KIND || !own->count || kinds->runs.items[kind] != 1u << (n - 1))
        return;
    const VolumeSum *of = &sums[(size_t)other * n + n - 1];
    values->sent[kind] = values->sent[other];
    if (of->count && of->sent > 0)
        values->growth[kind] = own->sent / own->count / (of->sent / of->count);
}

static void find_volumes(const LoadedRun *runs, uint32_t n, const Kinds *kinds, const Shape *target, Values *values)
{
    VolumeSum *sums = memory_zeroed(kinds->items.count * n + 1, sizeof *sums);
    values->sent = memory_zeroed(kinds->items.count + 1, sizeof *values->sent);
    values->received = memory_zeroed(kinds->items.count + 1, sizeof *values->received);
    values->growth = memory_zeroed(kinds->items.count + 1, sizeof *values->growth);
    for (uint32_t run = 0; run < n; run++)
        for (uint32_t rank = 0; rank < runs[run].p; rank++)
            for (size_t i = 0; i < runs[run].ranks[rank].events.count; i++) {
                const Event *event = &runs[run].ranks[rank].events.items[i];
                VolumeSum *sum = &sums[(size_t)runs[run].ranks[rank].kinds[i] * n + run];
                sum->sent += (double)event->bytes;
                sum->received += (double)event->bytes_received;
                sum->count++;
            }
    for (size_t i = 0; i < kinds->items.count; i++) {
        values->sent[i] = volume_factor(runs, n, &sums[i * n], false, target, &values->n_kept);
        values->received[i] = volume_factor(runs, n, &sums[i * n], true, target, &values->n_kept);
        values->growth[i] = 1;
    }
    if (kinds->layout->kind == LAYOUT_BOX)
        take_factors_of_others(kinds, sums, n, values);
    for (size_t i = 0; i < kinds->items.count && kinds->layout->kind == LAYOUT_CUBE; i++)
        compare_masks(kinds, (uint32_t)i, sums, n, values);
    free(sums);
}

/* ---- computation ---- */

/* Computation at one place of the program. */
typedef struct ComputationSum {
    double time_ns[COUNT_RUNS_LIMIT], count[COUNT_RUNS_LIMIT];
    double typical_ns[COUNT_RUNS_LIMIT]; /* mean; median if a process comes there more often in larger runs */
    bool grows;
    VEC(double) times_ns; /* of one run */
} ComputationSum;

typedef VEC(ComputationSum) ComputationSums;

static MapKey place_key(uint32_t before, uint32_t kind)
{
    return (MapKey){(uint64_t)before << 32 | kind, 4};
}

static void add_computation(const LoadedRun *runs, uint32_t n, Values *values, ComputationSums *sums,
                            ComputationSum *all)
{
    for (uint32_t run = 0; run < n; run++)
        for (uint32_t rank = 0; rank < runs[run].p; rank++) {
            const RankRun *of = &runs[run].ranks[rank];
            for (size_t i = 1; i < of->events.count; i++) {
                size_t at = map_number(&values->computation, place_key(of->kinds[i - 1], of->kinds[i]), sums->count);
                if (at == sums->count)
                    *vec_push(sums) = (ComputationSum){.time_ns = {0}};
                sums->items[at].time_ns[run] += (double)of->events.items[i].compute_ns;
                sums->items[at].count[run]++;
                all->time_ns[run] += (double)of->events.items[i].compute_ns;
                all->count[run]++;
            }
        }
}

static int by_value(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

/* The first and the last iteration of a loop may compute more than the others. If there are more iterations in larger
 * runs, the mean would change, and the median doesn't. */
static void find_medians(const LoadedRun *run, uint32_t number, Values *values, ComputationSums *sums)
{
    for (uint32_t rank = 0; rank < run->p; rank++)
        for (size_t i = 1; i < run->ranks[rank].events.count; i++) {
            const uint32_t *kinds = run->ranks[rank].kinds;
            ComputationSum *sum = &sums->items[*map_get(&values->computation, place_key(kinds[i - 1], kinds[i]))];
            if (sum->grows)
                *vec_push(&sum->times_ns) = (double)run->ranks[rank].events.items[i].compute_ns;
        }
    for (size_t i = 0; i < sums->count; i++) {
        ComputationSum *sum = &sums->items[i];
        if (!sum->times_ns.count)
            continue;
        qsort(sum->times_ns.items, sum->times_ns.count, sizeof *sum->times_ns.items, by_value);
        sum->typical_ns[number] = sum->times_ns.items[sum->times_ns.count / 2];
        sum->times_ns.count = 0;
    }
}

static void find_typical(const LoadedRun *runs, uint32_t n, Values *values, ComputationSums *sums)
{
    for (size_t i = 0; i < sums->count; i++) {
        ComputationSum *sum = &sums->items[i];
        double first = sum->count[n - 2] / runs[n - 2].p, last = sum->count[n - 1] / runs[n - 1].p;
        sum->grows = first > 0 && last > first * (1 + GROWTH_LEAST);
        for (uint32_t run = 0; run < n; run++)
            sum->typical_ns[run] = sum->count[run] > 0 ? sum->time_ns[run] / sum->count[run] : 0;
    }
    for (uint32_t run = 0; run < n; run++)
        find_medians(&runs[run], run, values, sums);
    for (size_t i = 0; i < sums->count; i++)
        vec_free(&sums->items[i].times_ns);
}

/* If only the two largest runs have the place, or smaller ones differ: constant, or divided by p. NAN: neither. */
static double simple_factor(const LoadedRun *runs, uint32_t n, const ComputationSum *sum, bool is_weak, uint32_t p,
                            double *width)
{
    double before = sum->typical_ns[n - 2], last = sum->typical_ns[n - 1],
           expected = is_weak ? 1 : (double)runs[n - 2].p / runs[n - 1].p;
    *width = COMPUTATION_TOLERANCE * fabs(log2((double)p / runs[n - 1].p));
    if (!(before > 0 && fabs(last / before / expected - 1) <= COMPUTATION_TOLERANCE))
        return NAN;
    return is_weak ? 1 : (double)runs[n - 1].p / p;
}

/* The change of one place's computation by its law. NAN: too few runs have it, or its law falls to 0. */
static double computation_factor(const LoadedRun *runs, uint32_t n, const ComputationSum *sum, bool is_weak, uint32_t p,
                                 Arena *arena, double *width)
{
    uint32_t n_points = 0;
    double *counts = arena_new_array(arena, double, n), *typical_ns = arena_new_array(arena, double, n);
    for (uint32_t i = 0; i < n; i++)
        if (sum->typical_ns[i] > 0) {
            counts[n_points] = runs[i].p;
            typical_ns[n_points++] = sum->typical_ns[i];
        }
    if (sum->typical_ns[n - 1] <= 0)
        return NAN;
    CountSeries series = count_computation(counts, typical_ns, n_points, is_weak ? COUNT_WEAK : COUNT_STRONG, arena);
    if (!series.n_laws || series.laws[0].error > COMPUTATION_TOLERANCE || n_points < COUNT_RUNS_LEAST) {
        double factor = simple_factor(runs, n, sum, is_weak, p, width);
        if (!isnan(factor) || !series.n_laws)
            return factor;
    }
    Estimated at = count_series_at(&series, p);
    if (!(at.value > 0))
        return NAN;
    *width = fmax(at.high / at.value - 1, 1 - at.low / at.value);
    return at.value / typical_ns[n_points - 1];
}

static bool is_weak_scaling(const LoadedRun *runs, uint32_t n, const ComputationSum *all)
{
    double first = all->time_ns[0] / runs[0].p, last = all->time_ns[n - 1] / runs[n - 1].p;
    return !(first > 0 && last > 0 && log(last / first) / log((double)runs[n - 1].p / runs[0].p) <= WEAK_EXPONENT);
}

static void find_computation(const LoadedRun *runs, uint32_t n, uint32_t p, Values *values)
{
    Arena *arena = arena_new();
    ComputationSums sums = {0};
    ComputationSum all = {.time_ns = {0}};
    add_computation(runs, n, values, &sums, &all);
    find_typical(runs, n, values, &sums);
    for (uint32_t i = 0; i < n; i++)
        all.typical_ns[i] = all.time_ns[i] / runs[i].p;
    bool is_weak = is_weak_scaling(runs, n, &all);
    double other_width = 0;
    values->other_factor = is_weak ? 1 : computation_factor(runs, n, &all, is_weak, p, arena, &other_width);
    if (isnan(values->other_factor))
        values->other_factor = (double)runs[n - 1].p / p;
    for (size_t i = 0; i < sums.count; i++) {
        double share = all.time_ns[n - 1] > 0 ? sums.items[i].time_ns[n - 1] / all.time_ns[n - 1] : 0, width = 0,
               factor = share >= NOTABLE_SHARE ? computation_factor(runs, n, &sums.items[i], is_weak, p, arena, &width)
                                               : NAN;
        *vec_push(&values->factors) = isnan(factor) ? values->other_factor : factor;
        values->width += share * (isnan(factor) ? other_width : width);
    }
    vec_free(&sums);
    arena_free(arena);
}

double values_computation(const Values *values, uint32_t before, uint32_t kind)
{
    const uint64_t *at = map_get(&values->computation, place_key(before, kind));
    return at ? values->factors.items[*at] : values->other_factor;
}

void values_find(const LoadedRun *runs, uint32_t n, const Kinds *kinds, uint32_t p, Values *values)
{
    Shape target = shape_of(kinds->layout, p);
    *values = (Values){.sent = NULL};
    find_volumes(runs, n, kinds, &target, values);
    find_computation(runs, n, p, values);
}

void values_free(Values *values)
{
    free(values->sent);
    free(values->received);
    free(values->growth);
    map_free(&values->computation);
    vec_free(&values->factors);
}
