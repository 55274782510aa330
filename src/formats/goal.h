/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes GOAL schedules, which LogGOPSim and ATLAHS simulate (Hoefler, Siebert, Lumsdaine: Group Operation Assembly
 * Language, ICPP 2009). Each process is a set of operations, and which of them require which others:
 *
 *     num_ranks 2
 *     rank 0 {
 *     l1: calc 100                  nanoseconds
 *     l2: send 10b to 1 tag 0
 *     l2 requires l1
 *     }
 *
 * All collectives become messages. A nonblocking message requires what the process had done when it was posted; what
 * follows its wait requires the message. */
#pragma once

#include "base/err.h"
#include "base/progress.h"
#include "formats/notes.h"
#include "model/event.h"
#include "placement/graph/rules.h"

typedef struct GoalOptions {
    CollectiveLibrary library; /* whose rules turn collectives into messages */
    bool leaves_out_collectives;
} GoalOptions;

typedef struct GoalSummary {
    uint32_t n_processes;
    uint64_t n_operations;
} GoalSummary;

/* Writes the file. The source tells completions, as for ti_write(). ERR_INPUT: threads of a process communicate at the
 * same time. ERR_ENVIRONMENT: the file can't be written. */
bool goal_write(EventSource *source, const char *path, const GoalOptions *options, const Progress *progress,
                Notes *notes, GoalSummary *summary, Err *err);
