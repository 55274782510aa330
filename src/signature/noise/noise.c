/* SPDX-License-Identifier: BSD-3-Clause */
/* The noise of the traced machine at all lengths (noise.h).
 *
 *   pieces   |  1  |  2  |  3  |  4  |  5  |  6  |  7  |  8  | …      σ(τ):  neighbours differ
 *   level 1  |     1     |     2     |     3     |     4     | …      σ(2τ)
 *   level 2  |           1           |           2           | …      σ(4τ)
 *
 * The mean of a stretch of the length τ and the mean of the stretch of 2τ that it is part of differ
 * with the variance σ²(τ)/2. So a stretch differs from the whole by
 *
 *   Var = ½ Σ σ²(2^k τ) over all octaves from the stretch to the whole
 *
 * as far as the octaves are independent of each other. For flicker noise, where all σ are equal,
 * this is Barnes's bias function B1. */
#include "signature/noise/noise.h"

#include "signature/noise/stretches.h"
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A level counts if it has at least LEVEL_LEAST stretches: then σ is known to about 30 %. */
enum { PIECES_LEAST = 16, PIECES_LIMIT = 256, LEVEL_LEAST = 8 };

/* Logarithms of the paces of a run in n pieces that last equally long in the traced run. Of a
 * further run, against the traced run. */
static void fill_paces(const Signature *signature, uint32_t run, double from, uint32_t n, double *paces)
{
    double from_s = signature_time_s(signature, from),
           step_s = (signature_time_s(signature, (double)signature->n_occurrences) - from_s) / n;
    for (uint32_t i = 0; i < n; i++) {
        const Stretch piece = {signature_occurrence_at(signature, from_s + i * step_s),
                               signature_occurrence_at(signature, from_s + (i + 1) * step_s)};
        const Stretches pieces = stretches_single(&piece);
        double pace = run ? stretches_time_s(signature, run, &pieces) / stretches_time_s(signature, 0, &pieces)
                          : stretch_pace(signature, piece);
        paces[i] = isfinite(pace) && pace > 0 ? log(pace) : 0;
    }
}

/* Half of the mean squared difference of neighbours. */
static double allan_variance(const double *paces, uint32_t n)
{
    double squares = 0;
    for (uint32_t i = 1; i < n; i++)
        squares += pow(paces[i] - paces[i - 1], 2);
    return squares / (2 * (n - 1.0));
}

/* From the median of the differences, assuming a normal distribution. */
static double variance_of_median(const double *paces, uint32_t n)
{
    static const double DEVIATION_OVER_MEDIAN = 1.4826;
    double differences[PIECES_LIMIT];
    for (uint32_t i = 1; i < n; i++)
        differences[i - 1] = fabs(paces[i] - paces[i - 1]);
    gsl_sort(differences, 1, n - 1);
    double deviation = DEVIATION_OVER_MEDIAN * gsl_stats_median_from_sorted_data(differences, 1, n - 1);
    return deviation * deviation / 2;
}

/* The Allan variance of a run whose program may begin to do something else at a few places: there, a
 * step is in one difference. Noise that comes and goes is in two neighbouring ones, with opposite
 * signs. For flicker noise, the mean of their product is nearly half of the Allan variance (Barnes's
 * B2); for white noise, it is all of it, so that twice the product is too much. But the product of few differences
 * varies much, so the median is the least. */
static double allan_variance_without_steps(const double *paces, uint32_t n)
{
    double products = 0;
    for (uint32_t i = 2; i < n; i++)
        products -= (paces[i] - paces[i - 1]) * (paces[i - 1] - paces[i - 2]);
    return fmax(variance_of_median(paces, n), 2 * products / (n - 2.0));
}

/* Adds the variances of all levels of n paces, times the factor. Returns the number of levels. */
static uint32_t add_levels(double *paces, uint32_t n, bool has_steps, double factor, double variance[NOISE_LEVELS])
{
    uint32_t level = 0;
    for (; level < NOISE_LEVELS && n >= LEVEL_LEAST; level++) {
        variance[level] += factor * (has_steps ? allan_variance_without_steps : allan_variance)(paces, n);
        n /= 2;
        for (uint32_t i = 0; i < n; i++)
            paces[i] = (paces[2 * i] + paces[2 * i + 1]) / 2;
    }
    return level;
}

/* The deviation of a run that can't be divided any further. With so few pieces it is hardly known
 * itself, so it is widened as Student's t is against the normal distribution. */
static Noise noise_of_few(const Signature *signature, double from, uint32_t n, double base_s)
{
    double paces[LEVEL_LEAST];
    fill_paces(signature, 0, from, n, paces);
    double wider = gsl_cdf_tdist_Pinv(0.975, n - 1) / gsl_cdf_ugaussian_Pinv(0.975);
    return (Noise){base_s, 1, {sqrt(allan_variance(paces, n)) * wider}};
}

Noise noise_of_runs(const Signature *signature, double from, double shortest_s)
{
    double rest_s = signature_time_s(signature, (double)signature->n_occurrences) - signature_time_s(signature, from);
    double available = fmin(PIECES_LIMIT, (double)signature->n_occurrences - from);
    uint32_t n = (uint32_t)fmax(0, fmin(available, fmax(PIECES_LEAST, shortest_s > 0 ? rest_s / shortest_s : 0)));
    if (n < 2 || !(rest_s > 0))
        return (Noise){0};
    if (n < LEVEL_LEAST)
        return noise_of_few(signature, from, n, rest_s / n);
    Noise noise = {.base_s = rest_s / n};
    double paces[PIECES_LIMIT], variance[NOISE_LEVELS] = {0};
    for (uint32_t run = signature->n_repeats ? 1 : 0; run <= signature->n_repeats; run++) {
        fill_paces(signature, run, from, n, paces);
        /* The difference of two runs has the noise of both. In a single run, a few steps are the
         * program's: there it begins to do something else. */
        noise.n_levels = add_levels(paces, n, !run, run ? 0.5 / signature->n_repeats : 1, variance);
    }
    /* Where σ grows with the length, the program's own work is uneven: machines become steadier. */
    for (uint32_t i = 0; i < noise.n_levels; i++)
        noise.deviation[i] = i ? fmin(noise.deviation[i - 1], sqrt(variance[i])) : sqrt(variance[0]);
    return noise;
}

Noise noise_of_series(const double *logarithms, uint32_t n, double base_s)
{
    double *paces = memory_zeroed(n + 1, sizeof *paces), variance[NOISE_LEVELS] = {0};
    Noise noise = {.base_s = base_s};
    memcpy(paces, logarithms, n * sizeof *paces);
    noise.n_levels = add_levels(paces, n, false, 1, variance);
    for (uint32_t i = 0; i < noise.n_levels; i++)
        noise.deviation[i] = sqrt(variance[i]);
    free(paces);
    return noise;
}

Noise noise_of_levels(const double *deviation, uint32_t n_levels, double base_s)
{
    Noise noise = {.base_s = base_s, .n_levels = n_levels < NOISE_LEVELS ? n_levels : NOISE_LEVELS};
    memcpy(noise.deviation, deviation, noise.n_levels * sizeof *deviation);
    return noise;
}

/* Shorter stretches than the base are as white noise, longer ones than the last level as flicker. */
static double variance_at(const Noise *noise, double time_s)
{
    double level = log2(time_s / noise->base_s), last = noise->n_levels - 1.0;
    if (level <= 0)
        return noise->deviation[0] * noise->deviation[0] * exp2(-level);
    uint32_t below = (uint32_t)fmin(level, last);
    double above = noise->deviation[(uint32_t)fmin(below + 1.0, last)], part = level < last ? level - below : 0;
    double deviation = noise->deviation[below] + part * (above - noise->deviation[below]);
    return deviation * deviation;
}

double noise_within(const Noise *noise, double part_s, double whole_s)
{
    if (!noise->n_levels || !(part_s > 0) || part_s >= whole_s)
        return 0;
    double octaves = log2(whole_s / part_s), sum = 0;
    uint32_t n = (uint32_t)ceil(octaves);
    for (uint32_t i = 0; i < n; i++)
        sum += variance_at(noise, part_s * exp2(i)) * fmin(1, octaves - i) / 2;
    return sum;
}

double noise_between_runs(const Noise *noise, double run_s)
{
    return noise->n_levels ? 2 * variance_at(noise, run_s) : 0;
}
