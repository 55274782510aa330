/* SPDX-License-Identifier: BSD-3-Clause */
/* How long occurrences took. In a process, an occurrence lasts from the entry of the process's
 * first event in it to the entry of its first event in a later occurrence. So the occurrences
 * tile the process's time. The last one ends at the entry of the process's last send-like event:
 *
 *     process 0   |--- A ---|--- B ---|--- A ---|
 *     process 1     |------- A -------|-- A --|          has no event in B
 *
 * A *cut* is the state of all processes at the start of an occurrence. Each process stands at
 * its first event in this occurrence or, if it has none there, in a later one. Up to 4096 cuts
 * are kept; if there are more, every other one is dropped. Some cuts become milestones
 * (milestones.h). */
#pragma once

#include "base/vec.h"
#include "signature/order/order.h"
#include "signature/phases/grid.h"
#include "signature/phases/phases.h"
#include "signature/phases/similarity.h"
#include "signature/phases/strata.h"

/* What an occurrence's content doesn't say of one of its events. */
typedef struct Touch {
    int64_t enter_ns;
    uint64_t number;
    Path path;
    int64_t computed_ns; /* as in OccurrenceStart; 0 if no starts are kept */
} Touch;

typedef struct PhaseProcess {
    uint64_t count;
    int64_t total_ns;
} PhaseProcess;

/* Numbers of send-like events of each process: before an occurrence, and before what follows it. */
typedef struct PhaseSample {
    uint64_t *startpoint, *endpoint; /* [n_processes] */
} PhaseSample;

typedef struct PhaseDurations {
    PhaseProcess *processes; /* [n_processes] */
    uint64_t weight, first_occurrence;
    double similarity_sum;     /* sum over occurrences of the share of matching events */
    int64_t total_ns, path_ns; /* sums over processes: time, and Path.outside_ns */
    int64_t slowest_ns;        /* sum over occurrences of the slowest process's duration */
    VEC(PhaseSample) samples;  /* some occurrences, spread over the run; at least one */
    uint64_t sample_stride, next_sample;
    /* Of the first occurrences, as far as LEVELS_LIMIT allows; see strata.h. */
    VEC(OccurrenceLevels) levels;
} PhaseDurations;

typedef struct Cut {
    uint64_t occurrence;
    int64_t time_ns;        /* sum over processes of the time since their first event */
    uint64_t *send_events;  /* [n_processes] */
    size_t n_phases;        /* phases known at the cut */
    uint64_t *phase_weight; /* [n_phases] */
    int64_t *phase_time_ns; /* [n_phases] sum over processes */
    int64_t *phase_path_ns; /* [n_phases] the same for the path (Path.outside_ns) */
} Cut;

typedef struct Durations {
    uint32_t n_processes;
    struct ProcessClock *clocks; /* [n_processes] */
    /* Slots for occurrences that some process is still in; free slots are linked. */
    VEC(struct OpenOccurrence) open;
    uint32_t free_slot;
    VEC(PhaseDurations) phases; /* as in Library.phases */
    VEC(Cut) cuts;
    Grid grid;          /* where cuts lie */
    uint64_t next_cut;  /* occurrence of the next cut */
    const Loops *loops; /* the same sequence, so that cuts can lie whole periods apart; NULL: not
                           known */
    uint64_t n_occurrences, n_events;
    uint64_t n_levels;      /* number of levels of all phases */
    uint64_t samples_limit; /* of a phase; if it has more, every other one is dropped */
    uint64_t n_samples;     /* of all phases */
    bool keep_starts;
    VEC(OccurrenceStart) starts;
} Durations;

/* samples_limit: most samples of a phase; 0: the usual number. */
void durations_init(Durations *durations, uint32_t n_processes, uint64_t samples_limit);
void durations_free(Durations *durations);

/* To be called for each phase that the library adds. */
void durations_add_phase(Durations *durations);

/* Adds the next occurrence of the sequence: its phase, and the processes that take part.
 * touches[participant.first] is a participant's first event. */
void durations_add(Durations *durations, uint32_t phase, uint32_t id, double share_of_matches,
                   const Participants *participants, const Touch *touches);

/* To be called after the last occurrence. Ends each process's last occurrence, and makes the last
 * cut. */
void durations_finish(Durations *durations, const ProcessSpan *spans);
