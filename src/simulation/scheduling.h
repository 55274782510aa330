/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a schedule of a simulation. Private to the folder. */
#pragma once

#include "simulation/replayed.h"
#include "simulation/schedule.h"

typedef struct Scheduling {
    const Replayed *replayed;
    const Sample *sample;
    const Cuts *cuts;
    VEC(ChartBar) bars;
    VEC(ChartOccurrence) occurrences;
} Scheduling;

/* Takes computation and calls. */
void scheduling_begin(const Replayed *replayed, const Sample *sample, const Cuts *cuts, Scheduling *scheduling);

/* Takes a wait; of KnownOccurrences. */
void scheduling_add_wait(void *self, uint32_t process, int64_t from_ns, int64_t to_ns);

/* The result is in the arena. Frees the rest. */
const Chart *scheduling_end(Scheduling *scheduling, Arena *arena);
