/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the time of a traced run goes, and POP's tree of efficiencies. docs/METHOD.md, section 20,
 * defines each of them. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "model/event.h"

/* whole_s = compute_s + idle_s + transfer_s + other_s; none is negative. */
typedef struct ProcessBalance {
    double whole_s;    /* from MPI_Init to MPI_Finalize */
    double compute_s;  /* on a processor, outside of MPI */
    double idle_s;     /* waiting for a partner, by the replay */
    double transfer_s; /* the rest of its time in calls with events */
    double other_s;    /* calls without events (polls that found nothing), and other programs on
                          the processor */
    bool finished;     /* reached MPI_Finalize */
} ProcessBalance;

typedef struct Efficiencies {
    uint32_t n_processes;
    const ProcessBalance *processes;
    ProcessBalance all;    /* sums over the processes; finished: all are */
    double run_s, ideal_s; /* time of the slowest process: in the trace; on an ideal network,
                              without latency and limit of bandwidth */
    double granularity;    /* computation over transfer; INFINITY without transfer */
    double parallel;       /* = load_balance × communication = mean computation / run time */
    double load_balance;   /* mean computation / largest computation */
    double communication;  /* largest computation / run time = serialisation × transfer */
    double serialisation;  /* largest computation / ideal run time */
    double transfer;       /* ideal run time / run time */
    uint32_t n_unfinished;
    uint64_t n_unmatched;    /* receives whose send the trace lacks: the replay didn't wait */
    uint64_t n_incomplete;   /* times that a process left a collective that some member didn't
                                join, or joined only afterwards: a collective without data for it,
                                or a trace that is cut off */
    uint64_t n_neighborhood; /* calls of neighbourhood collectives: neighbours aren't known, so the
                                replay waits for no process */
} Efficiencies;

/* Replays the trace with messages and collectives that take no time, so that processes wait only
 * for their partners. Takes one pass. ERR_INPUT: no process computes anything, or the run takes no
 * time. Results in the arena. */
bool balance_read(EventSource *source, const Progress *progress, Arena *arena, Efficiencies *efficiencies, Err *err);

/* The same while the events are read for another purpose: an EventSource that hands on what it reads
 * from another. */
typedef struct BalanceWatch BalanceWatch;
BalanceWatch *balance_watch_new(EventSource *from);
EventSource *balance_watch_source(BalanceWatch *watch); /* lives as long as the watch */
/* Of a broken trace, some processes may wait for what isn't there, while very many events of theirs are read. Then the
 * watch gives up: balance_read() takes these in its own order. */
bool balance_watch_has_given_up(const BalanceWatch *watch);
/* The source has been read to its end, and the watch hasn't given up. Errors as of balance_read(). Results in the
 * arena. */
bool balance_watch_finish(const BalanceWatch *watch, Arena *arena, Efficiencies *efficiencies, Err *err);
void balance_watch_free(BalanceWatch *watch); /* NULL is fine */

/* One of several traces, each with another number of processes. */
typedef struct BalancePoint {
    const char *trace;
    Efficiencies efficiencies;
    double redundant_s;         /* computation of all processes beyond that of the trace with the
                                   fewest processes */
    double computation_scaling; /* total computation of the trace with the fewest processes /
                                   that of this one */
    double global;              /* = parallel × computation_scaling */
} BalancePoint;

/* Sorts the points by number of processes, and fills in all but `trace` and `efficiencies`. */
void balance_compare(BalancePoint *points, uint32_t n);
