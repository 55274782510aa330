/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a signature's milestones lie in an executed run. Private to signature/. There are two ways
 * to find them:
 *
 *    by occurrences  The cut in each process is the entry of its first event in the milestone's
 *                    occurrence or a later one.
 *    by events       For programs whose order varies from run to run (for example master and
 *                    workers). The cut is the moment at which all processes together have done as
 *                    many events as before the milestone. Phases are then not those of the trace.
 *                    They are not measured; only the pace of the windows is. */
#pragma once

#include "base/vec.h"
#include "signature/execute/windows.h"

/* At this time, all processes together had done this many events. */
typedef struct EventTotal {
    int64_t time_ns;
    uint64_t count;
} EventTotal;

typedef struct Cuts {
    const Signature *signature;
    const ExecutedRun *run;
    uint32_t n;                   /* number of processes */
    struct ProcessStarts *starts; /* [n] */
    double *scratch;              /* [n] */
    uint64_t n_occurrences;       /* since the run's start, also those whose starts weren't kept */
    bool by_events;
    EventTotal *totals; /* [run->n_starts] in order of time; only if by_events */
} Cuts;

void cuts_init(Cuts *cuts, const Signature *signature, const ExecutedRun *run);
void cuts_free(Cuts *cuts);

/* From here on, milestones are found by events. */
void cuts_go_by_events(Cuts *cuts);

/* Fills in seconds[n], the time of each process from MPI_Init to the milestone. A process without
 * events after the cut gets the latest time of the others. If no process has events after it, each
 * gets the time of its last event. */
void cuts_times(const Cuts *cuts, uint32_t milestone, double *seconds);
double cuts_mean_time_s(const Cuts *cuts, uint32_t milestone);

/* The path (LogicalEvent.path_ns) up to the milestone, mean over processes. 0: not known. */
double cuts_mean_path_s(const Cuts *cuts, uint32_t milestone);

/* What a process has computed on a processor up to the milestone, mean over processes. By events, up to
 * its last start before. 0: not known. */
double cuts_mean_computed_s(const Cuts *cuts, uint32_t milestone);

/* The last milestone, but none later than this one, that every process has passed. */
uint32_t cuts_reached(const Cuts *cuts, uint32_t milestone);

/* Judges whether the executed communication is the signature's. Fills in *times: agreement (of the
 * occurrences between two milestones) and event_agreement. If the order varies from run to run,
 * milestones are found by events from here on. ERR_INPUT: the communication belongs to another
 * program. */
bool agreement_judge(Cuts *cuts, uint32_t from_milestone, uint32_t to_milestone, PhaseTimes *times, Err *err);

/* With a lower agreement than this, the order varies from run to run. Then phases are too mixed up
 * to be timed, and it is chance which process was slow in which phase. */
#define AGREEMENT_NEEDED 0.9
