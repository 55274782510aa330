/* SPDX-License-Identifier: BSD-3-Clause */
/* Private to signature/: where a signature's milestones stand in an executed run. Told in one of two ways:
 *
 *   by occurrences  a cut in each process at the entry of its first event in the milestone's occurrence or a later one.
 *   by events       for programs whose order of communication varies from run to run (master and workers, say): the
 * moment at which all processes together have done as many events. Phases are then not what they were in the trace, and
 * are not measured: the windows' pace remains. */
#pragma once

#include "base/vec.h"
#include "signature/execute/windows.h"

/* All processes together had done so many events at that moment. */
typedef struct EventTotal {
    int64_t time_ns;
    uint64_t count;
} EventTotal;

typedef struct Cuts {
    const Signature *signature;
    const ExecutedRun *run;
    uint32_t n;                   /* processes */
    struct ProcessStarts *starts; /* [n] */
    double *scratch;              /* [n] */
    uint64_t n_occurrences;       /* from the run's start on, also those whose starts weren't kept */
    bool by_events;
    EventTotal *totals; /* [run->n_starts] by time; only by events */
} Cuts;

void cuts_init(Cuts *cuts, const Signature *signature, const ExecutedRun *run);
void cuts_free(Cuts *cuts);

/* From here on milestones are found by events. */
void cuts_go_by_events(Cuts *cuts);

/* Seconds from MPI_Init to the milestone; a process that has nothing behind the cut takes the latest of the others;
 * where nobody has, the run ends there: its last event. */
void cuts_times(const Cuts *cuts, uint32_t milestone, double *seconds);
double cuts_mean_time_s(const Cuts *cuts, uint32_t milestone);

/* The last milestone, at most this one, that every process has passed. */
uint32_t cuts_reached(const Cuts *cuts, uint32_t milestone);

/* Whether what was executed is the signature's communication, and in its order: fills agreement, of the occurrences
 * between two milestones, and event_agreement of *times. Where the order varies from run to run, milestones are found by
 * events from here on. ERR_INPUT: the communication is another program's. */
bool agreement_judge(Cuts *cuts, uint32_t from_milestone, uint32_t to_milestone, PhaseTimes *times, Err *err);

/* Below this share of common phases the order varies from run to run: then phases are mixed up too much to be timed,
 * and who was slow in which of them is chance. */
#define AGREEMENT_NEEDED 0.9
