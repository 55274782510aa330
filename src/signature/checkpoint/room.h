/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a job is restored: namespaces of its own for processes, mounts and network. Private to checkpoint/. */
#pragma once

#include "base/process.h"
#include "signature/checkpoint/checkpoint.h"
#include "signature/checkpoint/state.h"

/* Runs the function as the first process of a new room: when it ends, or the process that made the room, all in it is
 * killed. False with errno. */
bool room_start(int (*live)(void *self), void *self, Arena *arena, Process **room);

/* Whether rooms can be made here. ERR_ENVIRONMENT: this process may not, or the kernel can't. */
bool room_check(Err *err);

typedef struct Room {
    const char *images, *work; /* for the back end */
} Room;

/* In a new room: mounts, network, the job's files as they were, binds; process numbers of the job are kept free. */
bool room_furnish(const State *state, const CheckpointRestore *restore, Arena *arena, Room *room, Err *err);
