/* SPDX-License-Identifier: BSD-3-Clause */
/* The rule for results: no verb replaces what exists unless --force is given, and a verb refuses before any work begins.
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

/* A directory that firma fills. firma replaces one only if it wrote all of it: if `mark` exists in it, and nothing that
 * isn't a part. */
typedef struct DirectoryKind {
    const char *what; /* "a study" */
    const char *mark; /* each such directory holds a file or directory of this name */
    bool (*is_part)(const char *name);
    bool (*check_below)(const char *directory, Arena *arena, Err *err); /* NULL: its files are all there is */
    bool is_private;                                                    /* for its owner alone */
} DirectoryKind;

/* OTF2 archives. */
extern const DirectoryKind archive_directory;

/* What a verb writes. */
typedef struct Output {
    const char *path;          /* NULL: the user didn't ask for it */
    const DirectoryKind *kind; /* NULL: a file */
    bool is_edited;            /* a file that firma adds to: it may exist */
} Output;

/* ERR_USAGE, naming the output: it exists and --force isn't given; with --force, firma didn't write the directory; it is
 * one of the inputs (NULL: none) or a part of one; it is the same as another output. ERR_ENVIRONMENT: its folder doesn't
 * exist, or can't be written. Devices and pipes are fine. */
bool outputs_check(const Output *outputs, size_t n, const char *const *inputs, size_t n_inputs, Arena *arena, Err *err);

/* The same for one output. */
bool outputs_check_one(const Output *output, const char *const *inputs, size_t n_inputs, Arena *arena, Err *err);

/* A directory being filled. */
typedef struct OutputDirectory {
    const char *path;
    const char *former; /* where a former one waits; NULL: there was none */
    bool is_new;
} OutputDirectory;

/* Makes the directory, and first moves aside what firma wrote there before. Checks the output again. */
bool output_directory_begin(const Output *output, Arena *arena, OutputDirectory *directory, Err *err);

/* is_whole: removes the former one. Otherwise removes what was written, and the former one comes back. */
void output_directory_end(const OutputDirectory *directory, bool is_whole);

/* The paths of all that stands in a directory, sorted: for documents of --json. */
json_t *output_directory_json(const char *directory);
