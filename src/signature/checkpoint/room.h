/* SPDX-License-Identifier: BSD-3-Clause */
/* A room: namespaces for processes, mounts and network, in which a job is restored. Private to
 * checkpoint/. */
#pragma once

#include "base/process.h"
#include "signature/checkpoint/checkpoint.h"
#include "signature/checkpoint/state.h"

/* Runs the function as the first process of a new room. When this process or the calling process
 * ends, all processes in the room are killed. False with errno. */
bool room_start(int (*live)(void *self), void *self, Arena *arena, Process **room);

/* Whether rooms can be made here. ERR_ENVIRONMENT: not permitted, or the kernel can't. */
bool room_check(Err *err);

typedef struct Room {
    const char *images, *work; /* directories for the back end */
} Room;

/* In a new room: sets up mounts, network, the job's files as they were saved, and binds. Keeps the
 * job's process ids free. */
bool room_furnish(const State *state, const CheckpointRestore *restore, Arena *arena, Room *room, Err *err);
