/* SPDX-License-Identifier: BSD-3-Clause */
/* The measured stretches, and how far their paces differ (measured.h). */
#include "signature/predict/measured.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

/* Saved states, or runs of a prefix. */
static uint32_t count_samples(const PhaseTimes *times)
{
    uint32_t n = times->n_windows > 0;
    for (uint32_t i = 1; i < times->n_windows; i++)
        n += times->windows[i].state != times->windows[i - 1].state;
    return n;
}

/* The prefix is one place of the run, however often it was run. */
static bool is_prefix(const PhaseTimes *times)
{
    return times->prefix_occurrences > 0;
}

Stretches stretches_measured(const PhaseTimes *times, Arena *arena)
{
    Stretch *items = arena_new_array(arena, Stretch, times->n_windows);
    uint32_t n_samples = count_samples(times);
    Stretches stretches = {.items = items,
                           .n_states = is_prefix(times) ? n_samples > 0 : n_samples,
                           .n_runs = is_prefix(times) && n_samples ? n_samples : 1};
    for (uint32_t i = 0; i < times->n_windows; i++) {
        const Window *window = &times->windows[i];
        bool goes_on = i && window->state == window[-1].state && window->from_occurrence == window[-1].to_occurrence;
        if (!goes_on)
            items[stretches.n++].from = (double)window->from_occurrence;
        items[stretches.n - 1].to = (double)window->to_occurrence;
    }
    return stretches;
}

/* By how much the windows of a run differ from each other. How much runs differ is the drift's matter. */
static double half_width_of_windows(const PhaseTimes *times, uint32_t n_runs)
{
    double *pace = memory_zeroed(times->n_windows, sizeof *pace), sum = 0, squares = 0;
    unsigned n = 0, first = 0; /* of the run */
    for (uint32_t i = 0; i < times->n_windows; i++) {
        if (times->windows[i].reference_s > 0)
            pace[n++] = times->windows[i].elapsed_s / times->windows[i].reference_s;
        if (n > first && (i + 1 == times->n_windows || times->windows[i + 1].state != times->windows[i].state)) {
            squares += gsl_stats_tss(pace + first, 1, n - first);
            sum += gsl_stats_mean(pace + first, 1, n - first) * (n - first);
            first = n;
        }
    }
    free(pace);
    if (n <= n_runs || !(sum > 0))
        return 0;
    return gsl_cdf_tdist_Pinv(0.975, n - n_runs) * sqrt(squares / (n - n_runs) / n) / (sum / n);
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
    uint32_t n_samples = count_samples(times);
    assert(n_samples <= times->n_windows);
    return is_prefix(times) || n_samples < 2 ? half_width_of_windows(times, n_samples)
                                             : half_width_of_states(times, n_samples);
}
