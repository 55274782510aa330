/* SPDX-License-Identifier: BSD-3-Clause */
/* Running a back end's program. Private to checkpoint/. */
#ifndef FIRMA_SIGNATURE_CHECKPOINT_CHILD_H
#define FIRMA_SIGNATURE_CHECKPOINT_CHILD_H

#include "base/process.h"

/* Started so, it isn't stopped in the middle by Ctrl-C; what it prints is appended to `console`. */
ProcessOptions child_options(const char *const words[], const char *console);

/* The first lines of a log that say what went wrong (those with "Error (": what follows are consequences), or the last
 * of all, in one line. */
const char *child_errors(const char *log, const char *console, Arena *arena);

#endif
