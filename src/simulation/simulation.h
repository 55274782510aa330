/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicts a traced program's time on a machine that one doesn't have, by simulating it (SimGrid's SMPI),
 * and what the time is sensitive to. Public interface of the folder. docs/METHOD.md, section 22. */
#pragma once

#include "base/arena.h"
#include "base/progress.h"
#include "model/machine.h"
#include "model/signature.h"
#include "model/times.h"
#include "placement/graph/rules.h"
#include "placement/platform/platform.h"
#include "signature/order/order.h"
#include "signature/profile/waits.h"
#include "simulation/schedule.h"

typedef struct SimulationRequest {
    EventSource *source;                                             /* for finding phases; read once */
    bool (*reopen)(void *self, EventSource **completions, Err *err); /* the trace from its beginning */
    void *self;
    PhaseParameters parameters;
    OrderOptions order;
    const Platform *platform;
    const uint32_t *processors; /* [n_processes] */
    const PhaseTimes *times;    /* computation is scaled by these, phase by phase; NULL: it isn't */
    const Signature *runs;      /* of the same trace, with further runs of the traced machine; NULL: there are none */
    const char *trace_path, *runs_path; /* for messages; runs_path may be NULL */
    double compute_speed;               /* how many times as fast as the traced machine all processors compute */
    CollectiveLibrary library;          /* whose collectives */
    uint64_t eager_bytes;               /* from this size on, messages wait for their receivers; 0: find out */
    bool whole;                         /* simulate all occurrences */
    bool wants_schedule;
} SimulationRequest;

/* How it is known from which size on messages wait for their receivers. */
typedef enum EagerSource { EAGER_DEFAULT, EAGER_GIVEN, EAGER_MEASURED } EagerSource;

/* Factors of the machine: latency 2 means that each link's latency is twice as long; compute 2, that
 * computation takes twice as long. */
typedef struct MachineFactors {
    double latency, bandwidth, compute;
} MachineFactors;

#define MACHINE_UNCHANGED ((MachineFactors){1, 1, 1})

enum { TOLERANCES = 3 };
extern const double simulation_tolerances[TOLERANCES]; /* 0.01, 0.02, 0.05 */

/* By what share the time changes for each share that a parameter changes: 1 if it is proportional. */
typedef struct Sensitivity {
    double latency, bandwidth, compute; /* to longer latency, higher bandwidth, longer computation */
    /* How many times as long latencies may be until the program is slower by simulation_tolerances[i];
     * HUGE_VAL: even TOLERATED_MOST times as long ones slow it down less */
    double tolerated[TOLERANCES];
} Sensitivity;

#define TOLERATED_MOST 1e4

typedef struct Simulated {
    const Signature *signature;          /* of the trace */
    Signature target;                    /* the same, with simulated times */
    Waits waits;                         /* where the time goes, by phase and process; of `target` */
    const double *process_s;             /* [n_processes] */
    double application_s, low_s, high_s; /* 95 % interval */
    double traced_s;
    double compute_share;              /* of the mean process's time */
    double waiting_share;              /* for other processes; the rest of the time transfers */
    uint64_t n_sampled, n_occurrences; /* simulated occurrences, of all */
    uint64_t n_events;                 /* simulated in one run */
    uint32_t n_simulations;
    const char *why_whole; /* why all was simulated though not asked for; NULL: it wasn't */
    bool has_unreceived;   /* messages are sent that nobody receives */
    uint64_t eager_bytes;  /* from this size on, messages wait for their receivers */
    EagerSource eager_source;
    double latency_s; /* the longest of a route between two processes' processors */
    /* Half widths of the machine model's 95 % intervals, relative, of the least certain route */
    double latency_width, rate_width;
    const Chart *schedule; /* NULL: the request doesn't want it */
    bool has_sensitivity;
    Sensitivity sensitivity;
} Simulated;

/* A simulation that can be repeated with other factors. */
typedef struct Simulation Simulation;

/* ERR_ENVIRONMENT: firma was built without SimGrid. */
bool simulation_check_engine(Err *err);

/* ERR_INPUT: processes run on more processors than can be simulated. */
bool simulation_check_processors(const Platform *platform, const uint32_t *processors, uint32_t n, Err *err);

/* Finds the phases, chooses occurrences, and simulates them on the platform. ERR_INPUT: the trace can't be
 * simulated, or the program doesn't end on this machine. Results in the arena. */
bool simulation_run(const SimulationRequest *request, const Progress *progress, Arena *arena, Simulation **simulation,
                    Simulated *simulated, Err *err);
void simulation_free(Simulation *simulation); /* NULL is fine */

/* The time with other factors. */
bool simulation_time(Simulation *simulation, MachineFactors factors, double *application_s, Err *err);

/* Fills in sensitivity. */
bool simulation_find_sensitivity(Simulation *simulation, double application_s, const Progress *progress,
                                 Sensitivity *sensitivity, Err *err);

/* Adds to the interval what the machine model doesn't know of messages, by the sensitivity. */
void simulation_widen_interval(Simulated *simulated);
