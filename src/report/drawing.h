/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs programs that read a description on standard input and write an SVG to standard output. */
#pragma once

#include "base/err.h"

typedef struct DrawingProgram {
    const char *const *words; /* command line, ended by NULL */
    const char *what;         /* for a message: "gnuplot, which draws the pictures" */
    const char *if_absent;    /* hint if the program isn't installed */
    const char *if_refused;   /* hint if the program fails */
} DrawingProgram;

/* Runs the program on the description, and writes the picture to the file `path`. ERR_ENVIRONMENT:
 * the program isn't installed, or the file can't be written. ERR_BUG: the program rejects the
 * description; the message contains its own. */
bool drawing_make(const DrawingProgram *program, const char *description, const char *path, Err *err);
