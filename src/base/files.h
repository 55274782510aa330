/* SPDX-License-Identifier: BSD-3-Clause */
/* File operations that the standard library lacks. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

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

/* The path without links. Its last part need not exist. False, with errno set: its folder doesn't
 * exist. */
bool files_resolve(const char *path, char resolved[PATH_MAX]);

/* True for a device, a pipe, or an open file of firma. firma writes into these, and never replaces
 * them. */
bool files_is_device(const char *path);

/* The open file of firma that a path such as /dev/stdout or /dev/fd/3 names; -1: none. */
int files_descriptor_of(const char *path);

typedef struct FileText {
    const char *path, *text;
    bool is_program; /* everybody may execute the file */
    bool is_private; /* only the owner may read the file, unless it is there already: then its mode stays */
} FileText;

/* Writes all of these files, or none. Writes temporary files beside them, flushes them to disk, and
 * then renames them. So a reader never sees half a file, and a full disk leaves the old files. If a
 * path is a link, its target is replaced. firma writes into devices and pipes. ERR_ENVIRONMENT:
 * writing failed. */
bool files_save_texts(const FileText *files, size_t n, Err *err);

/* The same for one file. */
bool files_save_text(const char *path, const char *text, Err *err);

bool files_is_directory(const char *path);

/* True for a regular file that this process may execute. */
bool files_is_executable(const char *path);

/* Opens a file that the user names for reading. A named pipe or a device would block for ever, so
 * both are ERR_INPUT; so are a directory and a missing file. Pipes are fine that the shell opened: /dev/stdin, and
 * /dev/fd/3. ERR_ENVIRONMENT: other errors. NULL on an error. */
FILE *files_open_input(const char *path, Err *err);

/* What a file seems to be by its first bytes, such as "a script". NULL: not known, as for firma's
 * own files. */
const char *files_kind(const char *path);

/* True if files_open_input() opens it; for files that another program reads. */
bool files_check_input(const char *path, Err *err);

/* Reads a whole text file. ERR_INPUT: the file can't be read, or holds a zero byte. */
bool files_load_text(const char *path, Arena *arena, const char **text, Err *err);

/* From now on, only the owner may read what this process creates: files may hold a program's
 * arguments, its output or its memory. Programs that base/process.h starts get the user's umask, and
 * so do files that files_save_texts() saves, unless they are private. */
void files_keep_private(void);

/* The umask that this process had before files_keep_private(). */
mode_t files_user_umask(void);

/* Creates a directory, by the user's umask unless it is private. False, with errno set: it can't be
 * created. */
bool files_make_directory(const char *path, bool is_private);

/* Lets only the owner read and write the file. */
bool files_make_private(const char *path, Err *err);
