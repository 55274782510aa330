/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a back end's program. Private to checkpoint/. */
#pragma once

#include "base/process.h"
#include "signature/checkpoint/checkpoint.h"

/* Where a back end's program may be, and which versions are accepted. */
typedef struct ChildProgram {
    const char *mark; /* text before the version in the output of --version: "Version: " */
    int major, minor; /* the oldest accepted version */
    const char *const *candidates;
    size_t n_candidates; /* some may be NULL */
} ChildProgram;

/* Finds the first candidate with an accepted version, and its absolute path. False: *old is a
 * candidate that is too old, or has a NULL path. */
bool child_find(const ChildProgram *program, Arena *arena, CheckpointTool *tool, CheckpointTool *old);

/* With these options, Ctrl-C doesn't stop the program. Its output is appended to `console`. */
ProcessOptions child_options(const char *const words[], const char *console);

/* The first lines of a log that tell what failed, in one line. These contain "Error ("; later ones
 * are consequences. If there are none, the last line. */
const char *child_errors(const char *log, const char *console, Arena *arena);
