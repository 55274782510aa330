/* SPDX-License-Identifier: BSD-3-Clause */
/* The measured stretches, and how far their paces differ (measured.h). */
#include "signature/predict/measured.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

static uint32_t count_states(const PhaseTimes *times)
{
    uint32_t n = times->n_windows > 0;
    for (uint32_t i = 1; i < times->n_windows; i++)
        n += times->windows[i].state != times->windows[i - 1].state;
    return n;
}

Stretches stretches_measured(const PhaseTimes *times, Arena *arena)
{
    Stretch *items = arena_new_array(arena, Stretch, times->n_windows);
    Stretches stretches = {.items = items, .n_states = count_states(times)};
    for (uint32_t i = 0; i < times->n_windows; i++) {
        const Window *window = &times->windows[i];
        bool goes_on = i && window->state == window[-1].state && window->from_occurrence == window[-1].to_occurrence;
        if (!goes_on)
            items[stretches.n++].from = (double)window->from_occurrence;
        items[stretches.n - 1].to = (double)window->to_occurrence;
    }
    return stretches;
}

static double half_width_of_windows(const PhaseTimes *times)
{
    double *pace = memory_zeroed(times->n_windows, sizeof *pace), half_width = 0;
    unsigned n = 0;
    for (uint32_t i = 0; i < times->n_windows; i++)
        if (times->windows[i].reference_s > 0)
            pace[n++] = times->windows[i].elapsed_s / times->windows[i].reference_s;
    if (n >= 2) {
        double mean = gsl_stats_mean(pace, 1, n);
        double standard_error = gsl_stats_sd_m(pace, 1, n, mean) / sqrt(n) / mean;
        half_width = gsl_cdf_tdist_Pinv(0.975, n - 1) * standard_error;
    }
    free(pace);
    return half_width;
}

/* The standard error of a ratio, with states as clusters, since windows differ in length. Its
 * residuals are E - R r, with the times E, the reference times r, and R = ΣE / Σr. With equal r,
 * this is the standard error of the mean pace. */
static double half_width_of_states(const PhaseTimes *times, uint32_t n_states)
{
    double elapsed_s = 0, reference_s = 0, squares = 0, residual_s = 0;
    for (uint32_t i = 0; i < times->n_windows; i++) {
        elapsed_s += times->windows[i].elapsed_s;
        reference_s += times->windows[i].reference_s;
    }
    if (!(elapsed_s > 0) || !(reference_s > 0))
        return 0;
    for (uint32_t i = 0; i < times->n_windows; i++) {
        const Window *window = &times->windows[i];
        residual_s += window->elapsed_s - elapsed_s / reference_s * window->reference_s;
        if (i + 1 < times->n_windows && window[1].state == window->state)
            continue;
        squares += residual_s * residual_s;
        residual_s = 0;
    }
    double standard_error_s = sqrt(squares * n_states / (n_states - 1.0));
    return gsl_cdf_tdist_Pinv(0.975, n_states - 1) * standard_error_s / elapsed_s;
}

double stretches_half_width(const PhaseTimes *times)
{
    uint32_t n_states = count_states(times);
    assert(n_states <= times->n_windows);
    return n_states > 1 ? half_width_of_states(times, n_states) : half_width_of_windows(times);
}
