/* SPDX-License-Identifier: BSD-3-Clause */
/* Running a program under the recorder and making an archive of it: what the verbs trace and study share. */
#pragma once

#include "base/fields.h"
#include "cli/cli.h"
#include "trace/archive.h"
#include "trace/launch_failure.h"

/* One tracing, from the names to what came out. */
typedef struct Tracing {
    const char *archive, *recording;
    const char *output_path; /* where the program's output goes; NULL: it stays firma's */
    double expected_s;       /* how long it will run, for the progress bar; 0: not known */
    bool launched;         /* and it left records */
    LaunchSilence silence; /* why it left none */
    MpiFlavour flavour; /* given, or found out */
    const char *reason; /* of the flavour */
    int status;         /* of the launcher */
    int interrupted;
    double elapsed_s;
    ArchiveSummary summary;
} Tracing;

extern const FieldList trace_fields; /* of what `firma trace --json` prints */

/* Whether a directory holds an archive. */
bool tracing_is_archive(const char *directory, Arena *arena);

/* Runs the launcher's command line to its end; fills in how it went. False also if it left no record; then `silence` says
 * why, and no recording is left. */
bool tracing_run(Cli *cli, Tracing *tracing, char *const *command, Err *err);

/* The recording as an archive, in place of one that is there; *summary is filled in. On failure the recording is kept,
 * and the error tells how to try again. */
bool tracing_write(Cli *cli, Tracing *tracing, Err *err);

/* The trace stands; but did the program do its job? ERR_NEGATIVE if not. */
bool tracing_judge(const Tracing *tracing, Err *err);
