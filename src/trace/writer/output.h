/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of an archive that is being written: creates its directory, writes everything but the
 * events, and removes all of it after a failure. Private to trace/. */
#pragma once

#include "trace/archive.h"
#include "trace/writer/definitions.h"
#include <limits.h>

typedef struct ArchiveOutput {
    const char *directory; /* the archive's place, for messages */
    bool replaces;         /* an archive there is replaced, when the new one is whole */
    const char *part;      /* the directory beside it, in which the archive is written */
    char resolved[PATH_MAX];
    OTF2_Archive *otf2; /* NULL: not open */
} ArchiveOutput;

/* Creates the directory beside the archive's place. ERR_USAGE: something else is there, or an archive
 * that isn't to be replaced. */
bool output_prepare(ArchiveOutput *output, Arena *arena, Err *err);

/* Opens the archive for writing events. */
bool output_open(ArchiveOutput *output, uint32_t n_processes, Err *err);

/* Closes the writer of a thread's events. After a failure, the writer stays open. */
OTF2_ErrorCode output_close_events(ArchiveOutput *output, OTF2_EvtWriter *writer);

/* To be called after the events, in this order. Readers expect a file of local definitions for each
 * location. firma's are empty, because all its numbers are global. */
bool output_write_local_definitions(ArchiveOutput *output, const Recording *recording, Err *err);
bool output_write_definitions(ArchiveOutput *output, const ArchiveContents *contents, Err *err);
bool output_write_properties(ArchiveOutput *output, const Recording *recording, const ArchiveNote *notes,
                             uint32_t n_notes, Err *err);

/* Closes the archive, and moves it to its place. A reader never sees half of it there. `ok` is
 * false if something has failed; *err then stays unchanged. Returns true if all went well. After an error in OTF2, the archive can't be closed, and is leaked. */
bool output_close(ArchiveOutput *output, bool ok, Err *err);

/* Removes what was written, unless it is in its place already. */
void output_remove(ArchiveOutput *output);

/* Checks a result of OTF2. ERR_ENVIRONMENT: "DIRECTORY: cannot write WHAT: …". A message of OTF2
 * counts as a failure even with the status of success, because OTF2 may not return an error for a
 * failed write. */
bool output_check(const ArchiveOutput *output, const char *what, OTF2_ErrorCode status, Err *err);
