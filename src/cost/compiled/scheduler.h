/* SPDX-License-Identifier: BSD-3-Clause */
/* llvm-mca: how many cycles a processor takes for instructions in a row. Private to this folder. */
#pragma once

#include "base/err.h"
#include "cost/compiled/walk.h"

/* Instructions, and the cycles that they take. */
typedef struct Stream {
    const Walked *walked;
    double cycles; /* below 0: not known */
} Stream;

/* Simulates all streams at once. ERR_ENVIRONMENT: llvm-mca is missing, or refuses the instructions. */
bool scheduler_run(Stream *streams, size_t n, const char *scheduler, Arena *arena, Err *err);
