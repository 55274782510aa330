/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds chains of runs whose size grows with p (weak.h). How much work a size is, only its time on
 * one process tells. So the scaled speedup T(n, 1)/T(n, p) needs this time for each size. */
#include "scaling/weak.h"

#include "scaling/laws.h"
#include <math.h>

enum { DIMENSIONS = 3, POINTS_LEAST = 3, CHAINS_MOST = 16 };

/* Sizes are whole numbers, so n^d / p may differ by this share. */
static const double SAME_SHARE = 0.02;

static double share_of(const RunPoint *run, unsigned dimension)
{
    return pow(run->n, dimension) / run->p;
}

/* The runs of a chain, by ascending p, beginning with `first`. Returns 0 if the chain has an
 * earlier run. */
static uint32_t collect(const Runs *runs, unsigned dimension, uint32_t first, const RunPoint **chain)
{
    double share = share_of(&runs->points[first], dimension);
    uint32_t n = 0;
    for (uint32_t i = 0; i < runs->n_points; i++) {
        const RunPoint *run = &runs->points[i];
        if (fabs(share_of(run, dimension) / share - 1) > SAME_SHARE)
            continue;
        if (i < first)
            return 0;
        if (n == 0 || run->p > chain[n - 1]->p)
            chain[n++] = run;
    }
    return n;
}

static uint32_t longest_chain(const Runs *runs, unsigned dimension, const RunPoint **chain)
{
    uint32_t longest = 0;
    for (uint32_t i = 0; i < runs->n_points; i++) {
        uint32_t n = collect(runs, dimension, i, chain);
        longest = n > longest ? n : longest;
    }
    return longest;
}

/* How time grows with size, on the least p that was run with several sizes. NAN: there is none. */
static double work_exponent(const Runs *runs)
{
    const RunPoint *least = NULL, *most = NULL;
    for (uint32_t i = 0; i < runs->n_points; i++)
        for (uint32_t k = runs->n_points; k-- > i + 1;) {
            const RunPoint *a = &runs->points[i], *b = &runs->points[k];
            if (a->p != b->p || a->n == b->n || (least && a->p >= least->p))
                continue;
            least = a;
            most = b;
        }
    return least ? log(most->median_s / least->median_s) / log(most->n / least->n) : NAN;
}

static unsigned choose_dimension(const Runs *runs, const RunPoint **chain)
{
    double exponent = work_exponent(runs);
    if (!isnan(exponent))
        return (unsigned)fmin(DIMENSIONS, fmax(1, round(exponent)));
    unsigned best = 1;
    uint32_t longest = 0;
    for (unsigned dimension = 1; dimension <= DIMENSIONS; dimension++) {
        uint32_t n = longest_chain(runs, dimension, chain);
        if (n > longest)
            best = dimension;
        longest = n > longest ? n : longest;
    }
    return best;
}

/* What T(n, 1) of a chain's sizes are times of: one program for all of them, or their speedups couldn't be compared. */
typedef enum Basis { BASIS_RUNS, BASIS_SEQUENTIAL } Basis;

/* False: T(n, 1) isn't known. The noise of a sequential program's time isn't known. */
static bool find_single(const Runs *runs, Basis basis, double n, double far_off, LawPoint *single)
{
    uint32_t left_out = 0; /* these runs are counted by size already */
    for (uint32_t i = 0; basis == BASIS_RUNS && i < runs->n_points; i++)
        if (runs->points[i].n == n && runs->points[i].p == 1) {
            *single = law_point(&runs->points[i], far_off, &left_out);
            single->value = runs->points[i].median_s;
            return true;
        }
    for (uint32_t i = 0; basis == BASIS_SEQUENTIAL && i < runs->n_sequential; i++)
        if (runs->sequential[i].n == n) {
            *single = (LawPoint){.p = 1, .value = runs->sequential[i].time_s, .count = INFINITY};
            return true;
        }
    return false;
}

/* The program's own runs, unless only the sequential program has a time for each size. */
static Basis choose_basis(const Runs *runs, const RunPoint *const *chain, uint32_t n, double far_off)
{
    uint32_t known[] = {0, 0};
    LawPoint single;
    for (uint32_t i = 0; i < n; i++)
        for (Basis basis = BASIS_RUNS; basis <= BASIS_SEQUENTIAL; basis++)
            known[basis] += find_single(runs, basis, chain[i]->n, far_off, &single);
    return known[BASIS_SEQUENTIAL] > known[BASIS_RUNS] ? BASIS_SEQUENTIAL : BASIS_RUNS;
}

static void predict(WeakScaling *weak, const ScalingOptions *options, Arena *arena)
{
    WeakPrediction *predictions = arena_new_array(arena, WeakPrediction, options->n_extrapolate);
    double first = weak->points[0].run->p, last = weak->points[weak->n_points - 1].run->p;
    for (uint32_t i = 0; i < options->n_extrapolate; i++) {
        double p = options->extrapolate[i];
        predictions[i] =
            (WeakPrediction){.p = p,
                             .n = pow(weak->share * p, 1.0 / weak->dimension),
                             .time_s = laws_time_s(weak->laws, weak->n_laws, p),
                             .by_best = law_time_s(&weak->laws[0], p),
                             .efficiency = law_value_s(&weak->laws[0], first) / law_value_s(&weak->laws[0], p),
                             .distance = scaling_distance(p, first, last)};
    }
    weak->n_predictions = options->n_extrapolate;
    weak->predictions = predictions;
}

static WeakScaling make_chain(const Runs *runs, const RunPoint *const *chain, uint32_t n, unsigned dimension,
                              double far_off, const ScalingOptions *options, Arena *arena)
{
    WeakPoint *points = arena_new_array(arena, WeakPoint, n);
    LawPoint *times = arena_new_array(arena, LawPoint, n), *speedups = arena_new_array(arena, LawPoint, n);
    WeakScaling weak = {
        .dimension = dimension, .share = share_of(chain[0], dimension), .n_points = n, .points = points};
    uint32_t left_out = 0, n_speedups = 0;
    Basis basis = choose_basis(runs, chain, n, far_off);
    bool is_relative = basis == BASIS_RUNS; /* S(1) is 1 by definition */
    for (uint32_t i = 0; i < n; i++) {
        LawPoint single;
        times[i] = law_point(chain[i], far_off, &left_out);
        points[i] = (WeakPoint){chain[i], NAN, NAN, chain[0]->median_s / chain[i]->median_s};
        if (!find_single(runs, basis, chain[i]->n, far_off, &single))
            continue;
        points[i].single_s = single.value;
        points[i].speedup = single.value / chain[i]->median_s;
        if (chain[i]->p > 1 || !is_relative)
            speedups[n_speedups++] = law_scaled_speedup(&single, &times[i]);
    }
    weak.n_laws = laws_fit(FAMILY_WEAK, law_kind(options->law), times, n, arena, &weak.laws);
    if (weak.n_laws)
        predict(&weak, options, arena);
    weak.has_gustafson = laws_fit_gustafson(speedups, n_speedups, is_relative, arena, &weak.gustafson);
    return weak;
}

uint32_t weak_make(const Runs *runs, double far_off, const ScalingOptions *options, Arena *arena,
                   const WeakScaling **chains)
{
    uint32_t n_chains = 0;
    if (!runs->has_sizes)
        return 0;
    const RunPoint **chain = arena_new_array(arena, const RunPoint *, runs->n_points);
    WeakScaling *found = arena_new_array(arena, WeakScaling, CHAINS_MOST);
    unsigned dimension = choose_dimension(runs, chain);
    for (uint32_t i = 0; i < runs->n_points && n_chains < CHAINS_MOST; i++) {
        uint32_t n = collect(runs, dimension, i, chain);
        if (n >= POINTS_LEAST)
            found[n_chains++] = make_chain(runs, chain, n, dimension, far_off, options, arena);
    }
    *chains = found;
    return n_chains;
}
