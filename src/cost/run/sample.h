/* SPDX-License-Identifier: BSD-3-Clause */
/* Which tasks a calibration runs. */
#pragma once

#include "base/arena.h"
#include <stdint.h>

/* Chooses n of the tasks 1 … n_tasks, evenly spread, ascending. n <= n_tasks. */
const uint64_t *sample_tasks(uint64_t n_tasks, uint64_t n, Arena *arena);
