/* SPDX-License-Identifier: BSD-3-Clause */
/* From events to the logical trace: gives every event a logical time, and hands on the ticks, in order, in one pass
 * over the source and in memory bounded by what is in flight. Public interface of the folder. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "model/event.h"
#include "model/logical.h"

/* What ordering saw of each process and of the whole. Times in ns of the trace's clock. */
typedef struct ProcessSpan {
    int64_t begin_ns; /* return of MPI_Init, or the first event's entry if the trace has none */
    int64_t first_ns; /* entry of the first send-like event */
    int64_t last_ns;  /* entry of the last send-like event */
    int64_t end_ns;   /* entry of MPI_Finalize, or the return of the last event if the trace was cut off */
    uint64_t n_send_events, n_recvs;
    int64_t compute_ns; /* sum of the events' compute_ns */
    bool finished;      /* reached MPI_Finalize */
} ProcessSpan;

/* Something that could not be ordered as the method asks. */
typedef enum OrderProblemKind {
    PROBLEM_UNMATCHED_RECV,     /* no send for it in the trace: left out */
    PROBLEM_PARTIAL_COLLECTIVE, /* some members never came: ordered with those who did */
    PROBLEM_CYCLE               /* waits in a circle (only nonblocking collectives can): ordered by force */
} OrderProblemKind;

typedef struct OrderProblem {
    OrderProblemKind kind;
    uint32_t process;
    Event event;
} OrderProblem;

typedef struct OrderReport {
    ProcessSpan *processes; /* [n_processes], arena */
    uint64_t n_ticks;       /* ticks handed on: without receives only those of send-like events */
    uint64_t n_events;      /* send-like events and receives */
    uint64_t n_unmatched_sends;
    uint64_t n_skipped_posts; /* receives that stayed open so long that later ones were matched without them */
    uint64_t n_problems;      /* all; the first few are kept: */
    OrderProblem problems[16];
} OrderReport;

/* "pas2p" (§3.3.4 of the thesis: a receive follows its send by one and is concurrent with its process's own sends) or
 * "lamport" (§3.3.2: all events of a process follow each other). */
bool order_exists(const char *name);

typedef struct OrderOptions {
    /* What ordering may hold at a time: events read ahead, messages under way, ticks that are being put together. 0: no
     * limit. Ticks that wait for receives go to a temporary file (base/spill.h) when they don't fit, the rest must. */
    size_t memory_bytes;
    /* Ticks that are put together at a time; 0: as suits the caches. Only where something could not be ordered as the
     * method asks do the times of what follows depend on it. */
    uint32_t window_ticks;
} OrderOptions;

/* options: NULL for none. ERR_USAGE: there is no such order. */
bool order_trace(const char *order, EventSource *source, TickSink *sink, const OrderOptions *options,
                 const Progress *progress, Arena *arena, OrderReport *report, Err *err);
