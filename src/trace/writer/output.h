/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of an archive that is being written: its directory, what stands around the events in every archive, and
 * its removal if something fails. Private to trace/. */
#pragma once

#include "trace/archive.h"
#include "trace/writer/definitions.h"

typedef struct ArchiveOutput {
    const char *directory;
    bool made_directory;
    OTF2_Archive *otf2; /* NULL: not open */
} ArchiveOutput;

/* Makes the directory, or takes one that is there; one that holds an archive already: ERR_USAGE. */
bool output_prepare(ArchiveOutput *output, Err *err);

/* Opens the archive, ready for events. */
bool output_open(ArchiveOutput *output, uint32_t n_processes, Err *err);

/* When all events of a process's thread are written. After a failure it is left open. */
OTF2_ErrorCode output_close_events(ArchiveOutput *output, OTF2_EvtWriter *writer);

/* After the events, in this order. Readers expect a file of local definitions for each location; ours are empty, as
 * all numbers are global. */
bool output_write_local_definitions(ArchiveOutput *output, const Recording *recording, Err *err);
bool output_write_definitions(ArchiveOutput *output, const ArchiveContents *contents, Err *err);
bool output_write_properties(ArchiveOutput *output, const Recording *recording, const ArchiveNote *notes,
                             uint32_t n_notes, Err *err);

/* `ok`: nothing has failed so far; if something has, *err stays what it is. Returns whether all is well.
 * If it was OTF2 that failed, it is let go of as it is: it can't be closed then. */
bool output_close(ArchiveOutput *output, bool ok, Err *err);

/* Removes what has been written, and the directory if output_prepare made it. */
void output_remove(const ArchiveOutput *output);

/* ERR_ENVIRONMENT "DIRECTORY: cannot write WHAT: …" if it failed. OTF2 may complain of a failed write and yet return
 * success: both count. */
bool output_check(const ArchiveOutput *output, const char *what, OTF2_ErrorCode status, Err *err);
