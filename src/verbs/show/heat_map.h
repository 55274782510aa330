/* SPDX-License-Identifier: BSD-3-Clause */
/* A picture of a matrix: who sends how much to whom. */
#pragma once

#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct HeatMap {
    const char *name;          /* of the application */
    const char *one, *several; /* "process", "processes" */
    bool are_messages;         /* numbers of messages instead of bytes */
    uint32_t n, block;         /* senders, and how many of them share a row */
    const double *values;      /* [n / block, rounded up]², by sender, then receiver */
} HeatMap;

/* Most rows of a picture. */
enum { HEAT_MAP_ROWS = 128 };

/* A script for plot_draw. */
const char *heat_map(const HeatMap *map, Arena *arena);
