/* SPDX-License-Identifier: BSD-3-Clause */
/* See candidates.h. Dividing a model by its latency factor L(p) gives a line, which line.h fits
 * with the same relative errors: t / L(p) = α + 1/β · B(p) n / L(p), where B(p) is the byte factor.
 * Reductions also compute; that cost per byte is a part of their 1/β.
 *
 * Sources: docs/METHOD.md, section 12 (scatter, broadcast). Thakur, Rabenseifner and Gropp,
 * "Optimization of collective communication operations in MPICH" (2005), for the other operations;
 * n is the vector of comm/protocol.h. Hensgen, Finkel and Manber, "Two algorithms for barrier
 * synchronization" (1988). */
#include "comm/candidates.h"

#include "comm/line.h"
#include <assert.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

#define FACTOR(name, value)                                                                                            \
    static double name(__attribute__((unused)) double p)                                                               \
    {                                                                                                                  \
        return value;                                                                                                  \
    }

FACTOR(none, 0)
FACTOR(once, 1)
FACTOR(others, p - 1)
FACTOR(twice_others, 2 * (p - 1))
FACTOR(others_share, (p - 1) / p)
FACTOR(twice_others_share, 2 * (p - 1) / p)
FACTOR(rounds, ceil(log2(p)))
FACTOR(half_rounds, ceil(log2(p)) / 2)
FACTOR(twice_rounds, 2 * ceil(log2(p)))
FACTOR(twice_logarithm, 2 * log2(p))
FACTOR(logarithm_and_others, log2(p) + p - 1)
FACTOR(gathered_and_broadcast, (p - 1) / p + ceil(log2(p)))

const Candidate candidates[] = {
    {"scatter", "p-1 sends", "(p-1) (α + (n/p)/β)", others, others_share},
    {"scatter", "binary tree", "2 log₂ p α + 2 (n/p) (p-1)/β", twice_logarithm, twice_others_share},
    {"scatter", "binomial tree", "⌈log₂ p⌉ α + (n/p) (p-1)/β", rounds, others_share},

    {"broadcast", "p-1 sends", "(p-1) (α + n/β)", others, others},
    {"broadcast", "binomial tree", "⌈log₂ p⌉ (α + n/β)", rounds, rounds},
    {"broadcast", "scatter and allgather", "(log₂ p + p - 1) α + 2 ((p-1)/p) n/β", logarithm_and_others,
     twice_others_share},
    {"broadcast", "one physical broadcast", "α + n/β", once, once},
    {"broadcast", "serial bandwidth", "α + (p-1) n/β", once, others},

    {"multicast", "p-1 sends", "(p-1) (α + n/β)", others, others},
    {"multicast", "binomial tree", "⌈log₂ p⌉ (α + n/β)", rounds, rounds},
    {"multicast", "one physical broadcast", "α + n/β", once, once},
    {"multicast", "serial bandwidth", "α + (p-1) n/β", once, others},

    {"gather", "p-1 receives", "(p-1) (α + (n/p)/β)", others, others_share},
    {"gather", "binomial tree", "⌈log₂ p⌉ α + (n/p) (p-1)/β", rounds, others_share},

    {"reduce", "p-1 receives", "(p-1) (α + n/β)", others, others},
    {"reduce", "binomial tree", "⌈log₂ p⌉ (α + n/β)", rounds, rounds},
    {"reduce", "reduce-scatter and gather", "2 ⌈log₂ p⌉ α + 2 ((p-1)/p) n/β", twice_rounds, twice_others_share},

    {"allreduce", "recursive doubling", "⌈log₂ p⌉ (α + n/β)", rounds, rounds},
    {"allreduce", "reduce and broadcast", "2 ⌈log₂ p⌉ (α + n/β)", twice_rounds, twice_rounds},
    {"allreduce", "reduce-scatter and allgather", "2 ⌈log₂ p⌉ α + 2 ((p-1)/p) n/β", twice_rounds, twice_others_share},
    {"allreduce", "ring", "2 (p-1) α + 2 ((p-1)/p) n/β", twice_others, twice_others_share},

    {"allgather", "recursive doubling, or Bruck", "⌈log₂ p⌉ α + ((p-1)/p) n/β", rounds, others_share},
    {"allgather", "ring", "(p-1) (α + (n/p)/β)", others, others_share},
    {"allgather", "gather and broadcast", "2 ⌈log₂ p⌉ α + ((p-1)/p + ⌈log₂ p⌉) n/β", twice_rounds,
     gathered_and_broadcast},

    {"alltoall", "pairwise exchange", "(p-1) (α + (n/p)/β)", others, others_share},
    {"alltoall", "Bruck", "⌈log₂ p⌉ (α + (n/2)/β)", rounds, half_rounds},

    {"barrier", "dissemination", "⌈log₂ p⌉ α", rounds, none},
    {"barrier", "tree", "2 ⌈log₂ p⌉ α", twice_rounds, none},
    {"barrier", "linear", "2 (p-1) α", twice_others, none},
};
const unsigned n_candidates = sizeof candidates / sizeof *candidates;

/* Measurements can be more precise than this; a model can't. */
static const double LEAST_NOISE = 0.02;

typedef struct Points {
    double *n_ranks, *bytes, *time_s; /* as measured */
    double *x, *y, *noise, *weights;  /* as the candidate's line needs them */
    size_t n;
} Points;

static Points read_points(const CommSeries *const *series, uint32_t n_series, CommStatistic statistic, Arena *arena)
{
    size_t most = 0;
    for (uint32_t i = 0; i < n_series; i++)
        most += series[i]->n_points;
    Points points = {0};
    double **arrays[] = {&points.n_ranks, &points.bytes, &points.time_s, &points.x,
                         &points.y,       &points.noise, &points.weights};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = arena_new_array(arena, double, most);
    for (uint32_t i = 0; i < n_series; i++)
        for (uint32_t k = 0; k < series[i]->n_points; k++) {
            const CommPoint *point = &series[i]->points[k];
            double time_s = comm_point_s(point, statistic);
            if (!(time_s > 0) || series[i]->n_ranks < 2)
                continue;
            points.n_ranks[points.n] = series[i]->n_ranks;
            points.bytes[points.n] = (double)point->bytes;
            points.time_s[points.n++] = time_s;
        }
    return points;
}

static double candidate_time_s(const CandidateFit *fit, double n_ranks, double bytes)
{
    return fit->candidate->latency_factor(n_ranks) * fit->latency_s.value +
           fit->candidate->byte_factor(n_ranks) * bytes * fit->s_per_byte.value;
}

static void judge(const Points *points, CandidateFit *fit)
{
    const double far_off = 100; /* ratio for a time that the model predicts as 0 */
    double *errors = points->weights, sum = 0;
    for (size_t i = 0; i < points->n; i++) {
        double ratio = candidate_time_s(fit, points->n_ranks[i], points->bytes[i]) / points->time_s[i];
        errors[i] = fabs(ratio - 1);
        sum += fabs(log(fmax(ratio, 1 / far_off)));
    }
    fit->error = gsl_stats_median(errors, 1, points->n);
    fit->mean_error = sum / (double)points->n;
}

/* Sets the noise of all points to the typical error of `line`. If `line` is NULL, sets it to 1, so
 * that all points count. */
static void set_noise(Points *points, const Line *line)
{
    const double deviation_over_median = 1.4826;
    double deviation = 1;
    if (line) {
        for (size_t i = 0; i < points->n; i++)
            points->weights[i] = fabs((line->alpha + line->slope * points->x[i]) / points->y[i] - 1);
        deviation = fmax(LEAST_NOISE, deviation_over_median * gsl_stats_median(points->weights, 1, points->n));
    }
    for (size_t i = 0; i < points->n; i++)
        points->noise[i] = deviation;
}

static CandidateFit fit_candidate(const Candidate *candidate, Points *points)
{
    for (size_t i = 0; i < points->n; i++) {
        double factor = candidate->latency_factor(points->n_ranks[i]);
        points->x[i] = candidate->byte_factor(points->n_ranks[i]) * points->bytes[i] / factor;
        points->y[i] = points->time_s[i] / factor;
    }
    const LineData data = {points->x, points->y, points->noise, points->n};
    set_noise(points, NULL);
    Line line = line_fit(&data, points->weights);
    set_noise(points, &line);
    line = line_fit(&data, points->weights);
    size_t n_parameters = line.slope_variance > 0 ? 2 : 1;
    double width = line_noise_factor(line.squares, line.steepness, points->n, n_parameters) *
                   line_quantile(points->n, n_parameters);
    CandidateFit fit = {.candidate = candidate,
                        .latency_s = line_estimate(line.alpha, line.free_alpha, width * sqrt(line.alpha_variance)),
                        .s_per_byte = line_estimate(line.slope, line.free_slope, width * sqrt(line.slope_variance))};
    judge(points, &fit);
    return fit;
}

/* Ignores differences due to rounding. */
static bool is_better(const CandidateFit *a, const CandidateFit *b)
{
    const double resolution = 1e-6;
    return round(a->mean_error / resolution) < round(b->mean_error / resolution);
}

const CandidateFit *candidates_fit(const CommSeries *const *series, uint32_t n_series, CommStatistic statistic,
                                   Arena *arena, uint32_t *n_fits)
{
    *n_fits = 0;
    if (n_series == 0)
        return NULL;
    Arena *scratch = arena_new();
    Points points = read_points(series, n_series, statistic, scratch);
    CandidateFit *fits = arena_new_array(arena, CandidateFit, n_candidates);
    for (unsigned i = 0; i < n_candidates; i++) {
        if (strcmp(candidates[i].operation, series[0]->operation) != 0 ||
            points.n < (candidates[i].byte_factor == none ? 1 : 2))
            continue;
        CandidateFit fit = fit_candidate(&candidates[i], &points);
        uint32_t at = (*n_fits)++;
        for (; at > 0 && is_better(&fit, &fits[at - 1]); at--)
            fits[at] = fits[at - 1];
        fits[at] = fit;
    }
    arena_free(scratch);
    return fits;
}

/* |ln(a / b)|; 0 if a or b is 0 or unknown. */
static double log_distance(double a, double b)
{
    return a > 0 && b > 0 ? fabs(log(a / b)) : 0;
}

const CandidateFit *candidates_choose(const CandidateFit *fits, uint32_t n_fits, const MachinePath *path)
{
    const CandidateFit *chosen = &fits[0];
    assert(n_fits > 0);
    double least = INFINITY;
    for (uint32_t i = 0; path && path->n_segments && i < n_fits && !is_better(&fits[0], &fits[i]); i++) {
        double away = log_distance(fits[i].latency_s.value, path->segments[0].latency_s.value) +
                      log_distance(fits[i].s_per_byte.value, path->segments[path->n_segments - 1].s_per_byte.value);
        if (away < least) {
            least = away;
            chosen = &fits[i];
        }
    }
    return chosen;
}
