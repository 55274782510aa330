/* SPDX-License-Identifier: BSD-3-Clause */
/* Phase times (times.json): what executing a signature on a machine measured. Both modes of
 * execution write them, and prediction reads them. JSON form: docs/FORMATS.md. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "model/event.h"
#include "model/machine.h"
#include "model/signature.h"

/* A stretch of the sequence in which every occurrence was measured. */
typedef struct Window {
    uint64_t from_occurrence, to_occurrence; /* [from, to) */
    double elapsed_s;                        /* mean over processes */
    double reference_s;                      /* time of the same stretch in the traced run */
    /* Of both, the part that is computation, or waiting for it (LogicalEvent.path_ns). 0: not
     * known. */
    double path_s, reference_path_s;
    double compute_s; /* computation on a processor, outside of MPI, mean over processes; 0: not known */
    /* Number of the saved state, or of the prefix's run. Windows of one state follow each other, or are
     * repetitions; those of one run follow each other. */
    uint32_t state;
} Window;

/* Costs of executing saved states, summed over all states. */
typedef struct StateCosts {
    double restart_s;       /* until the restored processes ran */
    double warmup_s;        /* from then to the beginning of the windows */
    double traced_warmup_s; /* the same stretches in the traced run; 0: not known */
    double window_s;        /* in the windows */
} StateCosts;

typedef struct MeasuredStratum {
    uint64_t occurrences;         /* number of measured ones, may be 0 */
    const ProcessTime *processes; /* [n_processes] */
    double slowest_mean_s;
    double sd_s; /* as in MeasuredPhase; 0: not known */
} MeasuredStratum;

typedef struct MeasuredPhase {
    uint32_t id;
    uint64_t occurrences;         /* number of measured ones */
    const ProcessTime *processes; /* [n_processes] */
    double slowest_mean_s;        /* mean over occurrences of the slowest process's duration: the thesis's PhaseET */
    double sd_s;                  /* standard deviation over occurrences of the mean over processes */
    double reference_s;           /* mean duration of the same occurrences in the traced run; 0: not known */
    double compute_s;             /* computation of an occurrence on a processor, sum over processes; 0: none known */
    uint32_t n_strata;            /* as in the signature's phase, or 0: strata aren't told apart */
    const MeasuredStratum *strata;
} MeasuredPhase;

/* Fewer busy processors are left to chance: firma looks for a tenth of a second, in units of a tenth
 * of it, and runs itself. */
#define BUSY_PROCESSORS_NOTED 0.25

/* By how much other programs, which keep some of a host's processors busy, may slow down a job of so
 * many processes, if processors are shared alike among all that want to run. 1: not at all. */
double slowdown_by_others(double n_processes, double busy_processors, double n_processors);

typedef struct PhaseTimes {
    const char *mode;                /* "prefix", or "checkpoint": from saved states, without what lies between them */
    Application application;         /* the application that was measured */
    const char *accepted_difference; /* difference to the signature's application that the user accepted; "" if none */
    const char *command;             /* the launcher's command line */
    const char *host;                /* host of rank 0 */
    uint32_t n_places;               /* number of processes, or 0: not known */
    const ProcessPlace *places;      /* [n_places] where each process ran */
    /* Of firma's host: processors, and how many of them other programs kept busy before or during
     * the measurement. 0: not known. */
    uint32_t n_processors;
    double busy_processors;
    uint64_t throttles;         /* how often a processor was too hot meanwhile, and slowed down */
    double ranks_per_processor; /* where most ranks share a processor; 0: not known */
    double recording_cost_s;    /* of one call; 0: not known, or nothing */
    double signature_s;         /* from the launcher's start to its end, of all runs; with saved states, the sum of
                                   all costs */
    double agreement; /* share of the measured occurrences whose phase is the signature's at that place, 0..1 */
    uint64_t warmup_occurrences; /* executed before the first window, or before each state's windows, but not counted */
    double event_agreement;      /* share of the executed events that are also the signature's, in any phase, 0..1 */
    double partner_agreement;    /* the same, whatever their volumes; 0 in older files */
    /* Prefix mode: the whole executed stretch, from the start to the end of the last window; of several
     * runs, means. With saved states, no such stretch exists: 0 occurrences, and the traced startup × pace. */
    uint64_t prefix_occurrences;
    const double *prefix_s;  /* [n_processes]: from MPI_Init to the last window's end */
    const double *startup_s; /* [n_processes] */
    StateCosts costs;        /* 0 in prefix mode */
    /* Windows that should have a saved state, and states that were measured. 0 in prefix mode, and
     * in older files. */
    uint32_t planned_states, measured_states;
    uint32_t n_noises;          /* 1 if the user gave the noise of the target's processors, or 0 */
    const MachineNoise *noises; /* [n_noises], from a machine model */
    uint32_t n_windows;
    const Window *windows;
    uint32_t n_phases; /* phases that were measured */
    const MeasuredPhase *phases;
} PhaseTimes;

/* The pace: measured time over traced time of the same occurrences, all windows together. 1 if it
 * isn't known. */
double times_pace(const PhaseTimes *times);

/* ERR_INPUT: the times are of another application, whose difference the user didn't accept. */
bool times_check_application(const PhaseTimes *times, const Application *application, Arena *arena, Err *err);

/* Whether planned windows weren't measured: their states couldn't be saved or restored. */
bool times_are_incomplete(const PhaseTimes *times);

/* Whether the measured program's messages have the signature's partners, but other volumes. */
bool times_have_other_volumes(const PhaseTimes *times);

#define TIMES_VERSION 1

DOCUMENT(times, PhaseTimes);
