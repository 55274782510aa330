/* SPDX-License-Identifier: BSD-3-Clause */
/* Phase times (times.json): what executing a signature on a machine measured. Every mode of execution writes it, and
 * prediction reads it. JSON form: docs/FORMATS.md. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "model/event.h"
#include "model/signature.h"

/* A stretch of the sequence in which every occurrence was measured. */
typedef struct Window {
    uint64_t from_occurrence, to_occurrence; /* [from, to) */
    double elapsed_s;                        /* mean over processes */
    double reference_s;                      /* the same stretch in the traced run */
    uint32_t state; /* windows of one number were measured in one go, or in repetitions of it: the saved state */
} Window;

/* Of executing saved states, all of them added up. */
typedef struct StateCosts {
    double restart_s; /* until the restored processes ran */
    double warmup_s;  /* from then to the windows */
    double window_s;  /* the windows */
} StateCosts;

typedef struct MeasuredStratum {
    uint64_t occurrences;         /* measured ones; 0: none came */
    const ProcessTime *processes; /* [n_processes] */
    double slowest_mean_s;
} MeasuredStratum;

typedef struct MeasuredPhase {
    uint32_t id;
    uint64_t occurrences;         /* measured ones */
    const ProcessTime *processes; /* [n_processes] */
    double slowest_mean_s;        /* PhaseET of the thesis: mean over occurrences of the slowest process */
    double sd_s;                  /* over occurrences, of the mean over processes */
    double reference_s;           /* mean duration of the same occurrences in the traced run; 0: not known */
    uint32_t n_strata;            /* as the signature's phase, or 0: not told apart */
    const MeasuredStratum *strata;
} MeasuredPhase;

typedef struct PhaseTimes {
    const char *mode;                /* "prefix", or "checkpoint": from several saved states, nothing in between */
    Application application;         /* as measured */
    const char *accepted_difference; /* from the signature's application, if the user accepted one; "" */
    const char *command;             /* the launcher's command line */
    const char *host;                /* where rank 0 ran */
    double signature_s;              /* from the start of the launcher to its end; of saved states: all costs */
    double agreement;            /* share of measured occurrences that are the signature's phase at that place, 0..1 */
    uint64_t warmup_occurrences; /* run but not counted, before the first window, or before each state's */
    double event_agreement;      /* share of the executed events that the signature has too, in whatever phase, 0..1 */
    /* What ran before the end of the last window, measured as it was (prefix mode). From saved states nothing is: 0
     * occurrences, and startup as traced, scaled. */
    uint64_t prefix_occurrences;
    const double *prefix_s;  /* [n_processes] from MPI_Init to the last window's end */
    const double *startup_s; /* [n_processes] */
    StateCosts costs;        /* 0 in prefix mode */
    uint32_t n_windows;
    const Window *windows;
    uint32_t n_phases; /* those that were measured */
    const MeasuredPhase *phases;
} PhaseTimes;

/* Measured time over traced time of the same occurrences, all windows together; 1: not known. */
double times_speed(const PhaseTimes *times);

#define TIMES_VERSION 1

DOCUMENT(times, PhaseTimes);
