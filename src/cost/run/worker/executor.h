/* SPDX-License-Identifier: BSD-3-Clause */
/* A process that runs tasks for a worker: so one that crashes, ends or hangs takes nobody with it, and can be named. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <stdint.h>

typedef struct Executor Executor;

/* Returns when it's ready, or won't be. limit_s: of each task; 0: none. */
bool executor_start(const char *const *words, double limit_s, Arena *arena, Executor **executor, Err *err);

/* Runs a task; the caller sleeps meanwhile. value: what it returned; NAN if that's no number. An error says what became
 * of it. */
bool executor_run(Executor *executor, uint64_t entry, const double *arguments, uint64_t n_arguments, double *seconds,
                  double *value, Err *err);

void executor_end(Executor *executor); /* NULL is fine */
