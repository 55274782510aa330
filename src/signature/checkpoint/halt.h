/* SPDX-License-Identifier: BSD-3-Clause */
/* A job's processes stand still, all but its launcher, by SIGSTOP. A guard lets them go on, also if firma is killed
 * meanwhile. Private to checkpoint/. */
#pragma once

#include "base/process.h"
#include "signature/checkpoint/job.h"

typedef struct Halt {
    const Job *job;
    Process *guard;
    int begin, end; /* of a pipe that the guard reads */
} Halt;

/* Returns when all have stopped, or when that takes too long (halt_is_complete says). False: nothing was done. */
bool halt_begin(const Job *job, Halt *halt, Arena *arena, Err *err);
bool halt_is_complete(const Job *job);
void halt_end(const Halt *halt);

/* The signal to all processes but the launcher. */
void halt_signal(const Job *job, int number);
