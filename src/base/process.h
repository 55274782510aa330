/* SPDX-License-Identifier: BSD-3-Clause */
/* A child whose lines are read: a program that measures, or its launcher. */
#ifndef FIRMA_BASE_PROCESS_H
#define FIRMA_BASE_PROCESS_H

#include "base/arena.h"
#include "base/err.h"
#include <stdbool.h>

typedef struct Process Process;

/* In a process group of its own, without input; what it says on stderr is among its lines. ERR_ENVIRONMENT. */
bool process_start(const char *const argv[], Arena *arena, Process **process, Err *err);

typedef enum ProcessNews {
    PROCESS_LINE,  /* *line is one, without its newline, valid until the next call */
    PROCESS_ENDED, /* it has ended, or will say no more; what it has left behind isn't waited for */
    PROCESS_QUIET, /* nothing came for timeout_ms */
} ProcessNews;

ProcessNews process_read(Process *process, int timeout_ms, const char **line);

/* Ends it if it runs: asks its group, and after five seconds kills it. Exit status, or 128 + signal. */
int process_stop(Process *process);

#endif
