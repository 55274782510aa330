/* SPDX-License-Identifier: BSD-3-Clause */
/* From events to the logical trace: gives every event a logical time, and hands on the ticks in
 * order. Takes one pass over the source. Memory is bounded by what is in flight. Public interface
 * of the folder. docs/METHOD.md, section 2. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "model/event.h"
#include "model/logical.h"

/* A process as the order stage saw it. Times in ns of the trace's clock. */
typedef struct ProcessSpan {
    int64_t begin_ns; /* return of MPI_Init, or the first event's entry if the trace has none */
    int64_t first_ns; /* entry of the first send-like event */
    int64_t last_ns;  /* entry of the last send-like event */
    int64_t end_ns;   /* entry of MPI_Finalize; if the trace is cut off, the last event's return */
    uint64_t n_send_events, n_recvs;
    int64_t compute_ns; /* sum of the events' compute_ns */
    Path path;          /* up to the last send-like event */
    bool finished;      /* reached MPI_Finalize */
} ProcessSpan;

/* What kept an event from being ordered as the method asks. */
typedef enum OrderProblemKind {
    PROBLEM_UNMATCHED_RECV,     /* the trace has no send for this receive: left out */
    PROBLEM_PARTIAL_COLLECTIVE, /* some members never arrived: ordered with those that did */
    PROBLEM_CYCLE               /* processes wait in a circle: ordered by force. Causes: nonblocking
                                   collectives; threads whose order differs between processes */
} OrderProblemKind;

typedef struct OrderProblem {
    OrderProblemKind kind;
    uint32_t process;
    Event event;
} OrderProblem;

typedef struct OrderReport {
    ProcessSpan *processes; /* [n_processes], arena */
    uint64_t n_ticks;       /* ticks handed on; without receives, only those of send-like events */
    uint64_t n_events;      /* send-like events and receives */
    uint64_t n_unmatched_sends;
    uint64_t n_skipped_posts; /* receives that stayed open so long that later ones were matched
                                 without them */
    uint64_t n_problems;      /* number of all problems; the earliest ones are kept in: */
    OrderProblem problems[16];
} OrderReport;

/* The orders are "pas2p" (thesis §3.3.4: a receive has its send's time plus one, whatever its
 * process sends meanwhile) and "lamport" (thesis §3.3.2: each event of a process comes after the
 * one before it). */
bool order_exists(const char *name);
const char *order_name(size_t index); /* NULL after the last */

typedef struct OrderOptions {
    /* Limit of memory for events read ahead, messages in flight, and ticks that are being put
     * together. 0: no limit. Ticks that wait for receives go to a temporary file (base/spill.h) if
     * they don't fit. If the rest doesn't fit, order_trace() fails with ERR_ENVIRONMENT. */
    size_t memory_bytes;
    /* The number of ticks that are put together at a time (a window). 0: as fits the caches. The
     * length changes the result only after an OrderProblem. */
    uint32_t window_ticks;
} OrderOptions;

/* Hands the ticks of the source's trace to the sink. options: NULL for none. ERR_USAGE: no order
 * has this name. ERR_INPUT: the trace is broken. Result in the arena. */
bool order_trace(const char *order, EventSource *source, TickSink *sink, const OrderOptions *options,
                 const Progress *progress, Arena *arena, OrderReport *report, Err *err);
