/* SPDX-License-Identifier: BSD-3-Clause */
/* Private to signature/: from what was executed (executed.c) over the occurrences of its stretches to windows (windows.c,
 * state.c) and phase times (phase_times.c). */
#pragma once

#include "signature/execute/measure.h"
#include "signature/execute/spread.h"
#include "signature/phases/phases.h"

struct Cuts;

typedef struct ExecutedRun {
    const OccurrenceStart *starts; /* ordered by occurrence, then process */
    size_t n_starts;
    const uint64_t *n_dropped; /* [n_phases of the signature] occurrences before these that weren't kept; NULL: none */
    const ProcessSpan *spans;  /* [n_processes] */
    const Signature *executed; /* the run's own phases: known ones with the signature's ids, and new ones */
} ExecutedRun;

/* Of the run in the archive, the occurrences [from, to], and of each process its last one before. A state's history
 * can be much longer than what is measured of it. All in the arena. */
bool executed_read(const Signature *signature, const char *archive, uint64_t from, uint64_t to,
                   const Progress *progress, Arena *arena, ExecutedRun *run, Err *err);

/* Where occurrences [from, to) of the signature's sequence lie in a run, as far as it goes, by counting send-like events;
 * ordered by occurrence, then process. Where the run does something else than the occurrence begins with, `phase` is 0.
 * For phases of blocks: they can't be recognised by their blocks, whose computation times are another machine's; but all
 * occurrences of such a phase hold the same types in the same order. */
bool counted_starts(const Signature *signature, uint64_t from, uint64_t to, EventSource *source, Arena *arena,
                    const OccurrenceStart **starts, size_t *n_starts, Err *err);

/* Of a prefix: fills windows, phases, agreement, prefix_s, startup_s and the counts of *times. ERR_INPUT if there is
 * nothing to measure, or what ran communicates otherwise than the signature says. */
bool windows_evaluate(const Signature *signature, const PrefixPlan *plan, const ExecutedRun *run, Arena *arena,
                      PhaseTimes *times, Err *err);

/* Of a restored state: as state_evaluate, of a run that is already analysed. */
bool state_evaluate_run(const Signature *signature, const SpreadWindow *window, uint32_t state, const ExecutedRun *run,
                        Arena *arena, PhaseTimes *times, Err *err);

enum { WINDOWS_LIMIT = 12, WINDOWS_LEAST = 4 };

/* Cuts the stretch between two milestones into windows [WINDOWS_LIMIT], of whole periods as far as there are enough of
 * them; returns how many. The first *n_warmup of them are still warming up: they go clearly slower than the others. */
uint32_t windows_make(const struct Cuts *cuts, const SequencePeriod *period, uint32_t from, uint32_t to,
                      Window *windows, uint32_t *n_warmup);

/* Fills phases: what the occurrences in [from, to) took. */
void phase_times_fill(const Signature *signature, const ExecutedRun *run, uint64_t from, uint64_t to, Arena *arena,
                      PhaseTimes *times);
