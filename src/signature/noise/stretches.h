/* SPDX-License-Identifier: BSD-3-Clause */
/* Stretches of a signature's sequence, and what the traced run did in them. */
#pragma once

#include "model/signature.h"

typedef struct Stretch {
    double from, to; /* [from, to), in occurrences */
} Stretch;

typedef struct Stretches {
    uint32_t n; /* a stretch that was measured several times counts as several, like its
                   durations */
    const Stretch *items;
    uint32_t n_states; /* number of states that they come from: N in METHOD.md; 1 for a prefix */
    uint32_t n_runs;   /* how often a prefix was run, so that each stretch is there so often; 1 for states */
} Stretches;

/* A single stretch, which stays the caller's. */
Stretches stretches_single(const Stretch *stretch);

/* How much of a phase lies before an occurrence of the sequence, such as signature_phase_time_s(). */
typedef double Progression(const Signature *signature, uint32_t phase, double occurrence);

/* How much of a phase the stretches hold: occurrences, effort, or time. */
double stretches_amount(const Signature *signature, uint32_t phase, Progression *before, const Stretches *stretches);

/* Time of the stretches in a run of the signature (signature_run_time_s()). */
double stretches_time_s(const Signature *signature, uint32_t run, const Stretches *stretches);

/* Traced time of a stretch over the time of its occurrences at the phases' mean durations. 1: the
 * stretch is like the whole run. */
double stretch_pace(const Signature *signature, Stretch stretch);
