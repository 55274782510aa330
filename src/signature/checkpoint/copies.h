/* SPDX-License-Identifier: BSD-3-Clause */
/* Files, fifos, links and directories put away with a job, and put back. Private to checkpoint/. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include <stdint.h>
#include <sys/types.h>

typedef struct SavedFile {
    const char *path;   /* where it was */
    const char *stored; /* a regular file's copy: its name within files/; else NULL */
    const char *link;   /* what a symbolic link says; else NULL */
    uint32_t mode;      /* type and permissions, as in stat */
    uint32_t user, group;
    uint64_t size_bytes;
} SavedFile;

typedef VEC(SavedFile) SavedFiles; /* a directory stands before what is in it */

/* Puts a file or a directory with all in it into the directory `store`; sockets are left out, and what is gone
 * meanwhile. */
bool copies_put_away(const char *path, const char *store, Arena *arena, SavedFiles *files, Err *err);

/* Writes what was below `path` (or was it) to `destination`. */
bool copies_put_back(const SavedFiles *files, const char *store, const char *path, const char *destination, Err *err);

/* Whether there are any of `path`. */
bool copies_hold(const SavedFiles *files, const char *path);

/* The directory, with those above it that aren't there. False with errno. */
bool copies_make_directory(const char *path);

/* Whether `path` is `root` or below it. */
bool copies_is_below(const char *path, const char *root);
