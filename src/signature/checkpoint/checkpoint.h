/* SPDX-License-Identifier: BSD-3-Clause */
/* Saving a running MPI job on this host, launcher and all, into a directory, and bringing it back as often as one
 * likes: in a room of its own (namespaces for processes, mounts and network), so that nothing of it gets in the way of
 * the original or of another that was restored from the same state, and nothing is left behind when it has been ended.
 *
 *     NAME/state.json   what was saved; written last: a directory without it isn't a state
 *     NAME/images/      the back end's own files, among them its log
 *     NAME/files/       copies of files that the job shares through its memory or writes to
 *
 * A state is written as NAME.part and then renamed. It holds the user's data: files are 0600, directories 0700.
 *
 * The job has to be launched as the leader of a session without a terminal, stdin from /dev/null, stdout and stderr
 * appended to a file, and with no other open file of firma's in it. Its processes should sleep while they are saved, or
 * wait inside MPI for one that does. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "trace/segment.h"
#include <stdint.h>
#include <sys/types.h>

/* ---- back ends ---- */

typedef struct CheckpointTool {
    const char *name;    /* "criu" */
    const char *path;    /* of its program, absolute */
    const char *version; /* "4.2.1" */
    bool is_rootless;    /* works in a user namespace of firma's own */
    const struct BackEnd *back_end;
} CheckpointTool;

/* The names of the back ends, best first; NULL behind the last. */
const char *checkpoint_back_end_name(size_t index);

/* The back end of that name (NULL: the best that is here). Who isn't root goes into a user namespace with this, for
 * good, and into a network of this host's addresses alone: so the process must have one thread. ERR_USAGE: no such
 * name. ERR_ENVIRONMENT: not here, too old, or not allowed to work here; the hint says how to get it. */
bool checkpoint_find(const char *name, Arena *arena, CheckpointTool *tool, Err *err);

/* The words that must stand before the launcher of this MPI (NONE: of any) for its job to be saved later; NULL ends.
 * `directory` mustn't be there: it may be made, for what the job and the back end need while the job runs, and is the
 * caller's to remove afterwards. */
bool checkpoint_launch_words(const CheckpointTool *tool, MpiFlavour flavour, const char *directory, Arena *arena,
                             const char *const **words, Err *err);

/* What the back end asks of the program's transports, and the words before the launcher see to; NULL: nothing. */
const char *checkpoint_demands(const CheckpointTool *tool);

/* Whether processes that are launched for it know themselves by other ids than those they have. */
bool checkpoint_hides_ids(const CheckpointTool *tool);

/* Really saves a job and restores it. `argv` starts it under a launcher; its program is called with one more word, a
 * directory: each process makes a file asleep.RANK there, and sleeps until there is a file `go`. `directory` is empty,
 * and is the caller's to remove. False: what didn't work. */
bool checkpoint_try(const CheckpointTool *tool, MpiFlavour flavour, const char *const argv[], uint32_t n_ranks,
                    const char *directory, Arena *arena, Err *err);

/* ---- saving ---- */

typedef struct CheckpointSave {
    pid_t launcher;           /* the root of the job's processes */
    const char *state;        /* the directory to be written; must not be there */
    const char *directory;    /* as it was given to checkpoint_launch_words */
    const char *const *paths; /* files and directories to be saved with it, as they are at that moment; absolute */
    size_t n_paths;
    bool leave_running; /* else the job ends here */
} CheckpointSave;

typedef struct CheckpointCost {
    double time_s;
    double frozen_s; /* for how long the job stood still at most */
    uint64_t images_bytes, files_bytes;
} CheckpointCost;

/* ERR_ENVIRONMENT: it couldn't be saved; the job runs on, and nothing is left of the state. Signals that end firma wait
 * until it is done. `cost` may be NULL. */
bool checkpoint_save(const CheckpointTool *tool, const CheckpointSave *save, Arena *arena, CheckpointCost *cost,
                     Err *err);

/* ---- states ---- */

/* Whether the programs and libraries that the job had mapped are here, as they were: a state can't be restored with
 * others. ERR_INPUT names the first that isn't; or there is no state. */
bool checkpoint_check_files(const char *state, Arena *arena, Err *err);

/* Copies what was saved of `path` (one of CheckpointSave.paths) to `destination`, which must not be there. */
bool checkpoint_take_out(const char *state, const char *path, const char *destination, Arena *arena, Err *err);

/* ---- restoring ---- */

typedef struct CheckpointBind {
    const char *source; /* what is here … */
    const char *target; /* … appears there to the restored job; absolute. It needn't exist outside. */
} CheckpointBind;

typedef struct CheckpointRestore {
    const char *state;
    const CheckpointBind *binds; /* what was saved of a path and isn't bound is a copy that goes away with the job */
    size_t n_binds;
    const char *const
        *cpus_of_rank; /* "0-3,8" each, for all threads of that rank; NULL: as they were bound when saved */
    uint32_t n_ranks;
    int timeout_ms; /* for bringing it back; 0: two minutes */
} CheckpointRestore;

typedef struct Restored Restored;

/* Returns when all processes run where they had been saved. They end with the calling process, however that ends.
 * ERR_ENVIRONMENT: couldn't be restored (another binary or library than it was saved with, a CPU that isn't there …),
 * with the back end's own words; nothing is left of it. */
bool checkpoint_restore(const CheckpointTool *tool, const CheckpointRestore *restore, Arena *arena, Restored **restored,
                        Err *err);

/* True when the launcher has ended, and so all of its job; waits at most timeout_ms (-1: as long as it takes). */
bool restored_wait(Restored *restored, int timeout_ms);

/* How the launcher ended: exit status, or 128 + signal. */
int restored_status(const Restored *restored);

/* The first process of the room: when it is killed, all in it is. */
pid_t restored_pid(const Restored *restored);

/* From checkpoint_restore's begin to its end. */
double restored_time_s(const Restored *restored);

/* Ends what still runs; returns when nothing of it is left. NULL is fine. */
void restored_end(Restored *restored);
