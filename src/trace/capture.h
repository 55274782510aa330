/* SPDX-License-Identifier: BSD-3-Clause */
/* Running a small command for what it prints. */
#ifndef FIRMA_TRACE_CAPTURE_H
#define FIRMA_TRACE_CAPTURE_H

#include "base/arena.h"
#include <stdbool.h>

/* Runs argv (NULL-terminated; searched on PATH) without input, and takes its stdout and stderr, up to 1 MiB, into *text
 * and its exit status, or 128 + signal, into *status. False if it could not be started or took longer than timeout_ms;
 * then it has been killed, with its process group. */
bool capture_output(const char *const argv[], int timeout_ms, Arena *arena, char **text, int *status);

#endif
