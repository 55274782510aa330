/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows and phase times of one restored state.
 *
 *    occurrence  0 …… as recorded before ……| stop ·· warm-up ·· a ──parts of the window── b …(ended)
 *                                          saved, restored
 *
 * Events before the state pair messages and number the occurrences; their times are not used. The
 * first parts of the window that are clearly slower than the others belong to the warm-up. */
#include "signature/execute/cuts.h"
#include "signature/execute/windows.h"

static bool not_reached(const Cuts *cuts, const SpreadWindow *window, Err *err)
{
    return err_set(
        err, ERR_INPUT,
        "the restored state ended before its window: it had %lu occurrences of phases, and the window begins at %lu",
        (unsigned long)cuts->n_occurrences, (unsigned long)cuts->signature->milestones[window->begin].occurrence);
}

static bool evaluate(Cuts *cuts, const SpreadWindow *window, uint32_t state, Arena *arena, PhaseTimes *times, Err *err)
{
    const Signature *signature = cuts->signature;
    uint32_t end = cuts->run->n_starts ? cuts_reached(cuts, window->end) : 0, skipped;
    if (end <= window->begin)
        return not_reached(cuts, window, err);
    if (!agreement_judge(cuts, window->begin, end, times, err))
        return false;
    end = cuts_reached(cuts, window->end);
    if (end <= window->begin)
        return not_reached(cuts, window, err);
    Window *windows = arena_new_array(arena, Window, WINDOWS_LIMIT);
    SequencePeriod period = signature_period_at(signature, signature->milestones[window->begin].occurrence);
    uint32_t count = windows_make(cuts, &period, window->begin, end, windows, &skipped);
    for (uint32_t i = 0; i < count; i++)
        windows[i].state = state;
    times->windows = windows + skipped;
    times->n_windows = count - skipped;
    times_take_run(times, cuts->run);
    times->warmup_occurrences = windows[skipped].from_occurrence - signature->milestones[window->stop].occurrence;
    for (uint32_t i = skipped; i < count; i++)
        times->costs.window_s += windows[i].elapsed_s;
    if (!cuts->by_events)
        phase_times_fill(signature, cuts->run, windows[skipped].from_occurrence, windows[count - 1].to_occurrence,
                         arena, times);
    return true;
}

bool state_evaluate_run(const Signature *signature, const SpreadWindow *window, uint32_t state, const ExecutedRun *run,
                        Arena *arena, PhaseTimes *times, Err *err)
{
    Cuts cuts;
    cuts_init(&cuts, signature, run);
    bool ok = evaluate(&cuts, window, state, arena, times, err);
    cuts_free(&cuts);
    return ok;
}
