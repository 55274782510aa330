/* SPDX-License-Identifier: BSD-3-Clause */
/* Running a back end's program. Private to checkpoint/. */
#pragma once

#include "base/process.h"
#include "signature/checkpoint/checkpoint.h"

/* Where a back end's program may be, and which of its versions will do. */
typedef struct ChildProgram {
    const char *mark; /* before the version in what it prints for --version: "Version: " */
    int major, minor; /* the oldest that will do */
    const char *const *candidates;
    size_t n_candidates; /* some may be NULL */
} ChildProgram;

/* The first candidate that will do: its path, absolute, and its version. False: *old is one that is too old, or has a
 * NULL path. */
bool child_find(const ChildProgram *program, Arena *arena, CheckpointTool *tool, CheckpointTool *old);

/* Started so, it isn't stopped in the middle by Ctrl-C; what it prints is appended to `console`. */
ProcessOptions child_options(const char *const words[], const char *console);

/* The first lines of a log that say what went wrong (those with "Error (": what follows are consequences), or the last
 * of all, in one line. */
const char *child_errors(const char *log, const char *console, Arena *arena);
