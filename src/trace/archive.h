/* SPDX-License-Identifier: BSD-3-Clause */
/* Trace archives: OTF2, as firma and as others (Score-P) write it. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "model/event.h"

/* What the recorder could not record, or what did not end well; for the user to know. */
typedef struct ArchiveNote {
    const char *text; /* one sentence */
} ArchiveNote;

typedef struct ArchiveSummary {
    uint32_t n_processes;  /* ranks of MPI_COMM_WORLD */
    uint32_t n_missing;    /* of these, how many left no record at all */
    uint32_t n_unfinished; /* … how many never returned from MPI_Finalize */
    uint64_t n_calls, n_messages, n_collectives, n_one_sided;
    double application_s; /* slowest process: return of MPI_Init to entry of MPI_Finalize, or to its last record */
    uint32_t n_notes;
    const ArchiveNote *notes; /* calls that were counted but not recorded, recording that stopped, … */
} ArchiveSummary;

/* Turns a recording directory (segment.h) into an OTF2 archive `directory`/traces.otf2. An existing archive there is
 * refused (ERR_USAGE). No process record at all: ERR_ENVIRONMENT with what may be the reason. The recording is kept. */
bool archive_write(const char *recording, const char *directory, const Progress *progress, Arena *arena,
                   ArchiveSummary *summary, Err *err);

typedef struct Archive Archive;

/* Opens `path`: an archive's directory, or its .otf2 anchor file. Errors name the file: absent, broken, truncated, no
 * MPI processes in it. */
bool archive_open(const char *path, Archive **archive, Err *err);
void archive_close(Archive *archive); /* NULL is fine */

/* Before its events are read: how many of its processes will be (others are left to somebody else), and about how much
 * memory reading may take: for open files and for events that were read ahead. Otherwise it's the default for all. */
#define ARCHIVE_DEFAULT_MEMORY_BYTES (UINT64_C(1) << 30)
void archive_limit_memory(Archive *archive, uint32_t n_processes, uint64_t memory_bytes);

/* As many records as its definitions announce of a process; 0: they don't. */
uint64_t archive_process_records(const Archive *archive, uint32_t process);

/* Its events, as model/event.h describes them. Valid until archive_close. */
EventSource *archive_source(Archive *archive);

/* Records read so far and in total (as the archive's definitions announce them), for progress bars. */
uint64_t archive_records_read(const Archive *archive);
uint64_t archive_records_total(const Archive *archive);
