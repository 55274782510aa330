/* SPDX-License-Identifier: BSD-3-Clause */
/* Starting a user's launcher (mpirun, srun, mpiexec …) with the right recorder preloaded, and waiting for it. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "trace/segment.h"
#include <signal.h>
#include <sys/types.h>

/* Where processes go to sleep, so that the job can be saved: see StopsFile. */
typedef struct LaunchStops {
    uint32_t n_stops, n_processes;
    const uint64_t *counts; /* [n_stops][n_processes] send-like events before the stop; none less than a stop earlier */
} LaunchStops;

typedef struct LaunchOptions {
    const char *recording; /* directory for the records; made, with its control file, if absent */
    MpiFlavour flavour; /* NONE: find out from the command line (ELF of the program, else the launcher's --version) */
    const char *output_path; /* where the program's stdout and stderr go; NULL: they stay firma's */
    bool output_to_stderr;   /* the program's stdout goes to firma's stderr, so that firma's own stays clean (--json) */
    bool to_be_stopped; /* launch_stop will end it: so that it takes milliseconds, Open MPI's mpirun shall not wait a
                           second between asking processes to end and killing them */
    const LaunchStops *stops; /* NULL: none */
    bool detached; /* a session of its own, stdin /dev/null, output appended to output_path (which it needs): what a
                      checkpointer can save. Nothing reaches it from the terminal: when firma is interrupted,
                      launch_wait returns and it is for the caller to end it by launch_stop */
    const sigset_t *blocked; /* the program's blocked signals; NULL: as the caller's */
    bool hidden_ids;         /* processes know themselves by other ids than they have: that one has died shows by the
                                launcher's end alone */
} LaunchOptions;

typedef struct Launch Launch;

/* Starts argv (NULL-terminated) in firma's own process group: so it keeps the terminal, gets Ctrl-C, and can read
 * stdin. From here to the launcher's end firma itself is not ended by SIGINT, SIGQUIT, SIGTERM or SIGHUP. One launch at
 * a time. ERR_ENVIRONMENT: launcher not found, recorder for its MPI not built. ERR_USAGE: the recording directory is in
 * use. ERR_INPUT: stops that make no sense. On failure, it leaves no new file. */
bool launch_start(const LaunchOptions *options, char *const argv[], Arena *arena, Launch **launch, Err *err);

/* What launch_start says of a launcher that isn't there or can't be executed: ERR_ENVIRONMENT. */
bool launch_check_launcher(char *const argv[], Arena *arena, Err *err);

/* Which MPI the command line uses, and how that was found out ("./app is linked with libmpi.so.40"). */
bool launch_find_flavour(char *const argv[], Arena *arena, MpiFlavour *flavour, const char **reason, Err *err);

/* The file that a launcher would start for this word: as it is, on PATH, or (MPICH) in the current directory. NULL:
 * none. */
const char *launch_find_executable(const char *word, Arena *arena);

/* Which word of the command line is the launcher: the first that is called as an MPI's is, or srun, and can be
 * executed; others before it, such as env and timeout, start it. -1: none. */
int launch_find_launcher(char *const argv[], Arena *arena);

/* Which word of the command line is the program: the first that is linked with MPI, else the first after the launcher
 * that can be executed; -1: can't tell. */
int launch_find_program(char *const argv[], Arena *arena);

/* The recorder library for an MPI. ERR_ENVIRONMENT: not built or not installed. */
bool launch_find_recorder(MpiFlavour flavour, Arena *arena, const char **path, Err *err);

/* Takes over the processes of a recording that somebody else restores, or has restored: firma watches the directory,
 * which may be a copy that the processes see under its old name, and never asks for their pids. To be called before
 * they run again: from here their time goes on from launch_settled_at, and nobody they look for has gone. From here
 * firma itself isn't ended by signals, as above. It has "ended" when all processes have left MPI_Finalize; launch_stop
 * only makes them wait at their next MPI call, killing them is for who restored them. ERR_INPUT: no recording of this
 * version of firma. */
bool launch_adopt(const char *recording, Arena *arena, Launch **launch, Err *err);

/* True when the launcher has ended; waits at most timeout_ms (-1: as long as it takes). Interrupts (Ctrl-C) are the
 * program's: firma lives on to save what was recorded. A signal that was sent to firma alone is handed on. What is
 * detached or adopted gets no signals: then this returns false at once when firma is interrupted. */
bool launch_wait(Launch *launch, int timeout_ms);

/* The launcher's process, or 0 if the job was adopted. */
pid_t launch_pid(const Launch *launch);

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

typedef enum RankState {
    RANK_UNSEEN,     /* hasn't returned from MPI_Init, as far as this host can see */
    RANK_RUNNING,    /* between two MPI calls, or not long enough in one */
    RANK_ASLEEP,     /* at the stop at hand */
    RANK_WAITING,    /* inside an MPI call, or polling in vain */
    RANK_FINISHED,   /* has left MPI_Finalize */
    RANK_DIED,       /* has ended without */
    RANK_UNRECORDED, /* recording ended before the program: it will never sleep */
} RankState;

typedef struct LaunchRank {
    RankState state;
    uint16_t call; /* waiting: in which */
    uint64_t send_events;
} LaunchRank;

/* What each process is doing, by rank; who made no progress for quiet_ms inside MPI is said to wait. Progress is what
 * happened between two looks: look every few milliseconds. NULL and 0 until the first returned from MPI_Init. Valid
 * until the next call. */
const LaunchRank *launch_look(Launch *launch, int quiet_ms, uint32_t *count);

typedef enum LaunchSettling {
    LAUNCH_UNSETTLED,   /* not yet */
    LAUNCH_SETTLED,     /* all sleep at the stop, or wait, or have finished as they should, and one at least sleeps */
    LAUNCH_UNREACHABLE, /* somebody has ended, or can't be seen to sleep, before the stop */
} LaunchSettling;

/* Whether the job stands still at the stop at hand, so that it can be saved there. To be asked every few milliseconds.
 */
LaunchSettling launch_settled_at(Launch *launch, uint32_t stop, int quiet_ms);

/* For an error, after launch_settled_at: "ranks 0, 2 sleep; rank 1 waits in MPI_Recv; rank 3 has died after 17 of 20
 * send-like events". */
const char *launch_describe_ranks(const Launch *launch, uint32_t stop, Arena *arena);

/* Lets processes that sleep at this stop, or an earlier one, go on, and none sleep there any more; LAUNCH_ALL_STOPS:
 * at none. */
void launch_release(Launch *launch, uint32_t stop);
#define LAUNCH_ALL_STOPS UINT32_MAX

/* Ends the program: every process waits at its next MPI call, the launcher gets SIGTERM, after a grace period what is
 * left SIGKILL. Returns when nothing of it runs on this host any more. After the launcher's end: sees to what it left
 * behind. */
void launch_stop(Launch *launch);

/* After the launcher's end: waits a few seconds for processes that outlive it (mpirun doesn't always wait for those
 * that it was told to end), so that their records are whole. False if some still run. */
bool launch_settle(Launch *launch);

/* Gives back what watching took; the launcher must have ended, or been adopted. NULL is fine. */
void launch_free(Launch *launch);

const char *mpi_flavour_name(MpiFlavour flavour); /* "Open MPI", "MPICH" */
