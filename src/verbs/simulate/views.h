/* SPDX-License-Identifier: BSD-3-Clause */
/* What firma simulate prints. */
#pragma once

#include "base/fields.h"
#include "verbs/simulate/computation.h"
#include "verbs/simulate/sweep.h"

typedef struct SimulateView {
    const Simulated *simulated;
    const Platform *platform;
    const Sweep *sweep;
    Computation computation;
    bool all, color;
} SimulateView;

/* How the size is known from which on messages wait for their receivers. */
extern const char *const eager_sources[];

/* Which would help more, faster processors or a better network. NULL: the sensitivity isn't known. */
const char *simulate_answer(const Simulated *simulated, Arena *arena);

/* The share by which the time changes with 10 % more of something. */
double simulate_change(double elasticity);

const char *simulate_text(const SimulateView *view, Arena *arena);

extern const FieldList simulate_fields;
json_t *simulate_json(const SimulateView *view, Arena *arena);

/* What each process does over simulated time, for pictures and pages: "activity" and "timeline" as a report has them of
 * a run, and a "note". The simulation must have a schedule. */
json_t *schedule_json(const SimulateView *view, Arena *arena);
