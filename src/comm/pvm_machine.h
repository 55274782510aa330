/* SPDX-License-Identifier: BSD-3-Clause */
/* PVM's virtual machine, for as long as `firma comm` needs one.
 *
 * If one runs that the user's tasks would join (by PVM_TMP), it is used as it is, and left as it is, but for the group
 * server that PVM starts in it for barriers. Else one is started here, with a directory of its own, so that it can't
 * meet another; stopping it leaves nothing: no daemon, no task, no file, on this host, nor, unless it can't be reached
 * any more, on others. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <stddef.h>

typedef struct PvmMachine PvmMachine;

typedef struct PvmMachinePlan {
    const char *const *hosts; /* others than this one; a name that is this host's is passed over */
    size_t n_hosts;
    const char *agent; /* gives words to a shell on a host: "AGENT HOST WORD…"; NULL: PVM_RSH, else ssh */
} PvmMachinePlan;

/* ERR_ENVIRONMENT: PVM isn't installed, the daemon doesn't start, or a host can't be added. The caller holds signals
 * back until pvm_machine_stop, or at least until it has the machine; a killed firma takes the daemon with it. The
 * machine is usable until the arena is freed. */
bool pvm_machine_start(const PvmMachinePlan *plan, Arena *arena, PvmMachine **machine, Err *err);

/* Words NAME=VALUE, NULL at the end, to be added to the environment of the worker that rank 0 is. That of a machine
 * that was started here begins with PVM_TMP. */
const char *const *pvm_machine_environment(const PvmMachine *machine);

/* Halts it, if it was started here; in 20 s at most. NULL is fine. */
void pvm_machine_stop(PvmMachine *machine);
