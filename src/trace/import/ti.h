/* SPDX-License-Identifier: BSD-3-Clause */
/* SMPI's time-independent traces: what each process did, in order, and how much it computed in
 * between. ti.c reads the actions, and ti_replay.c gives them times. Private to trace/import. */
#pragma once

#include "base/vec.h"
#include "trace/import/maker.h"

typedef enum TiKind {
    TI_INIT,
    TI_FINALIZE,
    TI_COMPUTE, /* `amount` of what the archive counts */
    TI_SLEEP,   /* `amount` seconds */
    TI_SEND,
    TI_ISEND,
    TI_RECV,
    TI_IRECV,
    TI_SENDRECV, /* to `peer`, from `source` */
    TI_WAIT,     /* for the request of (source, peer, tag) */
    TI_TEST,     /* of such a request */
    TI_WAIT_ALL, /* of `amount` requests; 0: not told */
    TI_WAIT_ANY,
    TI_POLL, /* tests several requests, which the trace doesn't name */
    TI_COLLECTIVE,
    TI_LEFT_OUT, /* has no place in firma's trace */
    TI_REFUSED   /* can't be left out, because messages depend on it */
} TiKind;

#define TI_ANY (-1) /* any source, any tag */
#define TI_NOBODY (-2)

typedef struct TiAction {
    uint8_t kind;       /* TiKind */
    uint8_t collective; /* Collective */
    bool has_request;   /* the collective is nonblocking */
    uint16_t call;      /* number in calls.def */
    uint32_t line;
    int32_t peer; /* destination or source of a message, or root; TI_ANY, TI_NOBODY */
    int32_t source, tag;
    uint64_t bytes, bytes_received;
    double amount; /* also: what a reduction computes after the collective */
} TiAction;

typedef VEC(TiAction) TiActions;

/* An archive in memory. */
typedef struct Ti {
    const char *path;
    Arena *arena;
    uint32_t n_processes;
    const char **files; /* [n_processes] file of each process */
    TiActions *actions; /* [n_processes] */
    /* for notes: */
    uint64_t n_unsized; /* messages whose datatype has no known size */
    uint64_t n_left_out;
    const char *left_out;                                                /* the first action that was left out */
    uint64_t n_unordered, n_open, n_unmatched, n_unclear, n_from_nobody; /* see ti_replay.c */
} Ti;

/* True if an archive may begin with this line: it is an action, or names a file. `path` is the
 * line's file. */
bool ti_begins_with(const char *path, const char *line);

/* See import.h. `recording` is a directory. */
bool ti_import(const char *path, double speed, const char *recording, Err *err);

/* Gives the actions times, and writes the processes' files into the recording. `speed`: amount per
 * second. ERR_INPUT, with file and line: the processes' actions don't fit together. */
bool ti_replay(Ti *ti, double speed, const char *recording, Err *err);
