/* SPDX-License-Identifier: BSD-3-Clause */
/* See sample.h. */
#include "cost/run/sample.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

static const double CONFIDENCE = 0.95;

const uint64_t *sample_tasks(uint64_t n_tasks, uint64_t n, Arena *arena)
{
    uint64_t *numbers = arena_new_array(arena, uint64_t, n);
    for (uint64_t i = 0; i < n; i++)
        numbers[i] = 1 + (2 * i + 1) * n_tasks / (2 * n);
    return numbers;
}

Interval sample_interval(const double *ratios, size_t n)
{
    double *logarithms = memory_zeroed(n, sizeof *logarithms), half = 0;
    for (size_t i = 0; i < n; i++)
        logarithms[i] = log(ratios[i]);
    double mean = gsl_stats_mean(logarithms, 1, n);
    if (n > 1)
        half = gsl_cdf_tdist_Pinv((1 + CONFIDENCE) / 2, (double)(n - 1)) * sqrt(1 + 1.0 / (double)n) *
               gsl_stats_sd_m(logarithms, 1, n, mean);
    free(logarithms);
    return (Interval){exp(mean - half), exp(mean + half)};
}
