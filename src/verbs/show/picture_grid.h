/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes × ticks as a picture, for the logical trace and for a phase's content. Sends, receives
 * and collectives have colours, and types as labels if there is room. Arrows lead from sends to
 * receives. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "model/logical.h"
#include <stdbool.h>

typedef struct PictureColumn {
    uint64_t tick, lt;
} PictureColumn;

typedef struct PictureCell {
    size_t column; /* ascending */
    uint32_t row;
    CommType type;
} PictureCell;

typedef struct PictureArrow {
    size_t from_column, to_column;
    uint32_t from_row, to_row;
} PictureArrow;

typedef struct PictureGrid {
    const char *title;
    uint32_t first_row, end_row; /* processes [first, end) */
    bool has_times;              /* lt is known */
    size_t n_columns, n_cells, n_arrows;
    const PictureColumn *columns;
    const PictureCell *cells;
    const PictureArrow *arrows;
    const double *seconds; /* [end_row - first_row] a bar for each process at the right; NULL: none */
    const char *seconds_title;
} PictureGrid;

/* A file of SVG. More than a picture can hold: ERR_USAGE. */
bool picture_grid(const PictureGrid *grid, Arena *arena, const char **picture, Err *err);
