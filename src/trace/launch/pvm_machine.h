/* SPDX-License-Identifier: BSD-3-Clause */
/* PVM's virtual machine, for as long as firma needs one: to measure messages, or to run a program.
 *
 * If the user runs one that new tasks would join (PVM_TMP tells which), firma uses that one and
 * leaves it running. The only trace is the group server, which PVM starts for barriers. Otherwise
 * firma starts a virtual machine in a directory of its own, so that it can't mix with another one.
 * Stopping it leaves no daemon, task or file on any host that can still be reached. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <stddef.h>

typedef struct PvmMachine PvmMachine;

typedef struct PvmMachinePlan {
    const char *const *hosts; /* other hosts; a name of this host is ignored */
    size_t n_hosts;
    /* Numbers of IPv4, by which the hosts and this one reach each other. NULL, also of a single host: the address that
     * the name stands for. */
    const char *const *addresses;
    const char *own_address;
    /* A remote shell, called as "AGENT HOST WORD…". NULL: PVM_RSH, or else ssh. */
    const char *agent;
    const char *const *paths; /* directories where pvm_spawn looks for programs first; ends with NULL, or is NULL */
} PvmMachinePlan;

/* Starts or finds the virtual machine. ERR_ENVIRONMENT: PVM isn't installed, the daemon doesn't
 * start, or a host can't be added. The caller blocks signals until pvm_machine_stop(), or at least
 * until this function returns. If firma is killed, the daemon ends too. The machine is usable until
 * the arena is freed. */
bool pvm_machine_start(const PvmMachinePlan *plan, Arena *arena, PvmMachine **machine, Err *err);

/* NULL-terminated words NAME=VALUE for the environment of the first task. For a virtual
 * machine that firma started, the first word sets PVM_TMP. */
const char *const *pvm_machine_environment(const PvmMachine *machine);

/* What the spawned tasks have printed so far, a line "[TASK] text" for each line: PVM's daemon writes it
 * to its log. "" for a virtual machine that runs on, as the user finds it in the log. */
const char *pvm_machine_output(const PvmMachine *machine, Arena *arena);

/* Halts the virtual machine if firma started it. Takes 20 s at most. `machine` may be NULL. */
void pvm_machine_stop(PvmMachine *machine);
