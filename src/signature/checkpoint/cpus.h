/* SPDX-License-Identifier: BSD-3-Clause */
/* Which CPUs a thread may run on, as people write it: "0-3,8". Private to checkpoint/. */
#pragma once

#include "base/arena.h"
#include <stdbool.h>
#include <sys/types.h>

#define CPUS_ALL "all" /* not bound */

/* NULL if the thread is gone. */
const char *cpus_of_thread(pid_t thread, Arena *arena);

/* False with errno: EINVAL for a list that isn't one, or names no CPU of this machine. */
bool cpus_bind_thread(pid_t thread, const char *cpus);
