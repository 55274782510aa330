/* SPDX-License-Identifier: BSD-3-Clause */
/* Several processes of firma that a launcher started together (`mpirun -n K firma phases …`). Rank
 * 0 does the verb's work, and the others help it to read the trace. Public interface of the folder.
 *
 * Two thirds of an analysis are reading and decoding, which can be done for each process of the
 * trace separately. Ordering and finding phases is sequential. So the team divides the trace's
 * processes. Readers send their events ahead, as far as rank 0 has room. The order stage reads from
 * an EventSource like any other. So the result is the same, byte for byte; so is the error if a
 * file is broken. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "model/event.h"

typedef struct Team Team;

/* This process's place in the team, by the launcher's environment. */
typedef struct TeamPlace {
    uint32_t rank, size; /* without a launcher: rank 0 of 1 */
    const char *mpi;     /* "openmpi" or "mpich"; NULL without a launcher */
} TeamPlace;

TeamPlace team_find_place(void);

/* Starts the team; all members must call it. ERR_ENVIRONMENT: firma wasn't built for this MPI. */
bool team_start(const TeamPlace *place, Team **team, Err *err);

/* For all ranks but 0: reads what rank 0 asks for, until rank 0 ends the team. */
void team_serve(Team *team);

/* Finalizes MPI; on rank 0, ends team_serve() of the others first. NULL is fine. */
void team_end(Team *team);

/* An archive that the whole team reads; for rank 0 only. If `team` is NULL, this process reads
 * alone. `memory_bytes` is the approximate memory for reading in each process, at most the default;
 * 0: the default. */
typedef struct SharedArchive SharedArchive;

bool shared_archive_open(Team *team, const char *path, uint64_t memory_bytes, SharedArchive **shared, Err *err);
void shared_archive_close(SharedArchive *shared); /* NULL is fine */

/* See archive_tell_completions(); for an archive that this process reads alone. */
void shared_archive_tell_completions(SharedArchive *shared);

/* Valid until shared_archive_close(). */
EventSource *shared_archive_source(SharedArchive *shared);

/* The number of records that all members have read so far, and the number of all records. */
uint64_t shared_archive_records_read(const SharedArchive *shared);
uint64_t shared_archive_records_total(const SharedArchive *shared);
