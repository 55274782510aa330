/* SPDX-License-Identifier: BSD-3-Clause */
/* From an executed run (executed.c) to windows (windows.c, state.c) and phase times
 * (phase_times.c). Private to signature/. */
#pragma once

#include "signature/execute/measure.h"
#include "signature/execute/spread.h"
#include "signature/phases/phases.h"

struct Cuts;

typedef struct ExecutedRun {
    const OccurrenceStart *starts; /* ordered by occurrence, then process */
    size_t n_starts;
    const uint64_t *n_dropped; /* [n_phases of the signature] earlier occurrences that weren't
                                  kept; NULL: none */
    const ProcessSpan *spans;  /* [n_processes] */
    const Signature *executed; /* the run's own phases: known ones with the signature's ids, and
                                  new ones */
} ExecutedRun;

/* Reads the run in the archive. Keeps the starts of the occurrences [from, to], and of each
 * process its last start before. (A state's history can be much longer than its window.) All in
 * the arena. */
bool executed_read(const Signature *signature, const char *archive, uint64_t from, uint64_t to,
                   const Progress *progress, Arena *arena, ExecutedRun *run, Err *err);

/* Finds occurrences [from, to) of the signature's sequence in a run, as far as the run goes, by
 * counting send-like events. Starts are ordered by occurrence, then process. `phase` is 0 where the
 * run doesn't do what the occurrence begins with.
 *
 * This is for phases of blocks. They can't be recognised in another run, because blocks contain the
 * computation times of the traced machine. But all occurrences of such a phase hold the same types
 * in the same order. */
bool counted_starts(const Signature *signature, uint64_t from, uint64_t to, EventSource *source, Arena *arena,
                    const OccurrenceStart **starts, size_t *n_starts, Err *err);

/* Evaluates a prefix that was executed for the time `number`, from 0 on. Fills in windows, phases,
 * agreement, prefix_s, startup_s and the counts of *times. ERR_INPUT: there is nothing to measure, or
 * the communication isn't the signature's. */
bool windows_evaluate(const Signature *signature, const PrefixPlan *plan, uint32_t number, const ExecutedRun *run,
                      Arena *arena, PhaseTimes *times, Err *err);

/* Like state_evaluate(), for a run that is read already. */
bool state_evaluate_run(const Signature *signature, const SpreadWindow *window, uint32_t state, const ExecutedRun *run,
                        Arena *arena, PhaseTimes *times, Err *err);

enum { WINDOWS_LIMIT = 12, WINDOWS_LEAST = 4 };

/* Cuts the stretch between two milestones into windows [WINDOWS_LIMIT]. They are whole periods if
 * there are enough of them. Returns the number of windows. The first *n_warmup windows still belong
 * to the warm-up: they are clearly slower than the others. */
uint32_t windows_make(const struct Cuts *cuts, const SequencePeriod *period, uint32_t from, uint32_t to,
                      Window *windows, uint32_t *n_warmup);

/* Takes over where the executed run's ranks ran, and what recording cost. */
void times_take_run(PhaseTimes *times, const ExecutedRun *run);

/* Fills in phases of *times: the durations of the occurrences in [from, to). */
void phase_times_fill(const Signature *signature, const ExecutedRun *run, uint64_t from, uint64_t to, Arena *arena,
                      PhaseTimes *times);
