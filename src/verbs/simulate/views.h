/* SPDX-License-Identifier: BSD-3-Clause */
/* What firma simulate prints. */
#pragma once

#include "base/fields.h"
#include "verbs/simulate/sweep.h"

typedef struct SimulateView {
    const Simulated *simulated;
    const Platform *platform;
    const Sweep *sweep;
    const char *computation; /* how computation was scaled, in words */
    bool all, color;
} SimulateView;

const char *simulate_text(const SimulateView *view, Arena *arena);

extern const FieldList simulate_fields;
json_t *simulate_json(const SimulateView *view, Arena *arena);

/* The script for gnuplot of a sweep. */
const char *sweep_picture(const Sweep *sweep, Arena *arena);
