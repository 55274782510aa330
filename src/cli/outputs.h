/* SPDX-License-Identifier: BSD-3-Clause */
/* The rule for outputs: no verb replaces an existing file or directory without --force. A verb
 * refuses before any work begins.
 *
 *     const Output outputs[] = {{.path = options.output}, {.path = options.svg}};
 *     if (!outputs_check(outputs, 2, words, n_words, arena, err))
 *         return false;
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <jansson.h>
#include <popt.h>
#include <stdbool.h>
#include <stddef.h>

/* --force */
extern const struct poptOption force_option_table[];
bool force_is_given(void);

/* A kind of directory that firma fills. firma replaces such a directory only if firma wrote all of
 * it: it contains `mark`, and nothing else but parts. */
typedef struct DirectoryKind {
    const char *what;       /* "a study" */
    const char *mark;       /* each such directory contains a file or directory with this name */
    const char *early_mark; /* what it may contain instead, if firma was killed early; NULL: nothing */
    bool (*is_part)(const char *name);
    /* Checks subdirectories; NULL: there are none to check. */
    bool (*check_below)(const char *directory, Arena *arena, Err *err);
    bool is_private; /* only the owner may read it */
    bool grows;      /* it is in its place while firma fills it; otherwise it appears when it is whole */
} DirectoryKind;

/* OTF2 archives. */
extern const DirectoryKind archive_directory;

/* An output of a verb. */
typedef struct Output {
    const char *path;          /* NULL: the user didn't ask for it */
    const DirectoryKind *kind; /* NULL: a file */
    bool is_edited;            /* firma adds to this file, so it may exist */
} Output;

/* ERR_USAGE, naming the output, in these cases. The output exists, and --force isn't given. With
 * --force: firma didn't write the directory. The output is an input (NULL: none) or a part of one.
 * Two outputs are the same. ERR_ENVIRONMENT: its folder doesn't exist, or can't be written. Devices
 * and pipes are fine. */
bool outputs_check(const Output *outputs, size_t n, const char *const *inputs, size_t n_inputs, Arena *arena, Err *err);

/* From now on, no output may go to standard output: --json writes its document there. */
void outputs_reserve_stdout(void);

/* The same for one output. */
bool outputs_check_one(const Output *output, const char *const *inputs, size_t n_inputs, Arena *arena, Err *err);

/* A directory that is being filled. */
typedef struct OutputDirectory {
    const char *path;
    const char *filled; /* where to write. For kinds that grow, and if the user made the directory: path */
    const char *former; /* where the old directory waits; NULL: there was none, or it's still in its place */
    bool is_new;        /* firma creates the directory */
    bool replaces;      /* there was an old directory */
} OutputDirectory;

/* Creates the directory `filled`. First checks the output again. If the kind grows, also moves an
 * old directory aside. */
bool output_directory_begin(const Output *output, Arena *arena, OutputDirectory *directory, Err *err);

/* With is_whole, gives the directory its name, and removes the old one. Otherwise removes what was
 * written; the old directory is in its place again. Returns is_whole, or false if the directory
 * can't get its name. */
bool output_directory_end(OutputDirectory *directory, bool is_whole, Arena *arena, Err *err);

/* The sorted paths of everything in a directory, for documents of --json. */
json_t *output_directory_json(const char *directory);
