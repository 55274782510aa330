/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a trace with a progress bar, and turns it into a signature. Several verbs share these
 * functions. */
#pragma once

#include "cli/cli.h"
#include "model/signature.h"
#include "model/times.h"
#include "signature/order/order.h"
#include "trace/team/team.h"

/* The signature names the trace. */
bool analysis_run(Cli *cli, const char *trace, const PhaseParameters *parameters, const OrderOptions *options,
                  Signature **signature, OrderReport *report, Err *err);

/* Warns, as reading a trace does, if the signature's trace was only a part of the run. */
void analysis_note_signature(Cli *cli, const char *path, const Signature *signature);

/* Loads a signature's file, and warns likewise. */
bool analysis_load_signature(Cli *cli, const char *path, Signature **signature, Err *err);

/* Warns if other programs kept the host busy when the times were measured. */
void analysis_note_load(const Cli *cli, const PhaseTimes *times);

/* True if the path names a signature: a trace is a directory or an anchor file (.otf2), and any other file should be a
 * signature. */
bool analysis_is_signature(const char *path);

/* Whether a path is a folder of `firma study`, with a signature. */
bool analysis_is_study(const char *path, Arena *arena);

/* The studies that a path stands for: itself, or those in the folder of `firma study -n`. Returns their number; 0: the
 * path is something else. */
size_t analysis_studies(const char *path, Arena *arena, const char *const **studies);

/* An open trace. Stages report numbers of events to `progress`. The bar shows the archive's records
 * instead, because their total is known. */
typedef struct Reading {
    SharedArchive *archive;
    EventSource *source;
    const Progress *bar;
    Progress progress; /* its `self` points to this struct, so the struct must not move */
} Reading;

/* Warns if the trace is only a part of the run. `options` says how much memory ordering may take.
 * Reading takes a quarter of that in addition. NULL: the defaults. */
bool reading_open(Cli *cli, const char *trace, const OrderOptions *options, Reading *reading, Err *err);
void reading_close(Cli *cli, Reading *reading);
