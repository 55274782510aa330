/* SPDX-License-Identifier: BSD-3-Clause */
/* Starting a user's launcher (mpirun, srun, mpiexec …) with the right recorder preloaded, and waiting for it. */
#ifndef FIRMA_TRACE_LAUNCH_H
#define FIRMA_TRACE_LAUNCH_H

#include "base/arena.h"
#include "base/err.h"
#include "trace/segment.h"
#include <sys/types.h>

typedef struct LaunchOptions {
    const char *recording;   /* directory for the records; made, with its control file, if absent */
    MpiFlavour flavour;      /* NONE: find out from the command line (ELF of the program, else the launcher's --version) */
    const char *output_path; /* where the program's stdout and stderr go; NULL: they stay firma's */
} LaunchOptions;

typedef struct Launch Launch;

/* Starts argv (NULL-terminated) in its own process group. ERR_ENVIRONMENT: launcher not found, recorder for its MPI not built. */
bool launch_start(const LaunchOptions *options, char *const argv[], Arena *arena, Launch **launch, Err *err);

/* Which MPI the command line uses, and how that was found out ("./app is linked with libmpi.so.40"). */
bool launch_find_flavour(char *const argv[], Arena *arena, MpiFlavour *flavour, const char **reason, Err *err);

/* True when the launcher has ended; waits at most timeout_ms (-1: as long as it takes). Interrupts (Ctrl-C) are the
 * program's: firma lives on to save what was recorded. */
bool launch_wait(Launch *launch, int timeout_ms);

/* Seconds from launch_start to the launcher's end (or to now). */
double launch_elapsed_s(const Launch *launch);

/* How the launcher ended: exit status, or 128 + signal. */
int launch_status(const Launch *launch);

/* Send-like events of each process so far, by rank; *count is the number of ranks known (0 until MPI_Init returned). */
const uint64_t *launch_send_events(Launch *launch, uint32_t *count);

/* Ends the program: every process waits at its next MPI call, the launcher gets SIGTERM, after a grace period what is left
 * of its process group SIGKILL. Returns when nothing of it runs on this host any more. */
void launch_stop(Launch *launch);

const char *mpi_flavour_name(MpiFlavour flavour); /* "Open MPI", "MPICH" */

#endif
