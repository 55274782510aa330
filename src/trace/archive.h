/* SPDX-License-Identifier: BSD-3-Clause */
/* Trace archives in OTF2 format, as firma and other tools (Score-P) write them. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "model/event.h"

/* A note for the user: a call that was not recorded, or a process that did not end well. */
typedef struct ArchiveNote {
    const char *text; /* one sentence */
} ArchiveNote;

typedef struct ArchiveSummary {
    uint32_t n_processes;  /* ranks of MPI_COMM_WORLD */
    uint32_t n_missing;    /* how many of these left no record at all */
    uint32_t n_here;       /* how many of these ran on this host */
    uint32_t n_unfinished; /* how many of these never returned from MPI_Finalize */
    uint32_t n_cut_off;    /* how many of these the recorder stopped recording before their end */
    int cut_off_errno;     /* the reason, for the first of them; 0: another reason */
    uint64_t n_calls, n_messages, n_collectives, n_one_sided;
    const char *first_call, *last_call; /* by which processes begin and end: "MPI_Init", "MPI_Finalize" */
    /* Slowest process: from the return of MPI_Init to the entry of MPI_Finalize, or to its last
     * record. */
    double application_s;
    double recording_s; /* of this, what the recorder took in every process; 0: not known, or nothing */
    uint32_t n_notes;
    const ArchiveNote *notes; /* about recordings that stopped, calls that were only counted, … */
    uint32_t n_incomplete;    /* the first of the notes: what the archive lacks of the whole run */
} ArchiveSummary;

/* Converts a recording directory (segment.h) to an OTF2 archive `directory`/traces.otf2. The
 * recording is kept. ERR_USAGE: an archive exists there. ERR_ENVIRONMENT: no process left a
 * record. */
bool archive_write(const char *recording, const char *directory, const Progress *progress, Arena *arena,
                   ArchiveSummary *summary, Err *err);

/* The same, but replaces an archive that exists there. That one stays until the new one is whole.
 * Hides the program's arguments by a salt (model/application.h); NULL: they are kept. */
bool archive_replace(const char *recording, const char *directory, const char *salt, const Progress *progress,
                     Arena *arena, ArchiveSummary *summary, Err *err);

/* ERR_ENVIRONMENT, with the time and the reason, if the recorder stopped before a process ended. */
bool archive_check_whole(const ArchiveSummary *summary, Err *err);

typedef struct Archive Archive;

/* Opens `path`: an archive's directory, or its .otf2 anchor file. Errors name the file, if it is
 * absent, broken or truncated, or holds no MPI processes. */
bool archive_open(const char *path, Archive **archive, Err *err);
void archive_close(Archive *archive); /* NULL is fine */

/* Sets the number of processes whose events this caller will read (others may read the rest), and
 * the approximate memory for reading: for open files, and for events that are read ahead. To be
 * called before events are read. The default is all processes and the default memory. */
#define ARCHIVE_DEFAULT_MEMORY_BYTES (UINT64_C(1) << 30)
void archive_limit_memory(Archive *archive, uint32_t n_processes, uint64_t memory_bytes);

/* From now on, the events also tell when requests of sends and of collectives complete
 * (EVENT_REQUEST_DONE). To be called before events are read. */
void archive_tell_completions(Archive *archive);

/* The number of a process's records by the archive's definitions; 0 if they don't tell. */
uint64_t archive_process_records(const Archive *archive, uint32_t process);

/* The archive's events in the form of model/event.h. Valid until archive_close(). */
EventSource *archive_source(Archive *archive);

/* The number of records read so far, and of all records by the archive's definitions; for progress
 * bars. */
uint64_t archive_records_read(const Archive *archive);
uint64_t archive_records_total(const Archive *archive);
