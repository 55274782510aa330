/* SPDX-License-Identifier: BSD-3-Clause */
/* A restored job works on the user's files again, and shall not change one: overlays take what it writes, and go away
 * with its room. Private to checkpoint/. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include <stdbool.h>
#include <stddef.h>

/* A name for what `path` is now, which stays when something is mounted over it; NULL with errno. Lasts as long as this
 * process, the first of its namespace. */
const char *cover_hold(const char *path, bool *is_directory, Arena *arena);

typedef struct Covers {
    const char *store; /* a directory of a tmpfs, for what is written */
    size_t n_made;     /* numbers its folders */
    VEC(const char *) wanted;
    VEC(const char *) places; /* below these all can be written to */
} Covers;                     /* zero-initialise but for the store */

/* Puts an overlay over a directory that cover_hold named `lower`. False with errno. */
bool cover_place(Covers *covers, const char *place, const char *lower, Arena *arena);

/* Covers the topmost directory above `path` that is this user's own, when cover_all does the rest: in a user namespace
 * an overlay can take up what lies in own directories alone. */
void cover_want(Covers *covers, const char *path, Arena *arena);

/* Covers all file systems, but for /usr, what the kernel makes up and /dev. Where there can be no overlay, what is
 * there can be read only. ERR_ENVIRONMENT: neither. */
bool cover_all(Covers *covers, Arena *arena, Err *err);
