/* SPDX-License-Identifier: BSD-3-Clause */
/* The CPUs that a thread may run on, as text: "0-3,8". Private to checkpoint/. */
#pragma once

#include "base/arena.h"
#include <stdbool.h>
#include <sys/types.h>

#define CPUS_ALL "all" /* not bound */

/* NULL if the thread doesn't exist any more. */
const char *cpus_of_thread(pid_t thread, Arena *arena);

/* False with errno; EINVAL: not a list of CPUs, or this machine has none of them. */
bool cpus_bind_thread(pid_t thread, const char *cpus);
