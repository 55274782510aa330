/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of cost/cpu/kernels: their operations, and their times. Private to this folder. */
#pragma once

#include "base/arena.h"
#include "cost/context/fit.h"
#include "cost/lang/pasl.h"

/* Sizes of caches beyond which loads and stores of a class cost more: the first cache's, or for elements
 * that are visited in order, the second's. */
typedef struct Caches {
    double first_bytes, second_bytes;
} Caches;
Caches kernels_caches(void);

/* Counts the operations of each run, as those of any task are counted. They are the same at all options. The
 * flow file has a batch for each run; runs of the same entry are of the same kernel. */
bool kernels_count(const PaslApplication *application, const CpuCosts *single, const Caches *caches, Arena *arena,
                   ContextRun *runs, Err *err);

/* Compiles the kernels, runs each several times, and sets the shortest CPU times. `compiler`: which one
 * it was. */
bool kernels_time(const PaslApplication *application, const char *options, Arena *arena, ContextRun *runs,
                  const char **compiler, Err *err);
