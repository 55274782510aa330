/* SPDX-License-Identifier: BSD-3-Clause */
/* What the recorder's core needs of the library by which the program communicates. library.c,
 * comms.c and messages.c implement it for MPI, pvm.c for PVM. */
#pragma once

#include "trace/recorder/process.h"
#include "trace/recorder/recorder.h"

/* Finds the library's functions. False: the process has another library than the one that this
 * recorder was built for. */
bool library_load(void);

/* Sets rank, size, thread level and version; of PVM, the task ids instead of rank and size. */
void library_describe_process(ProcessStart *start);

/* The library has ended. An interpreter may unload it, and load it again elsewhere. So the functions
 * are looked up again. */
void library_forget(void);

/* Adds the communicators that exist from the start. */
void comms_start(void);

/* Records two messages that nobody sent, to measure what that costs. */
void record_trial_messages(Thread *thread);
