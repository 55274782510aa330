/* SPDX-License-Identifier: BSD-3-Clause */
/* How long occurrences took. In a process an occurrence lasts from the entry of the process's first event in it to the
 * entry of its first event in a later one, so that the occurrences tile its time; the last one ends at the entry of its
 * last send-like event:
 *
 *      process 0   |--- A ---|--- B ---|--- A ---|
 *      process 1     |------- A -------|-- A --|          has no event in B
 *
 * Cuts go through this: at the start of an occurrence each process stands at its first event in it or,
 * if it has none, in a later one. Up to 4096 of them are kept: when there are more, every other one is dropped. Some of
 * them become milestones (milestones.h). */
#pragma once

#include "base/vec.h"
#include "signature/order/order.h"
#include "signature/phases/grid.h"
#include "signature/phases/phases.h"
#include "signature/phases/similarity.h"
#include "signature/phases/strata.h"

/* Of one event of an occurrence, what the occurrence's content doesn't say. */
typedef struct Touch {
    int64_t enter_ns;
    uint64_t number;
    int64_t compute_ns; /* before it, so in the occurrence before it if it's the process's first one */
} Touch;

typedef struct PhaseProcess {
    uint64_t count;
    int64_t total_ns;
} PhaseProcess;

/* Send-like events of each process before an occurrence, and before what follows it. */
typedef struct PhaseSample {
    uint64_t *startpoint, *endpoint; /* [n_processes] */
} PhaseSample;

typedef struct PhaseDurations {
    PhaseProcess *processes; /* [n_processes] */
    uint64_t weight, first_occurrence;
    double similarity_sum;    /* over occurrences, of the share of matching events */
    int64_t total_ns;         /* over processes */
    int64_t slowest_ns;       /* over occurrences, of the slowest process */
    VEC(PhaseSample) samples; /* of its occurrences, spread over the run; at least one */
    uint64_t sample_stride, next_sample;
    VEC(OccurrenceLevels) levels; /* of the first occurrences, as far as there's room; see strata.h */
    int64_t compute_ns;           /* over processes, of the occurrences that all have left */
} PhaseDurations;

typedef struct Cut {
    uint64_t occurrence;
    int64_t time_ns;           /* sum over processes of time since their first event */
    uint64_t *send_events;     /* [n_processes] */
    size_t n_phases;           /* known at the cut */
    uint64_t *phase_weight;    /* [n_phases] */
    int64_t *phase_time_ns;    /* [n_phases] sum over processes */
    int64_t *phase_compute_ns; /* [n_phases] the same, on a processor */
} Cut;

typedef struct Durations {
    uint32_t n_processes;
    struct ProcessClock *clocks;     /* [n_processes] */
    VEC(struct OpenOccurrence) open; /* slots; those that aren't in use are linked */
    uint32_t free_slot;
    VEC(PhaseDurations) phases; /* as in Library.phases */
    VEC(Cut) cuts;
    Grid grid;          /* of the cuts */
    uint64_t next_cut;  /* occurrence */
    const Loops *loops; /* of the same sequence, for whole periods between cuts; NULL: none */
    uint64_t n_occurrences, n_events;
    uint64_t n_levels; /* of all phases */
    bool keep_starts;
    VEC(OccurrenceStart) starts;
} Durations;

void durations_init(Durations *durations, uint32_t n_processes);
void durations_free(Durations *durations);

/* For each phase that the library adds. */
void durations_add_phase(Durations *durations);

/* The next occurrence of the sequence: what phase it is, and who takes part; touches[participant.first] belongs to the
 * first event of a participant, and all of them tell what was computed in between. */
void durations_add(Durations *durations, uint32_t phase, uint32_t id, double share_of_matches,
                   const Participants *participants, const Touch *touches, size_t n_touches);

/* After the last occurrence: ends each process's last one, and makes the last cut. */
void durations_finish(Durations *durations, const ProcessSpan *spans);
