/* SPDX-License-Identifier: BSD-3-Clause */
/* --sweep: the predicted time for several factors of the machine's parameters. */
#pragma once

#include "simulation/simulation.h"

typedef enum SweepParameter { SWEEP_LATENCY, SWEEP_BANDWIDTH, SWEEP_SPEED, SWEEP_PARAMETERS } SweepParameter;

extern const char *const sweep_names[SWEEP_PARAMETERS];

typedef struct SweepPoint {
    double factors[SWEEP_PARAMETERS];
    double application_s;
} SweepPoint;

typedef struct Sweep {
    uint32_t n_points;
    SweepPoint *points;
    SweepParameter first;                /* the one that varies fastest */
    uint32_t n_values[SWEEP_PARAMETERS]; /* 0: isn't swept */
} Sweep;

/* "latency=0.5,1,2". ERR_USAGE. */
bool sweep_check(const char *word, Arena *arena, Err *err);

/* All combinations of the words' factors, NULL-terminated. ERR_USAGE: a parameter is named twice, or there
 * are too many. */
bool sweep_read(const char *const *words, Arena *arena, Sweep *sweep, Err *err);
bool sweep_run(Simulation *simulation, const Progress *progress, Sweep *sweep, Err *err);
