/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps a restored job from changing the user's files. The job works on them again, but overlays
 * take what it writes, and disappear with its room. Private to checkpoint/. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include <stdbool.h>
#include <stddef.h>

/* A name for the file that is now at `path`. The name stays valid when something is mounted over
 * the path. Lasts as long as this process, the first of its namespace. NULL with errno. */
const char *cover_hold(const char *path, bool *is_directory, Arena *arena);

typedef struct Covers {
    const char *store; /* a directory on a tmpfs, for what is written */
    size_t n_made;     /* overlays made so far, to number their directories */
    VEC(const char *) wanted;
    VEC(const char *) places; /* mount points of overlays; files below them can be written */
} Covers;                     /* zero-initialise, except for the store */

/* Mounts an overlay over the directory that cover_hold() named `lower`. False with errno. */
bool cover_place(Covers *covers, const char *place, const char *lower, Arena *arena);

/* Makes cover_all() cover the topmost directory above `path` that belongs to this user. In a user
 * namespace, an overlay can copy up only entries of the user's own directories. */
void cover_want(Covers *covers, const char *path, Arena *arena);

/* Covers all file systems except /usr, /dev, and the kernel's own such as /proc. Where an overlay
 * is impossible, files become read-only. ERR_ENVIRONMENT: neither is possible. */
bool cover_all(Covers *covers, Arena *arena, Err *err);
