/* SPDX-License-Identifier: BSD-3-Clause */
/* What the operating system says about this machine's processors. */
#pragma once

#include "base/arena.h"
#include <stddef.h>
#include <stdint.h>

/* The processor model's name, or "" if the system doesn't tell it. */
const char *processor_model(Arena *arena);

/* The number of processors that this process may run on; at least 1. */
uint32_t processor_count(void);

/* The processors in a set of sched_getaffinity(): "0-3,8". "": none. *count becomes their number. */
const char *processors_text(const void *set, size_t n_bytes, Arena *arena, uint32_t *count);
