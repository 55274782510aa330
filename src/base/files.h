/* SPDX-License-Identifier: BSD-3-Clause */
/* File operations that the standard library lacks. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <limits.h>
#include <stdbool.h>

/* Removes a directory and everything in it. Doesn't follow links, and doesn't enter other file
 * systems. Returns false, and sets errno, if something remains. */
bool files_remove_tree(const char *path);

/* Finds the first entry of a directory, in the order of names, for which is_expected() is false.
 * Returns false if all entries are expected. */
bool files_find_other(const char *directory, bool (*is_expected)(const char *name), char other[NAME_MAX + 1]);

bool files_is_empty(const char *directory);

/* True if writing the file `path` would change `other`, or a file below the directory `other`.
 * Links are followed. `path` need not exist yet. */
bool files_is_within(const char *path, const char *other);

/* True if the name ends in the suffix and is longer: "run.recording", but not ".recording". */
bool files_has_suffix(const char *name, const char *suffix);

/* The part of a path behind its last slash; a pointer into `path`. */
const char *files_base_name(const char *path);

/* True if the path names anything that this process can reach. */
bool files_exist(const char *path);

/* Replaces the file as a whole: writes a temporary file beside `path`, flushes it to disk, and
 * renames it. So a reader never sees half a file. If `path` is a link, its target is replaced. A
 * device or a pipe is written to. */
bool files_save_text(const char *path, const char *text, Err *err);

bool files_is_directory(const char *path);

/* True for a regular file that this process may execute. */
bool files_is_executable(const char *path);

/* Reads a whole text file. ERR_INPUT: the file can't be read, or holds a zero byte. */
bool files_load_text(const char *path, Arena *arena, const char **text, Err *err);

/* Lets only the owner read and write the file. */
bool files_make_private(const char *path, Err *err);
