/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the row of a tick (rows.h). Programs loop, so a tick is first compared with the row that
 * came after the same row last time. */
#include "signature/phases/rows.h"

void rows_free(Rows *rows)
{
    vec_free(&rows->rows);
    vec_free(&rows->shapes);
    vec_free(&rows->cells);
    vec_free(&rows->volumes);
    map_free(&rows->row_of);
    map_free(&rows->shape_of);
}

static bool row_is(const Rows *rows, uint32_t row, const LogicalEvent *events, size_t count)
{
    if (row_shape(rows, row)->n_events != count)
        return false;
    const RowCell *cells = row_cells(rows, row);
    const uint64_t *volumes = row_volumes(rows, row);
    uint64_t differences = 0;
    for (size_t i = 0; i < count; i++)
        differences |=
            (cells[i].process ^ events[i].process) | (cells[i].type ^ events[i].type) | (volumes[i] ^ events[i].bytes);
    return !differences;
}

static uint32_t find_shape(Rows *rows, const LogicalEvent *events, size_t count)
{
    MapKey hash = {0x7368617065, count};
    for (size_t i = 0; i < count; i++)
        hash = hash_word(hash_word(hash, events[i].process), events[i].type);
    uint32_t number = (uint32_t)map_number(&rows->shape_of, hash, rows->shapes.count);
    if (number < rows->shapes.count)
        return number;
    *vec_push(&rows->shapes) = (RowShape){rows->cells.count, (uint32_t)count};
    for (size_t i = 0; i < count; i++)
        *vec_push(&rows->cells) = (RowCell){events[i].process, events[i].type};
    return number;
}

static uint32_t look_up(Rows *rows, const LogicalEvent *events, size_t count)
{
    uint32_t shape = find_shape(rows, events, count);
    MapKey hash = {0x726f77, shape};
    for (size_t i = 0; i < count; i++)
        hash = hash_word(hash, events[i].bytes);
    uint32_t number = (uint32_t)map_number(&rows->row_of, hash, rows->rows.count);
    if (number < rows->rows.count)
        return number;
    *vec_push(&rows->rows) = (Row){shape, NO_ROW, rows->volumes.count};
    for (size_t i = 0; i < count; i++)
        *vec_push(&rows->volumes) = events[i].bytes;
    return number;
}

uint32_t rows_find(Rows *rows, uint32_t previous, const LogicalEvent *events, size_t count)
{
    if (previous != NO_ROW) {
        uint32_t following = rows->rows.items[previous].following;
        if (following != NO_ROW && row_is(rows, following, events, count))
            return following;
    }
    uint32_t row = look_up(rows, events, count);
    if (previous != NO_ROW)
        rows->rows.items[previous].following = row;
    return row;
}
