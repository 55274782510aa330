/* SPDX-License-Identifier: BSD-3-Clause */
/* What the standard library leaves to be written about files. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <limits.h>
#include <stdbool.h>

/* Removes a directory and all in it, without following links or crossing file systems. False with errno if something
 * stayed. */
bool files_remove_tree(const char *path);

/* The first entry of a directory, by name, that isn't expected there; false if there is none. */
bool files_find_other(const char *directory, bool (*is_expected)(const char *name), char other[NAME_MAX + 1]);

bool files_is_empty(const char *directory);

/* Whether writing the file `path` would write `other`, or into it if it's a directory; links are followed, and `path`
 * needn't be there yet. */
bool files_is_within(const char *path, const char *other);

/* "run.recording", ".recording": true; the suffix alone: false. */
bool files_has_suffix(const char *name, const char *suffix);

/* What follows the last slash of a path; within it. */
const char *files_base_name(const char *path);

/* Whether anything stands there that can be reached. */
bool files_exist(const char *path);

/* Writes to a temporary file beside `path`, flushes it to disk, and renames: a reader never sees half a file. A link
 * stays, and its target is replaced; a device or pipe is written to. */
bool files_save_text(const char *path, const char *text, Err *err);

bool files_is_directory(const char *path);

/* Whether it is a regular file that this process may execute. */
bool files_is_executable(const char *path);

/* All of a text file; ERR_INPUT: it can't be read. */
bool files_load_text(const char *path, Arena *arena, const char **text, Err *err);

/* Nobody but its owner may read or write it. */
bool files_make_private(const char *path, Err *err);
