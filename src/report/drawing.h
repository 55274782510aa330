/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that draw: they read a description on standard input and write an SVG. */
#pragma once

#include "base/err.h"

typedef struct DrawingProgram {
    const char *const *words; /* command line, ending in NULL */
    const char *what;         /* "gnuplot, which draws the pictures" */
    const char *if_absent;    /* hint */
    const char *if_refused;   /* hint */
} DrawingProgram;

/* Runs the program on the description and puts what it draws into the file `path`. It isn't there: ERR_ENVIRONMENT; it
 * doesn't take the description: ERR_BUG with what it says. */
bool drawing_make(const DrawingProgram *program, const char *description, const char *path, Err *err);
