/* SPDX-License-Identifier: BSD-3-Clause */
/* Several processes of firma that a launcher started together (`mpirun -n K firma phases …`): rank 0 does the verb's
 * work, and the others read the trace with it. Public interface of the folder.
 *
 * Two thirds of an analysis are reading and decoding, which each process of the trace allows by itself; ordering and
 * finding phases takes what comes. So the processes are shared out, readers send their events ahead as far as rank 0
 * has room, and the order stage sees an EventSource like any other: the result is the same, byte for byte, also the
 * error, if a file is broken. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "model/event.h"

typedef struct Team Team;

/* What the launcher's environment says of this process. */
typedef struct TeamPlace {
    uint32_t rank, size; /* 0 of 1: alone */
    const char *mpi;     /* "openmpi" or "mpich"; NULL: alone */
} TeamPlace;

TeamPlace team_find_place(void);

/* All of the team must call it. ERR_ENVIRONMENT: firma wasn't built for this MPI. */
bool team_start(const TeamPlace *place, Team **team, Err *err);

/* Ranks but 0: reads what rank 0 asks for until it ends the team. */
void team_serve(Team *team);

/* The end of MPI; rank 0 lets the others go. NULL is fine. */
void team_end(Team *team);

/* An archive that the whole team reads. `team` NULL: this process alone. `memory_bytes`: about what
 * reading may take in each process, at most the default; 0: the default. Rank 0 only. */
typedef struct SharedArchive SharedArchive;

bool shared_archive_open(Team *team, const char *path, uint64_t memory_bytes, SharedArchive **shared, Err *err);
void shared_archive_close(SharedArchive *shared); /* NULL is fine */

/* Valid until it is closed. */
EventSource *shared_archive_source(SharedArchive *shared);

/* Records read so far, by all, and in total. */
uint64_t shared_archive_records_read(const SharedArchive *shared);
uint64_t shared_archive_records_total(const SharedArchive *shared);
