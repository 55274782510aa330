/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes SMPI's time-independent traces, which `smpirun -replay` runs on a simulated machine: what each process
 * computes, in flops, and what it sends, receives and takes part in. trace/import/ti.c reads the format, and
 * explains its lines.
 *
 *     DIRECTORY/traces.txt     a line for each process: its file
 *     DIRECTORY/0.txt          the actions of process 0
 *
 * Messages stay what they are: blocking or not, and a request is waited for where the program found it complete. A
 * replay knows one communicator. So a collective of all processes stays a collective; others become messages, by the
 * rules of an MPI library; and messages of other communicators get tags of their own. A nonblocking collective
 * becomes a blocking one where it completes. */
#pragma once

#include "base/err.h"
#include "base/progress.h"
#include "formats/notes.h"
#include "model/event.h"
#include "placement/graph/rules.h"

#define TI_INDEX "traces.txt"
#define TI_DEFAULT_FLOPS_PER_S 1e9

typedef struct TiOptions {
    double flops_per_s;        /* what a second of computation counts as */
    CollectiveLibrary library; /* whose rules cut up collectives of a part of the processes */
    bool leaves_out_collectives;
} TiOptions;

typedef struct TiSummary {
    uint32_t n_processes;
    uint64_t n_actions;
} TiSummary;

/* Writes the files into a directory, which exists. The source tells completions (EVENT_REQUEST_DONE); nonblocking
 * sends and collectives of which it doesn't tell it are waited for at the end. ERR_INPUT: threads of a process
 * communicate at the same time, or a message is too large for a replay. ERR_ENVIRONMENT: a file, which the message
 * names without the directory, can't be written. */
bool ti_write(EventSource *source, const char *directory, const TiOptions *options, const Progress *progress,
              Notes *notes, TiSummary *summary, Err *err);
