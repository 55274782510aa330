/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a program under the recorder and makes an archive of its records: for the verbs trace and
 * study. */
#pragma once

#include "base/fields.h"
#include "cli/cli.h"
#include "trace/archive.h"
#include "trace/host_load.h"
#include "trace/launch_failure.h"

/* A traced run: where its files go, and how it went. */
typedef struct Tracing {
    const char *archive, *recording;
    const char *output_path; /* where the program's output goes; NULL: it stays firma's */
    const char *salt;        /* hides the program's arguments in the archive (model/application.h); NULL: doesn't */
    const char *local;       /* where each node keeps records until processes end (--local); NULL: nowhere */
    double expected_s;       /* how long it will run, for the progress bar; 0: not known */
    bool is_import;          /* the recording is made of another tool's trace */
    bool launched;           /* the program ran, and left records */
    LaunchSilence silence;   /* why there are no records */
    MpiFlavour flavour;      /* given, or found out */
    const char *reason;      /* how the flavour was found */
    int status;              /* of the launcher */
    int interrupted;         /* the signal; 0: none */
    double elapsed_s;
    HostLoad load; /* before or during the run, whichever was more */
    ArchiveSummary summary;
} Tracing;

/* --hide-arguments, for an option table; arguments_salt() makes the salt, or NULL without the option. */
extern const struct poptOption hiding_option_table[];
bool arguments_salt(Arena *arena, const char **salt, Err *err);

/* --local, for an option table; NULL without the option. */
extern const struct poptOption local_option_table[];
bool local_option_read(const char **local, Err *err);

extern const FieldList trace_fields; /* of what `firma trace --json` prints */

/* Whether a directory holds an archive. */
bool tracing_is_archive(const char *directory, Arena *arena);

/* Runs the launcher's command line to its end, and fills in how it went. Also returns false if the
 * program left no record: then `silence` says why, and the recording is removed. */
bool tracing_run(Cli *cli, Tracing *tracing, char *const *command, Err *err);

/* Makes an archive of the recording, in place of an existing one, and fills in the summary. On
 * failure the recording is kept, and the error says how to try again. */
bool tracing_write(Cli *cli, Tracing *tracing, Err *err);

/* Both, one after the other; then removes the recording. */
bool tracing_record(Cli *cli, Tracing *tracing, char *const *command, Err *err);

/* ERR_NEGATIVE unless the program ended with status 0 and the trace is complete. The trace is kept
 * either way. */
bool tracing_judge(const Tracing *tracing, Arena *arena, Err *err);
