/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up activities in bins (schedule.h). */
#include "placement/mapping/schedule.h"

#include <assert.h>
#include <math.h>

Schedule *schedule_new(uint32_t n_tasks, uint32_t n_bins, double until_s, Arena *arena)
{
    Schedule *schedule = arena_new_array(arena, Schedule, 1);
    *schedule = (Schedule){.n_tasks = n_tasks,
                           .n_bins = n_bins,
                           .until_s = until_s,
                           .since_s = arena_new_array(arena, double, n_tasks),
                           .seconds = arena_new_array(arena, double, (size_t)n_tasks *n_bins *N_ACTIVITIES)};
    return schedule;
}

double *schedule_bin(const Schedule *schedule, uint32_t task, uint32_t bin)
{
    return &schedule->seconds[((size_t)task * schedule->n_bins + bin) * N_ACTIVITIES];
}

void schedule_note(Schedule *schedule, uint32_t task, Activity activity, double from_s, double to_s)
{
    assert(task < schedule->n_tasks && activity < N_ACTIVITIES);
    double width_s = schedule->until_s / schedule->n_bins;
    if (!(width_s > 0))
        return;
    for (uint32_t bin = (uint32_t)fmin(from_s / width_s, schedule->n_bins - 1); bin < schedule->n_bins; bin++) {
        double begin_s = fmax(from_s, bin * width_s), end_s = fmin(to_s, (bin + 1) * width_s);
        if (bin * width_s >= to_s)
            break;
        if (end_s > begin_s)
            schedule_bin(schedule, task, bin)[activity] += end_s - begin_s;
    }
}
