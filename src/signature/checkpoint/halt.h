/* SPDX-License-Identifier: BSD-3-Clause */
/* Stops a job's processes, except its launcher, with SIGSTOP. A guard process lets them go on, even
 * if firma is killed meanwhile. Private to checkpoint/. */
#pragma once

#include "base/process.h"
#include "signature/checkpoint/job.h"

typedef struct Halt {
    const Job *job;
    Process *guard;
    int begin, end; /* of a pipe that the guard reads */
} Halt;

/* Returns when all have stopped, or after a timeout; halt_is_complete() tells which. False: nothing
 * was done. */
bool halt_begin(const Job *job, Halt *halt, Arena *arena, Err *err);
bool halt_is_complete(const Job *job);
void halt_end(const Halt *halt);

/* Sends the signal to all processes except the launcher. */
void halt_signal(const Job *job, int number);
