/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes × ticks as text, as the thesis draws a logical trace. Columns that don't fit into the
 * terminal's width follow below:
 *
 *     tick   0   1   2
 *     LT     0   1   1
 *     0     +1  -1   .
 *     1     +0   .  -0
 */
#pragma once

#include "base/arena.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GRID_HEADERS 2

typedef struct GridColumn {
    uint64_t headers[GRID_HEADERS];
    size_t first_cell, n_cells; /* ascending by row */
} GridColumn;

typedef struct Grid {
    const char *corners[GRID_HEADERS]; /* names of the headers; NULL: no such line */
    uint32_t first_row, end_row;       /* processes [first, end) */
    uint32_t rows_limit;               /* most rows that are printed; 0: no limit */
    const char *option;                /* shows the others */
    size_t n_columns;
    const GridColumn *columns;
    const void *self;
    uint32_t (*row_of)(const void *self, size_t cell);
    void (*write)(const void *self, size_t cell, char text[96]);
    bool (*is_dim)(const void *self, size_t cell); /* NULL: none is */
} Grid;

/* With more rows than this, rows without a cell in the printed columns are left out. */
#define GRID_WHOLE_ROWS 64

/* Rows of processes that are printed, if the user doesn't say how many. */
#define GRID_SHOWN_ROWS 64

/* Lines of at most `width` columns, unless a single column of the grid takes more. */
const char *grid_text(const Grid *grid, size_t width, bool color, Arena *arena);
