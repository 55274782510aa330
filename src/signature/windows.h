/* SPDX-License-Identifier: BSD-3-Clause */
/* Private to signature/: from the occurrences of an executed prefix to windows (windows.c) and phase times
 * (phase_times.c). */
#ifndef FIRMA_SIGNATURE_WINDOWS_H
#define FIRMA_SIGNATURE_WINDOWS_H

#include "phases/phases.h"
#include "signature/measure.h"

typedef struct PrefixRun {
    const OccurrenceStart *starts; /* ordered by occurrence, then process */
    size_t n_starts;
    const ProcessSpan *spans;  /* [n_processes] */
    const Signature *executed; /* the prefix's own phases: known ones with the signature's ids, and new ones */
} PrefixRun;

/* Fills windows, phases, agreement, prefix_s, startup_s and the counts of *times. ERR_INPUT if there is nothing to
 * measure, or what ran communicates otherwise than the signature says. */
bool windows_evaluate(const Signature *signature, const PrefixPlan *plan, const PrefixRun *run, Arena *arena,
                      PhaseTimes *times, Err *err);

/* Fills phases: what the occurrences in [from, to) took. */
void phase_times_fill(const Signature *signature, const PrefixRun *run, uint64_t from, uint64_t to, Arena *arena,
                      PhaseTimes *times);

#endif
