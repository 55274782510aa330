/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks between processes of firma, by flock() on a file that names its holder. The kernel releases
 * the lock when its holder has ended, in whatever way. A file that a killed firma leaves hinders
 * nobody. */
#pragma once

#include "base/arena.h"
#include <stdbool.h>
#include <sys/types.h>

typedef struct Lock Lock;

typedef enum LockState {
    LOCK_TAKEN,
    LOCK_HELD,       /* by another process */
    LOCK_IMPOSSIBLE, /* the file system has no locks, or the file can't be made, or it is another user's */
} LockState;

typedef struct LockHolder {
    const char *text; /* "process 123 on HOST: firma comm -t 20s" */
    pid_t pid;        /* on its host; 0: not known */
} LockHolder;

/* Takes the lock if nobody holds it. Creates the file, readable by this user alone, with the text
 * "process PID on HOST: COMMAND". *holder is set if the result is LOCK_HELD. */
LockState lock_try(const char *path, const char *command, Arena *arena, Lock **lock, LockHolder *holder);

/* Waits until the lock is free, and takes it. */
LockState lock_wait(const char *path, const char *command, Arena *arena, Lock **lock);

/* Removes the file, and releases the lock. NULL: does nothing. */
void lock_release(Lock *lock);
