/* SPDX-License-Identifier: BSD-3-Clause */
/* Saves copies of files, fifos, links and directories with a job, and puts them back. Private to
 * checkpoint/. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include <stdint.h>
#include <sys/types.h>

typedef struct SavedFile {
    const char *path;   /* its original path */
    const char *stored; /* of a regular file: name of its copy in files/; otherwise NULL */
    const char *link;   /* of a symbolic link: its target; otherwise NULL */
    uint32_t mode;      /* type and permissions, as in stat */
    uint32_t user, group;
    uint64_t size_bytes;
} SavedFile;

typedef VEC(SavedFile) SavedFiles; /* a directory comes before its entries */

/* Copies a file, or a directory with all its contents, into the directory `store`. Leaves out
 * sockets, and files that disappear meanwhile. */
bool copies_put_away(const char *path, const char *store, Arena *arena, SavedFiles *files, Err *err);

/* Writes the saved files at and below `path` to `destination`. */
bool copies_put_back(const SavedFiles *files, const char *store, const char *path, const char *destination, Err *err);

/* Whether anything at or below `path` was saved. */
bool copies_hold(const SavedFiles *files, const char *path);

/* Makes the directory and its missing parents. False with errno. */
bool copies_make_directory(const char *path);

/* Whether `path` is `root` or lies below it. */
bool copies_is_below(const char *path, const char *root);
