/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs whose order of communication varies from run to run (master and workers, work stealing).
 *
 * In such a program, only a share a of the measured occurrences, the agreement, are the traced
 * run's phases. The others only tell how far the run has come, by the number of events:
 *
 *    predicted = time of k events here · traced run / time of k events in the traced run
 *
 * The traced run tells how exact this is. Let σ be the relative standard deviation of the time that
 * k events take in it. Measured time and traced time are two samples of this variation. So the
 * relative standard deviation of the prediction is
 *
 *    √2 (1 - a) σ        or √2 σ if no phase was measured
 *
 * With N stretches of k events each, spread over the run, it is 1/√N of this. If the same stretch was
 * run R times, √2 becomes √(1 + 1/R): the traced run is still a single sample. The paces of single
 * phases can't replace σ: a phase that occurred once always goes at its own mean. */
#include "signature/predict/measured.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdint.h>

/* At least STRETCHES_LEAST stretches are compared. If the trace has fewer of the wanted length,
 * shorter ones are taken. */
enum { STRETCHES_LEAST = 4, STRETCHES_LIMIT = 64 };

static double events_before(const Signature *signature, const Milestone *milestone)
{
    double sum = 0;
    for (uint32_t process = 0; process < signature->application.n_processes; process++)
        sum += (double)milestone->send_events[process];
    return sum;
}

/* Number of events before the last milestone that is at or before the occurrence. */
static double events_up_to(const Signature *signature, uint64_t occurrence)
{
    double events = 0;
    for (uint32_t i = 0; i < signature->n_milestones && signature->milestones[i].occurrence <= occurrence; i++)
        events = events_before(signature, &signature->milestones[i]);
    return events;
}

/* Mean number of the traced run's events in a measured stretch. */
static double measured_events(const Signature *signature, const Stretches *measured)
{
    double events = 0;
    for (uint32_t i = 0; i < measured->n; i++)
        events += events_up_to(signature, (uint64_t)measured->items[i].to) -
                  events_up_to(signature, (uint64_t)measured->items[i].from);
    return events / measured->n;
}

/* Fills in times per event of successive stretches of at least `length` events, from the end of the
 * warm-up on. Returns their number. */
static unsigned cut_stretches(const Signature *signature, uint64_t warmup, double length,
                              double time_per_event_s[STRETCHES_LIMIT])
{
    unsigned n = 0;
    double from = 0, from_s = 0;
    bool begun = false;
    for (uint32_t i = 0; i < signature->n_milestones && n < STRETCHES_LIMIT; i++) {
        const Milestone *milestone = &signature->milestones[i];
        double events = events_before(signature, milestone);
        if (milestone->occurrence < warmup || (begun && events - from < length))
            continue;
        if (begun && events > from)
            time_per_event_s[n++] = (milestone->time_s - from_s) / (events - from);
        begun = true;
        from = events;
        from_s = milestone->time_s;
    }
    return n;
}

/* Relative standard deviation of the time per event, for stretches of `length` events. */
static double relative_deviation(const Signature *signature, uint64_t warmup, double length)
{
    double total = events_before(signature, &signature->milestones[signature->n_milestones - 1]);
    double cut = fmin(fmax(length, total / STRETCHES_LIMIT), total / (STRETCHES_LEAST + 1));
    double values[STRETCHES_LIMIT];
    unsigned n = cut_stretches(signature, warmup, cut, values);
    if (n < 2 || !(length > 0))
        return 0;
    double mean = gsl_stats_mean(values, 1, n);
    return mean > 0 ? gsl_stats_sd_m(values, 1, n, mean) / mean * sqrt(cut / length) : 0;
}

double order_variation(const Signature *signature, const PhaseTimes *times)
{
    double share = times->n_phases ? 1 - fmin(1, times->agreement) : 1;
    if (share <= 0 || !times->n_windows || !signature->n_milestones)
        return 0;
    Arena *scratch = arena_new();
    const Stretches measured = stretches_measured(times, scratch);
    double deviation =
        relative_deviation(signature, times->windows[0].from_occurrence, measured_events(signature, &measured));
    arena_free(scratch);
    return share * deviation * sqrt((1 + 1.0 / measured.n_runs) / measured.n_states);
}
