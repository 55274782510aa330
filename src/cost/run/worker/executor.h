/* SPDX-License-Identifier: BSD-3-Clause */
/* A process that runs tasks for a worker. If a task crashes, exits or hangs, only this process is
 * lost, and the error names the task. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <stdint.h>

typedef struct Executor Executor;

/* Starts an executor, and waits until it is ready or has failed. limit_s: timeout of each task; 0:
 * none. */
bool executor_start(const char *const *words, double limit_s, Arena *arena, Executor **executor, Err *err);

/* Runs a task; the caller sleeps meanwhile. value: the returned value; NAN if it isn't a number.
 * The error describes the task's end. */
bool executor_run(Executor *executor, uint64_t entry, const double *arguments, uint64_t n_arguments, double *seconds,
                  double *value, Err *err);

void executor_end(Executor *executor); /* NULL is fine */
