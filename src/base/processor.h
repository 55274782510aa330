/* SPDX-License-Identifier: BSD-3-Clause */
/* What the system says of this machine's processors. */
#pragma once

#include "base/arena.h"
#include <stdint.h>

/* The model's name; "" where the system doesn't tell it. */
const char *processor_model(Arena *arena);

/* How many of them this process may run on; at least 1. */
uint32_t processor_count(void);
