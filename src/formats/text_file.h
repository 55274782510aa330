/* SPDX-License-Identifier: BSD-3-Clause */
/* A text file that is written piece by piece. It appears under its name when it is complete. An error of one piece is
 * reported when the file is closed. Private to the folder. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <stdio.h>

typedef struct TextFile {
    const char *name, *target; /* for messages; where the file will be */
    const char *part;          /* where it is written; NULL: into the target itself, a device or a pipe */
    FILE *file;
} TextFile;

/* A link is followed. `name` is what messages call the file. ERR_ENVIRONMENT: the file can't be created. */
bool text_file_open(TextFile *text, const char *path, const char *name, Arena *arena, Err *err);

/* With `ok`, gives the file its name; otherwise removes what was written. Returns `ok`, or false with ERR_ENVIRONMENT
 * if not all of it could be written. */
bool text_file_close(TextFile *text, bool ok, Err *err);
