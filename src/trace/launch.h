/* SPDX-License-Identifier: BSD-3-Clause */
/* Starting a user's launcher (mpirun, srun, mpiexec …) with the right recorder preloaded, and waiting for it. */
#ifndef FIRMA_TRACE_LAUNCH_H
#define FIRMA_TRACE_LAUNCH_H

#include "base/arena.h"
#include "base/err.h"
#include "trace/segment.h"
#include <sys/types.h>

typedef struct LaunchOptions {
    const char *recording; /* directory for the records; made, with its control file, if absent */
    MpiFlavour flavour; /* NONE: find out from the command line (ELF of the program, else the launcher's --version) */
    const char *output_path; /* where the program's stdout and stderr go; NULL: they stay firma's */
    bool output_to_stderr;   /* the program's stdout goes to firma's stderr, so that firma's own stays clean (--json) */
    bool to_be_stopped; /* launch_stop will end it: so that it takes milliseconds, Open MPI's mpirun shall not wait a
                           second between asking processes to end and killing them */
} LaunchOptions;

typedef struct Launch Launch;

/* Starts argv (NULL-terminated) in firma's own process group: so it keeps the terminal, gets Ctrl-C, and can read
 * stdin. From here to the launcher's end firma itself is not ended by SIGINT, SIGQUIT, SIGTERM or SIGHUP. One launch at
 * a time. ERR_ENVIRONMENT: launcher not found, recorder for its MPI not built. ERR_USAGE: the recording directory is in
 * use. */
bool launch_start(const LaunchOptions *options, char *const argv[], Arena *arena, Launch **launch, Err *err);

/* Which MPI the command line uses, and how that was found out ("./app is linked with libmpi.so.40"). */
bool launch_find_flavour(char *const argv[], Arena *arena, MpiFlavour *flavour, const char **reason, Err *err);

/* The file that a launcher would start for this word: as it is, on PATH, or (MPICH) in the current directory. NULL:
 * none. */
const char *launch_find_executable(const char *word, Arena *arena);

/* Which word of the command line is the program: the first that is linked with MPI, else the first after the launcher
 * that can be executed; -1: can't tell. */
int launch_find_program(char *const argv[], Arena *arena);

/* The recorder library for an MPI. ERR_ENVIRONMENT: not built or not installed. */
bool launch_find_recorder(MpiFlavour flavour, Arena *arena, const char **path, Err *err);

/* True when the launcher has ended; waits at most timeout_ms (-1: as long as it takes). Interrupts (Ctrl-C) are the
 * program's: firma lives on to save what was recorded. A signal that was sent to firma alone is handed on. */
bool launch_wait(Launch *launch, int timeout_ms);

/* The signal that asked firma to end while it waited, or 0. */
int launch_interrupted(const Launch *launch);

/* Seconds from launch_start to the launcher's end (or to now). */
double launch_elapsed_s(const Launch *launch);

/* How the launcher ended: exit status, or 128 + signal. */
int launch_status(const Launch *launch);

/* Send-like events of each process so far, by rank, 0 for those not seen yet; *count is the number of processes (0
 * until the first returned from MPI_Init). Cheap enough to call every millisecond. Sees the processes whose files are
 * visible from this host. Valid until the next call. */
const uint64_t *launch_send_events(Launch *launch, uint32_t *count);

/* Ends the program: every process waits at its next MPI call, the launcher gets SIGTERM, after a grace period what is
 * left SIGKILL. Returns when nothing of it runs on this host any more. After the launcher's end: sees to what it left
 * behind. */
void launch_stop(Launch *launch);

/* After the launcher's end: waits a few seconds for processes that outlive it (mpirun doesn't always wait for those
 * that it was told to end), so that their records are whole. False if some still run. */
bool launch_settle(Launch *launch);

/* Gives back what watching took; the launcher must have ended. NULL is fine. */
void launch_free(Launch *launch);

const char *mpi_flavour_name(MpiFlavour flavour); /* "Open MPI", "MPICH" */

#endif
