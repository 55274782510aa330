/* SPDX-License-Identifier: BSD-3-Clause */
/* Running a back end's program. Private to checkpoint/. */
#ifndef FIRMA_SIGNATURE_CHECKPOINT_CHILD_H
#define FIRMA_SIGNATURE_CHECKPOINT_CHILD_H

#include "base/arena.h"
#include "base/err.h"
#include <sys/types.h>

/* Starts it in a session of its own, so that Ctrl-C doesn't stop it in the middle, with umask 077, no signal held back,
 * and no input; what it prints is appended to `console`. */
bool child_start(const char *const argv[], const char *console, pid_t *process, Err *err);

/* Waits; exit status, or 128 + signal. */
int child_wait(pid_t process);

/* The same without waiting; false while it runs. */
bool child_has_ended(pid_t process, int *status);

/* The first lines of a log that say what went wrong (those with "Error (": what follows are consequences), or the last
 * of all, in one line. */
const char *child_errors(const char *log, const char *console, Arena *arena);

#endif
