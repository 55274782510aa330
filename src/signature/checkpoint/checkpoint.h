/* SPDX-License-Identifier: BSD-3-Clause */
/* Saves a running MPI job on this host, launcher included, into a directory, and restores it any
 * number of times. Each restored job runs in a room of its own: namespaces for processes, mounts
 * and network. So it can't disturb the original job, nor another job restored from the same state.
 * When it is ended, nothing of it stays. Public interface of the folder.
 *
 *    NAME/state.json   what was saved; written last: a directory without it isn't a state
 *    NAME/images/      the back end's own files, its log included
 *    NAME/files/       copies of files that the job shares through its memory or writes to
 *
 * firma writes a state as NAME.part, and then renames it. A state holds the user's data, so files
 * have mode 0600, directories 0700.
 *
 * The job must be launched as the leader of a session without a terminal. Its stdin must be
 * /dev/null; its stdout and stderr must be appended to a file. It must have no other open file of
 * firma's. While they are saved, its processes should sleep, or wait inside MPI for a process that
 * sleeps. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "trace/segment.h"
#include <stdint.h>
#include <sys/types.h>

/* ---- Back ends ---- */

typedef struct CheckpointTool {
    const char *name;    /* "criu" */
    const char *path;    /* absolute path of its program */
    const char *version; /* "4.2.1" */
    bool is_rootless;    /* works in a user namespace that firma makes */
    const struct BackEnd *back_end;
} CheckpointTool;

/* The names of the back ends, best first. NULL: there are no more. */
const char *checkpoint_back_end_name(size_t index);

/* Finds the back end of this name. NULL: the best that works here. If the user isn't root, this
 * process moves into a user namespace for good, and into a network with only this host's addresses.
 * So the process must have one thread. ERR_USAGE: unknown name. ERR_ENVIRONMENT: missing, too old,
 * or not permitted to work here; the hint says how to install it. */
bool checkpoint_find(const char *name, Arena *arena, CheckpointTool *tool, Err *err);

/* The words that must stand before the launcher of this MPI (NONE: of any) so that its job can be
 * saved later, ended by NULL. `directory` must not exist. It may be made, for files that the job
 * and the back end need while the job runs; the caller removes it afterwards. */
bool checkpoint_launch_words(const CheckpointTool *tool, MpiFlavour flavour, const char *directory, Arena *arena,
                             const char *const **words, Err *err);

/* The back end's requirements on the program's transports, which the words before the launcher
 * fulfil; NULL: none. */
const char *checkpoint_demands(const CheckpointTool *tool);

/* Whether processes of its jobs see other ids than those they have. */
bool checkpoint_hides_ids(const CheckpointTool *tool);

/* Saves a small job and restores it. `argv` starts the job under a launcher. Its program gets
 * one more argument, a directory: each process creates a file asleep.RANK there, and sleeps
 * until a file `go` exists. `directory` must be empty; the caller removes it. False: *err says
 * what failed. */
bool checkpoint_try(const CheckpointTool *tool, MpiFlavour flavour, const char *const argv[], uint32_t n_ranks,
                    const char *directory, Arena *arena, Err *err);

/* ---- Saving ---- */

/* A program by which the launcher starts processes that aren't its descendants on this host, such as ssh and srun. A job
 * that runs one can't be saved. NULL: it runs none now. */
const char *checkpoint_remote_shell(pid_t launcher, Arena *arena);

typedef struct CheckpointSave {
    pid_t launcher;           /* the root of the job's process tree */
    const char *state;        /* the directory to be written; must not exist */
    const char *directory;    /* as given to checkpoint_launch_words() */
    const char *const *paths; /* files and directories to be saved, as they are at that moment;
                                 absolute paths */
    size_t n_paths;
    bool leave_running; /* otherwise the job ends here */
} CheckpointSave;

typedef struct CheckpointCost {
    double time_s;
    double frozen_s; /* longest time for which the job stood still */
    uint64_t images_bytes, files_bytes;
} CheckpointCost;

/* ERR_ENVIRONMENT: the job couldn't be saved; it goes on, and nothing of the state stays. Signals
 * that would end firma wait until this is done. `cost` may be NULL. */
bool checkpoint_save(const CheckpointTool *tool, const CheckpointSave *save, Arena *arena, CheckpointCost *cost,
                     Err *err);

/* ---- States ---- */

/* Checks whether the programs and libraries that the job had mapped are here, unchanged. A state
 * can't be restored with others. ERR_INPUT: the message names the first that is missing or
 * different; or there is no state. */
bool checkpoint_check_files(const char *state, Arena *arena, Err *err);

/* Copies the saved version of `path` (one of CheckpointSave.paths) to `destination`, which must not
 * exist. */
bool checkpoint_take_out(const char *state, const char *path, const char *destination, Arena *arena, Err *err);

/* ---- Restoring ---- */

typedef struct CheckpointBind {
    const char *source; /* this file or directory outside … */
    const char *target; /* … appears to the restored job at this absolute path. It needn't exist
                           outside. */
} CheckpointBind;

typedef struct CheckpointRestore {
    const char *state;
    const CheckpointBind *binds; /* Paths that were saved and aren't bound appear as copies,
                                    which disappear with the job */
    size_t n_binds;
    const char *const *cpus_of_rank; /* "0-3,8" for each rank; NULL: bound as when saved */
    uint32_t n_ranks;
    int timeout_ms; /* limit for restoring; 0: two minutes */
} CheckpointRestore;

typedef struct Restored Restored;

/* Returns when all processes run again. They end when the calling process ends, however that
 * happens. ERR_ENVIRONMENT: the job couldn't be restored (another binary or library, a CPU that
 * doesn't exist …); the message contains the back end's own words, and nothing of the job stays. */
bool checkpoint_restore(const CheckpointTool *tool, const CheckpointRestore *restore, Arena *arena, Restored **restored,
                        Err *err);

/* True when the launcher, and with it the whole job, has ended. Waits at most timeout_ms; -1:
 * without limit. */
bool restored_wait(Restored *restored, int timeout_ms);

/* The launcher's exit status, or 128 + signal. */
int restored_status(const Restored *restored);

/* The first process of the room. Killing it kills all processes in the room. */
pid_t restored_pid(const Restored *restored);

/* Duration of checkpoint_restore(). */
double restored_time_s(const Restored *restored);

/* Kills what still runs, and returns when nothing of it is left. NULL is fine. */
void restored_end(Restored *restored);
