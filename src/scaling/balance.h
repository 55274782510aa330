/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the time of a traced run goes, and POP's tree of efficiencies (spec 5; docs/METHOD.md says what each is). */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "model/event.h"

/* whole = compute + idle + transfer + other; none is negative. */
typedef struct ProcessBalance {
    double whole_s;    /* from MPI_Init to MPI_Finalize */
    double compute_s;  /* on a processor outside of MPI */
    double idle_s;     /* waiting for a partner, by the replay */
    double transfer_s; /* the rest of its time in calls that communicate */
    double other_s;    /* calls without events (polls, waiting for sends), others on the processor */
    bool finished;     /* reached MPI_Finalize */
} ProcessBalance;

typedef struct Efficiencies {
    uint32_t n_processes;
    const ProcessBalance *processes;
    ProcessBalance all;    /* their sums; finished: all are */
    double run_s, ideal_s; /* of the slowest process; with an ideal network: no latency, no limit of bandwidth */
    double granularity;    /* computation over transfer; INFINITY without any */
    double parallel;       /* = load_balance × communication = mean computation / run time */
    double load_balance;   /* mean computation / largest */
    double communication;  /* largest computation / run time = serialisation × transfer */
    double serialisation;  /* largest computation / ideal run time */
    double transfer;       /* ideal run time / run time */
    uint32_t n_unfinished;
    uint64_t n_unmatched;    /* receives without a send in the trace: nobody was waited for */
    uint64_t n_incomplete;   /* times that a process left a collective that some member never came to, or came to only
                                afterwards: a nonblocking one, or a trace that was cut off */
    uint64_t n_neighborhood; /* collectives of neighbours, who aren't known: nobody was waited for */
} Efficiencies;

/* Replays the trace with messages and collectives that take no time: who waits, waits for a partner only. One pass.
 * ERR_INPUT: no process computes anything, or the run takes no time. */
bool balance_read(EventSource *source, const Progress *progress, Arena *arena, Efficiencies *efficiencies, Err *err);

/* One trace of several, on other numbers of processes. */
typedef struct BalancePoint {
    const char *trace;
    Efficiencies efficiencies;
    double redundant_s;         /* computation, of all processes together, beyond that of the trace with the fewest */
    double computation_scaling; /* total computation of the trace with the fewest processes / of this one */
    double global;              /* = parallel × computation_scaling */
} BalancePoint;

/* Sorts by processes, and fills in what compares them. */
void balance_compare(BalancePoint *points, uint32_t n);
