/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows and phase times of an executed prefix.
 *
 *    occurrence  0 …… warm-up …… a ───window───┬───window───┬─ … ─┬───window─── b …(stopped)
 *
 * Windows lie between milestones of the signature, so the time of the same stretch in the traced
 * run is known. */
#include "signature/execute/windows.h"

#include "signature/execute/cuts.h"
#include <assert.h>
#include <gsl/gsl_statistics_double.h>

/* A first window belongs to the warm-up if it is slower than the mean of the later ones by more
 * than this share and this many standard deviations. */
static const double WARMUP_DEVIATIONS = 3, WARMUP_EXCESS = 0.02;

static void fill_paths(const Cuts *cuts, uint32_t begin, uint32_t end, Window *window)
{
    double path_s = cuts_mean_path_s(cuts, end) - cuts_mean_path_s(cuts, begin);
    if (!(path_s > 0))
        return; /* not known */
    window->path_s = path_s;
    window->reference_path_s = signature_path_s(cuts->signature, (double)window->to_occurrence) -
                               signature_path_s(cuts->signature, (double)window->from_occurrence);
}

/* Cuts [from, to] (milestones) into windows of about the same traced time. Each consists of whole
 * periods, unless period is NULL. */
static uint32_t cut_windows(const Cuts *cuts, const SequencePeriod *period, uint32_t from, uint32_t to,
                            Window windows[WINDOWS_LIMIT])
{
    const Milestone *milestones = cuts->signature->milestones;
    double step_s = (milestones[to].time_s - milestones[from].time_s) / WINDOWS_LIMIT;
    uint32_t count = 0, begin = from;
    for (uint32_t end = from + 1; end <= to && count < WINDOWS_LIMIT; end++) {
        bool full = milestones[end].time_s - milestones[from].time_s >= step_s * (count + 1) * (1 - 1e-9);
        bool whole = !period || signature_is_whole_periods(cuts->signature, period, begin, end);
        if (end < to && !(full && whole))
            continue;
        double elapsed_s = cuts_mean_time_s(cuts, end) - cuts_mean_time_s(cuts, begin);
        if (elapsed_s < 0 && count > 0)
            continue; /* processes that have no start at the end of the run aren't there yet */
        windows[count++] = (Window){.from_occurrence = milestones[begin].occurrence,
                                    .to_occurrence = milestones[end].occurrence,
                                    .elapsed_s = elapsed_s < 0 ? 0 : elapsed_s,
                                    .reference_s = milestones[end].time_s - milestones[begin].time_s};
        fill_paths(cuts, begin, end, &windows[count - 1]);
        windows[count - 1].compute_s = cuts_mean_computed_s(cuts, end) - cuts_mean_computed_s(cuts, begin);
        begin = end;
    }
    return count;
}

static double pace(const Window *window)
{
    return window->reference_s > 0 ? window->elapsed_s / window->reference_s : 1;
}

/* How many of the first windows still belong to the warm-up on this machine. */
static uint32_t count_warmup(const Window *windows, uint32_t count)
{
    double paces[WINDOWS_LIMIT];
    for (uint32_t i = 0; i < count; i++)
        paces[i] = pace(&windows[i]);
    uint32_t skipped = 0;
    while (count - skipped > WINDOWS_LEAST && skipped < count / 2) {
        const double *rest = paces + skipped + 1;
        size_t n = count - skipped - 1;
        double mean = gsl_stats_mean(rest, 1, n), deviation = gsl_stats_sd_m(rest, 1, n, mean);
        if (paces[skipped] <= mean * (1 + WARMUP_EXCESS) || paces[skipped] <= mean + WARMUP_DEVIATIONS * deviation)
            break;
        skipped++;
    }
    return skipped;
}

uint32_t windows_make(const Cuts *cuts, const SequencePeriod *period, uint32_t from, uint32_t to, Window *windows,
                      uint32_t *n_warmup)
{
    uint32_t count = cut_windows(cuts, period, from, to, windows);
    if (count < WINDOWS_LEAST) /* the spread of more windows helps the interval more than whole
                                  periods do */
        count = cut_windows(cuts, NULL, from, to, windows);
    *n_warmup = count_warmup(windows, count);
    assert(*n_warmup < count && count <= WINDOWS_LIMIT);
    return count;
}

static bool too_little(const Cuts *cuts, const PrefixPlan *plan, Err *err)
{
    return err_set(
        err, ERR_INPUT,
        "the program communicated too little to be measured: it had %lu occurrences of phases, and the plan needs %lu",
        (unsigned long)cuts->n_occurrences, (unsigned long)cuts->signature->milestones[plan->stop].occurrence);
}

void times_take_run(PhaseTimes *times, const ExecutedRun *run)
{
    times->places = run->executed->places;
    times->n_places = run->executed->n_places;
    times->ranks_per_processor = run->executed->ranks_per_processor;
    times->recording_cost_s = run->executed->recording_cost_s;
}

static bool evaluate(Cuts *cuts, const PrefixPlan *plan, uint32_t number, Arena *arena, PhaseTimes *times, Err *err)
{
    if (cuts->run->n_starts == 0)
        return too_little(cuts, plan, err);
    if (!agreement_judge(cuts, 0, cuts_reached(cuts, plan->stop), times, err))
        return false;
    uint32_t stop = cuts_reached(cuts, plan->stop);
    if (stop == 0)
        return too_little(cuts, plan, err);
    uint32_t warmup = plan->warmup < stop ? plan->warmup : 0, skipped;
    double *prefix_s = arena_new_array(arena, double, cuts->n), *startup_s = arena_new_array(arena, double, cuts->n);
    Window *windows = arena_new_array(arena, Window, WINDOWS_LIMIT);
    SequencePeriod period = signature_period(cuts->signature);
    uint32_t count = windows_make(cuts, &period, warmup, stop, windows, &skipped);
    for (uint32_t i = 0; i < count; i++)
        windows[i].state = number;
    times->windows = windows + skipped;
    times->n_windows = count - skipped;
    times->warmup_occurrences = windows[skipped].from_occurrence;
    times->prefix_occurrences = windows[count - 1].to_occurrence;
    cuts_times(cuts, stop, prefix_s);
    cuts_times(cuts, 0, startup_s);
    times->prefix_s = prefix_s;
    times->startup_s = startup_s;
    times_take_run(times, cuts->run);
    if (!cuts->by_events)
        phase_times_fill(cuts->signature, cuts->run, times->warmup_occurrences, times->prefix_occurrences, arena,
                         times);
    return true;
}

bool windows_evaluate(const Signature *signature, const PrefixPlan *plan, uint32_t number, const ExecutedRun *run,
                      Arena *arena, PhaseTimes *times, Err *err)
{
    Cuts cuts;
    cuts_init(&cuts, signature, run);
    bool ok = evaluate(&cuts, plan, number, arena, times, err);
    cuts_free(&cuts);
    return ok;
}
