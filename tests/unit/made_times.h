/* SPDX-License-Identifier: BSD-3-Clause */
/* Run times by a formula, for tests of scaling. */
#pragma once

#include "model/runs.h"

typedef double (*MadeTime)(double n, double p);

/* One time for each p and each size; both lists must be ascending. */
static inline Runs *made_times(MadeTime time, const double *sizes, uint32_t n_sizes, const uint32_t *processes,
                               uint32_t n_processes, Arena *arena)
{
    Runs *runs = arena_alloc(arena, sizeof *runs);
    RunPoint *points = arena_new_array(arena, RunPoint, n_sizes * n_processes);
    *runs = (Runs){.file = "made", .has_sizes = n_sizes > 1, .n_points = n_sizes * n_processes, .points = points};
    for (uint32_t i = 0; i < n_sizes * n_processes; i++) {
        double *times_s = arena_new_array(arena, double, 1), n = sizes[i / n_processes];
        uint32_t p = processes[i % n_processes];
        *times_s = time(n, p);
        points[i] = (RunPoint){n, p, 1, times_s, *times_s, *times_s, *times_s, 1};
    }
    return runs;
}
