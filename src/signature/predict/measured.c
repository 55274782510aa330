/* SPDX-License-Identifier: BSD-3-Clause */
/* The measured stretches, and how far their paces differ (measured.h). */
#include "signature/predict/measured.h"

#include <assert.h>
#include <math.h>

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

/* What windows of a state, or of a run of a prefix, took and should have taken. */
typedef struct Sample {
    double elapsed_s, reference_s;
} Sample;

static Sample sum_windows(const Window *windows, uint32_t n)
{
    Sample sum = {0};
    for (uint32_t i = 0; i < n; i++) {
        sum.elapsed_s += windows[i].elapsed_s;
        sum.reference_s += windows[i].reference_s;
    }
    return sum;
}

/* The number of windows from `first` on that are of the same state or run. */
static uint32_t count_alike(const PhaseTimes *times, uint32_t first)
{
    uint32_t n = 1;
    while (first + n < times->n_windows && times->windows[first + n].state == times->windows[first].state)
        n++;
    return n;
}

uint32_t stretches_pace_logarithms(const PhaseTimes *times, Arena *arena, const double **logarithms)
{
    double *items = arena_new_array(arena, double, times->n_windows);
    uint32_t n = 0;
    for (uint32_t first = 0, alike; first < times->n_windows; first += alike) {
        alike = count_alike(times, first);
        const Sample sample = sum_windows(&times->windows[first], alike);
        items[n++] = log(sample.elapsed_s / sample.reference_s);
    }
    *logarithms = items;
    return n;
}

static double residual_s(const Window *window, Sample whole)
{
    return window->elapsed_s - whole.elapsed_s / whole.reference_s * window->reference_s;
}

/* By how much the windows of a run differ from each other: the standard error of a ratio, with
 * residuals against the run's own ratio. How much runs differ is the drift's matter. */
static Deviation deviation_of_windows(const PhaseTimes *times, uint32_t n_runs)
{
    double squares = 0, n = times->n_windows, freedom = n - n_runs;
    for (uint32_t first = 0, alike; first < times->n_windows; first += alike) {
        alike = count_alike(times, first);
        const Sample run = sum_windows(&times->windows[first], alike);
        for (uint32_t i = first; run.reference_s > 0 && i < first + alike; i++)
            squares += pow(residual_s(&times->windows[i], run), 2);
    }
    double elapsed_s = sum_windows(times->windows, times->n_windows).elapsed_s;
    if (!(freedom > 0 && elapsed_s > 0))
        return deviation_of(0);
    return (Deviation){squares * n / freedom / (elapsed_s * elapsed_s), freedom};
}

/* The standard error of a ratio, with states as clusters, since windows differ in length. Its
 * residuals are E - R r, with the times E, the reference times r, and R = ΣE / Σr. With equal r,
 * this is the standard error of the mean pace. */
static Deviation deviation_of_states(const PhaseTimes *times, uint32_t n_states)
{
    const Sample all = sum_windows(times->windows, times->n_windows);
    double squares = 0;
    if (!(all.elapsed_s > 0) || !(all.reference_s > 0))
        return deviation_of(0);
    for (uint32_t first = 0, alike; first < times->n_windows; first += alike) {
        double sum_s = 0;
        alike = count_alike(times, first);
        for (uint32_t i = first; i < first + alike; i++)
            sum_s += residual_s(&times->windows[i], all);
        squares += sum_s * sum_s;
    }
    double freedom = n_states - 1.0;
    return (Deviation){squares * n_states / freedom / (all.elapsed_s * all.elapsed_s), freedom};
}

Deviation stretches_deviation(const PhaseTimes *times)
{
    uint32_t n_samples = count_samples(times);
    assert(n_samples <= times->n_windows);
    return is_prefix(times) || n_samples < 2 ? deviation_of_windows(times, n_samples)
                                             : deviation_of_states(times, n_samples);
}
