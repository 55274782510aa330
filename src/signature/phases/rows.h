/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores each different content of a tick once. A *row* tells which processes have an event, of
 * which type and volume. Rows that differ in volumes alone have the same *shape*. */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "model/logical.h"

#define NO_ROW UINT32_MAX

typedef struct RowCell {
    uint32_t process;
    CommType type;
} RowCell;

typedef struct RowShape {
    size_t first_cell;
    uint32_t n_events;
} RowShape;

typedef struct Row {
    uint32_t shape;
    uint32_t following; /* the row that last followed this one, or NO_ROW */
    size_t first_volume;
} Row;

typedef struct Rows {
    VEC(Row) rows;
    VEC(RowShape) shapes;
    VEC(RowCell) cells;
    VEC(uint64_t) volumes;
    Map row_of, shape_of; /* content -> number */
} Rows;                   /* zero-initialise */

void rows_free(Rows *rows);

/* Returns the number of the tick's row. The row is new if no earlier tick had the same content.
 * `previous`: the row of the tick before, or NO_ROW. */
uint32_t rows_find(Rows *rows, uint32_t previous, const LogicalEvent *events, size_t count);

static inline const RowShape *row_shape(const Rows *rows, uint32_t row)
{
    return &rows->shapes.items[rows->rows.items[row].shape];
}

/* Both: [row_shape()->n_events] */
static inline const RowCell *row_cells(const Rows *rows, uint32_t row)
{
    return rows->cells.items + row_shape(rows, row)->first_cell;
}
static inline const uint64_t *row_volumes(const Rows *rows, uint32_t row)
{
    return rows->volumes.items + rows->rows.items[row].first_volume;
}
