/* SPDX-License-Identifier: BSD-3-Clause */
/* See sample.h. */
#include "cost/run/sample.h"

const uint64_t *sample_tasks(uint64_t n_tasks, uint64_t n, Arena *arena)
{
    uint64_t *numbers = arena_new_array(arena, uint64_t, n);
    for (uint64_t i = 0; i < n; i++)
        numbers[i] = 1 + (2 * i + 1) * n_tasks / (2 * n);
    return numbers;
}
