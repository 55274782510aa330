/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the time of a traced run goes, and POP's tree of efficiencies; spec 5, issue text. */
#ifndef FIRMA_SCALING_BALANCE_H
#define FIRMA_SCALING_BALANCE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "model/event.h"

typedef struct ProcessBalance {
    double whole_s, compute_s, transfer_s,
        idle_s; /* idle: waiting for a partner, by the replay; transfer: the rest of MPI */
} ProcessBalance;

typedef struct Efficiencies {
    uint32_t n_processes;
    const ProcessBalance *processes;
    double run_s, ideal_s; /* of the slowest process; with an ideal network: no latency, no limit of bandwidth */
    double granularity;    /* computation over communication */
    double parallel;       /* = load_balance × communication = mean computation / run time */
    double load_balance;   /* mean computation / largest */
    double communication;  /* largest computation / run time = serialisation × transfer */
    double serialisation;  /* largest computation / ideal run time */
    double transfer;       /* ideal run time / run time */
} Efficiencies;

/* Replays the trace with messages and collectives that take no time: who waits, waits for a partner only. One pass. */
bool balance_read(EventSource *source, const Progress *progress, Arena *arena, Efficiencies *efficiencies, Err *err);

#endif
