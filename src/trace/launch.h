/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts a user's launcher (mpirun, srun, mpiexec …) with the right recorder preloaded, and waits
 * for its end. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "trace/segment.h"
#include <signal.h>
#include <sys/types.h>

/* The places where processes go to sleep, so that the job can be saved; see StopsFile. */
typedef struct LaunchStops {
    uint32_t n_stops, n_processes;
    /* [n_stops][n_processes]: send-like events before the stop; never fewer than at the stop
     * before */
    const uint64_t *counts;
} LaunchStops;

typedef struct LaunchOptions {
    const char *recording;   /* directory for the records; created, with its control file, if absent */
    MpiFlavour flavour;      /* NONE: detect it from the program's ELF file, else from the launcher's --version */
    const char *output_path; /* file for the program's stdout and stderr; NULL: they are firma's */
    bool appends_output;     /* to output_path */
    /* the program's stdout goes to firma's stderr, because stdout must hold only JSON (--json) */
    bool output_to_stderr;
    /* launch_stop() will end the job. Open MPI's mpirun then doesn't wait a second between asking
     * processes to end and killing them */
    bool to_be_stopped;
    const LaunchStops *stops; /* NULL: none */
    /* A session of its own, with stdin /dev/null and output appended to output_path, which must be
     * set. A checkpointer can save such a job. The terminal's signals don't reach the job: if firma
     * is interrupted, launch_wait() returns, and the caller ends the job by launch_stop(). */
    bool detached;
    const sigset_t *blocked; /* signals that the program blocks; NULL: those that the caller blocks */
    /* Processes see other process ids than their real ones (DMTCP). So firma learns of their death
     * only by the end of the launcher. */
    bool hidden_ids;
    const char *local; /* absolute path of a directory that each node has for itself, for records until they are
                          gathered; NULL: they go to the recording at once */
} LaunchOptions;

typedef struct Launch Launch;

/* Starts argv (it ends with NULL) in firma's own process group. So the launcher keeps the terminal,
 * gets Ctrl-C, and can read stdin. Until the launcher's end, SIGINT, SIGQUIT, SIGTERM and SIGHUP
 * don't end firma. If firma is killed, a guard ends the job. Only one launch may exist at a time.
 * ERR_ENVIRONMENT: the launcher doesn't exist, or no recorder was built for its MPI. ERR_USAGE: the
 * recording directory is in use. ERR_INPUT: the stops are inconsistent. On failure, no new file
 * remains. */
bool launch_start(const LaunchOptions *options, char *const argv[], Arena *arena, Launch **launch, Err *err);

/* ERR_ENVIRONMENT if the launcher doesn't exist or can't be executed, with the message of
 * launch_start(). */
bool launch_check_launcher(char *const argv[], Arena *arena, Err *err);

/* Detects the MPI of a command line. *reason tells how ("./app is linked with libmpi.so.40"). */
bool launch_find_flavour(char *const argv[], Arena *arena, MpiFlavour *flavour, const char **reason, Err *err);

/* True if the launcher is that of Open MPI 5 or later, PRRTE, whose options differ from those of Open MPI 4. */
bool launch_is_prrte(const char *launcher, Arena *arena);

/* The file that a launcher would start for this word: the word itself as a path, a file on PATH, or
 * (MPICH) a file in the current directory. NULL: none. */
const char *launch_find_executable(const char *word, Arena *arena);

/* The index of the launcher in the command line, or -1. The launcher is the first word that has the
 * name of an MPI's launcher, or srun, and can be executed. Words before it, such as env and
 * timeout, start it. */
int launch_find_launcher(char *const argv[], Arena *arena);

/* The index of the program in the command line, or -1. The program is the first word that is linked
 * with MPI, or else the first word behind the launcher's options, or else the first executable
 * word. */
int launch_find_program(char *const argv[], Arena *arena);

/* True if firma's recorder for PVM is linked into the executable. */
bool launch_holds_recorder(const char *path, Arena *arena);

/* Finds the recorder library for an MPI. ERR_ENVIRONMENT: it wasn't built or installed. */
bool launch_find_recorder(MpiFlavour flavour, Arena *arena, const char **path, Err *err);

/* Watches the processes of a recording that another program restores or has restored. To be called
 * before the processes run again. firma watches only the directory, which may be a copy that the
 * processes see under its old name. firma doesn't use their process ids, and they never check
 * whether firma is alive. The recording's time goes on from the moment of launch_settled_at().
 * Until the end, signals don't end firma, as with launch_start(). The launch counts as ended when
 * all processes have left MPI_Finalize. launch_stop() only makes them wait at their next MPI call;
 * the program that restored them must kill them. ERR_INPUT: `recording` isn't a recording of this
 * version of firma. */
bool launch_adopt(const char *recording, Arena *arena, Launch **launch, Err *err);

/* Waits until the launcher has ended, at most timeout_ms (-1: no limit). True: it has ended. Ctrl-C
 * reaches the program, and firma lives on to save the recording. firma forwards a signal that was
 * sent to firma alone. Detached and adopted jobs get no signals: if firma is interrupted,
 * launch_wait() returns false at once. */
bool launch_wait(Launch *launch, int timeout_ms);

/* True if time is simulated (SMPI): what else the host does changes nothing. */
bool launch_is_simulated(const Launch *launch);

/* Keeps in the recording by how much other programs may have slowed the job down (model/times.h). */
void launch_note_slowdown(const Launch *launch, double slowdown);

/* The launcher's process id, or 0 if the job was adopted. */
pid_t launch_pid(const Launch *launch);

/* The signal that interrupted firma while it waited, or 0. */
int launch_interrupted(const Launch *launch);

/* True if the launcher hasn't ended some time after the signal. Then another signal makes
 * launch_wait() kill it; launch_was_killed() tells that it did. launch_stop() ends what is left. */
bool launch_can_be_killed(const Launch *launch);
bool launch_was_killed(const Launch *launch);

/* Seconds from launch_start to the launcher's end (or to now). */
double launch_elapsed_s(const Launch *launch);

/* What a job has used of this host. All is 0 for an adopted job. */
typedef struct LaunchUsage {
    uint32_t n_processes; /* recorded ones */
    /* Processor time of processes that still run, and of their children that have ended: of the
     * launcher, its descendants, and all other processes that the job started, such as those that a
     * resource manager started for srun. */
    double running_s;
    double finalized_s; /* processor time of recorded processes up to MPI_Finalize, of those that came there */
} LaunchUsage;

/* Reads the environment of every process of this host. */
LaunchUsage launch_usage(Launch *launch);

/* The launcher's exit status, or 128 + the number of the signal that ended it. */
int launch_status(const Launch *launch);

/* The number of send-like events of each process so far, by rank; 0 for processes that firma hasn't
 * seen yet. *count becomes the number of processes, or 0 before the first returned from MPI_Init.
 * Only processes whose files this host can see count. Cheap enough for a call every millisecond.
 * Valid until the next call. */
const uint64_t *launch_send_events(Launch *launch, uint32_t *count);

typedef enum RankState {
    RANK_UNSEEN,     /* hasn't returned from MPI_Init, or this host can't see its files */
    RANK_RUNNING,    /* between two MPI calls, or in one for a short time */
    RANK_ASLEEP,     /* asleep at the current stop */
    RANK_WAITING,    /* inside an MPI call, or polling without success */
    RANK_FINISHED,   /* has left MPI_Finalize */
    RANK_DIED,       /* has ended without MPI_Finalize */
    RANK_UNRECORDED, /* its recording ended before the program, so it will never sleep */
} RankState;

typedef struct LaunchRank {
    RankState state;
    uint16_t call; /* waiting: the call */
    uint64_t send_events;
} LaunchRank;

/* What each process is doing, by rank. A process waits if it made no progress for quiet_ms inside
 * MPI. Progress is what happened between two calls of this function, so call it every few
 * milliseconds. Returns NULL, and *count is 0, before the first process returned from MPI_Init.
 * Valid until the next call. */
const LaunchRank *launch_look(Launch *launch, int quiet_ms, uint32_t *count);

typedef enum LaunchSettling {
    LAUNCH_UNSETTLED,   /* some process still runs */
    LAUNCH_SETTLED,     /* each process sleeps at the stop, waits, or has finished as planned; at least one sleeps */
    LAUNCH_UNREACHABLE, /* a process has ended before the stop, or will never sleep */
} LaunchSettling;

/* Tells whether the job stands still at the current stop, so that it can be saved. Ask every few
 * milliseconds. */
LaunchSettling launch_settled_at(Launch *launch, uint32_t stop, int quiet_ms);

/* True if all sleeping processes of an adopted job are ready to go on: they have prepared their
 * memory. False before firma has seen the processes. */
bool launch_is_ready(Launch *launch);

/* A description of the processes for an error, after launch_settled_at(): "ranks 0, 2 sleep; rank 1
 * waits in MPI_Recv; rank 3 has died after 17 of 20 send-like events". */
const char *launch_describe_ranks(const Launch *launch, uint32_t stop, Arena *arena);

/* Wakes the processes that sleep at this stop or an earlier one. From now on, none sleeps there.
 * LAUNCH_ALL_STOPS: at all stops. */
void launch_release(Launch *launch, uint32_t stop);
#define LAUNCH_ALL_STOPS UINT32_MAX

/* Ends the program. Every process waits at its next MPI call; the launcher gets SIGTERM; after a
 * grace period, firma kills what is left. Returns when none of the job's processes runs on this
 * host. After the launcher's end, ends the processes that it left behind. */
void launch_stop(Launch *launch);

/* After the launcher's end, waits a few seconds for processes that outlive it, so that their
 * records are complete. (mpirun doesn't always wait for processes that it told to end.) Returns
 * false if some still run. */
bool launch_settle(Launch *launch);

/* After launch_settle(): gathers the records that killed processes of this node left in its local
 * directory (LaunchOptions.local). */
void launch_gather(const Launch *launch);

/* Frees the launch, which must have ended or been adopted. NULL is fine. */
void launch_free(Launch *launch);

const char *mpi_flavour_name(MpiFlavour flavour); /* "Open MPI", "MPICH" */
