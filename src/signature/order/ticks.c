/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorts a window's events by tick, and hands on the ticks (ticks.h). */
#include "signature/order/ticks.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The cells of a window should fit a processor's cache. But a window needs enough rows for
 * processes to run for a while. */
enum { WINDOW_CELLS = 1 << 15, SHORTEST_WINDOW = 16 };

/* How many cells ahead of their use cells are fetched into the cache. */
enum { CELLS_AHEAD = 16 };

static uint32_t fitting_length(uint32_t n_columns)
{
    assert(n_columns);
    uint32_t length = WINDOW_CELLS / n_columns;
    return length < SHORTEST_WINDOW ? SHORTEST_WINDOW : length;
}

void ticks_init(Ticks *ticks, TickSink *sink, uint32_t n_processes, uint32_t n_columns, uint32_t length,
                const OrderMethod *method)
{
    *ticks = (Ticks){.kind = method->tick_kind,
                     .n_processes = n_processes,
                     .n_columns = n_columns,
                     .length = length ? length : fitting_length(n_columns),
                     .output.sink = sink};
    size_t n_cells = (size_t)n_columns * ticks->length;
    ticks->columns = memory_resize(NULL, n_cells * sizeof *ticks->columns);
    ticks->rows = memory_resize(NULL, n_cells * sizeof *ticks->rows);
    ticks->row_cells = memory_resize(NULL, n_cells * sizeof *ticks->row_cells);
    ticks->counts = memory_zeroed(n_columns, sizeof *ticks->counts);
    ticks->row_starts = memory_zeroed((size_t)ticks->length + 2, sizeof *ticks->row_starts);
    ticks->output.row = memory_resize(NULL, n_processes * sizeof *ticks->output.row);
    if (n_columns > n_processes) {
        ticks->output.numbers = memory_zeroed(n_processes, sizeof *ticks->output.numbers);
        ticks->cells = memory_resize(NULL, n_columns * sizeof *ticks->cells);
    }
    if (sink->wants_receives && !method->receives_ascend)
        ticks->held = held_new(n_processes, ticks->length);
}

void ticks_free(Ticks *ticks)
{
    free(ticks->columns);
    free(ticks->rows);
    free(ticks->row_cells);
    free(ticks->counts);
    free(ticks->row_starts);
    free(ticks->output.row);
    free(ticks->output.numbers);
    free(ticks->cells);
    held_free(ticks->held);
}

/* Sorts the numbers of the cells by row. In a row, processes ascend, because cells are visited by
 * column. The part of row r first is row_starts[r + 1] .. row_starts[r + 2]; at the end it is
 * row_starts[r] .. row_starts[r + 1]. */
static void sort_by_row(Ticks *ticks)
{
    uint32_t *starts = ticks->row_starts;
    memset(starts, 0, ((size_t)ticks->length + 2) * sizeof *starts);
    for (uint32_t column = 0; column < ticks->n_columns; column++) {
        const uint32_t *rows = ticks->rows + (size_t)column * ticks->length;
        for (uint32_t i = 0; i < ticks->counts[column]; i++)
            starts[rows[i] + 2]++;
    }
    for (uint32_t row = 0; row < ticks->length; row++)
        starts[row + 2] += starts[row + 1];
    for (uint32_t column = 0; column < ticks->n_columns; column++) {
        size_t first = (size_t)column * ticks->length;
        for (uint32_t i = 0; i < ticks->counts[column]; i++)
            ticks->row_cells[starts[ticks->rows[first + i] + 1]++] = (uint32_t)(first + i);
    }
}

static int compare_cells(const void *left, const void *right)
{
    const LogicalEvent *a = left, *b = right;
    int by = (a->process > b->process) - (a->process < b->process);
    by = by ? by : (a->type > b->type) - (a->type < b->type);
    by = by ? by : (a->bytes > b->bytes) - (a->bytes < b->bytes);
    return by ? by : (a->enter_ns > b->enter_ns) - (a->enter_ns < b->enter_ns);
}

/* Hands on a row in as many ticks as its fullest process needs: the i-th event of each process is in the
 * i-th. Events of one process are in an order that is the same in each run. */
static bool hand_on_cells(Ticks *ticks, uint64_t lt, uint32_t count, Err *err)
{
    LogicalEvent *cells = ticks->cells;
    qsort(cells, count, sizeof *cells, compare_cells);
    while (count) {
        uint32_t n = 0, n_left = 0;
        for (uint32_t i = 0; i < count; i++) {
            if (n && ticks->output.row[n - 1].process == cells[i].process)
                cells[n_left++] = cells[i];
            else
                ticks->output.row[n++] = cells[i];
        }
        count = n_left;
        if (!tick_output(&ticks->output, lt, ticks->kind, n, err))
            return false;
    }
    return true;
}

static bool hand_on_rows(Ticks *ticks, Err *err)
{
    sort_by_row(ticks);
    uint32_t n_cells = ticks->row_starts[ticks->length];
    for (uint32_t row = 0; row < ticks->length; row++) {
        uint32_t start = ticks->row_starts[row], count = ticks->row_starts[row + 1] - start;
        if (!count)
            continue;
        assert(count <= ticks->n_columns); /* at most one event per column and row */
        LogicalEvent *cells = ticks->cells ? ticks->cells : ticks->output.row;
        for (uint32_t i = 0; i < count; i++) {
            if (start + i + CELLS_AHEAD < n_cells)
                __builtin_prefetch(&ticks->columns[ticks->row_cells[start + i + CELLS_AHEAD]]);
            cells[i] = ticks->columns[ticks->row_cells[start + i]];
        }
        if (!(ticks->cells ? hand_on_cells(ticks, ticks->from + row, count, err)
                           : tick_output(&ticks->output, ticks->from + row, ticks->kind, count, err)))
            return false;
    }
    return true;
}

static bool hold_columns(Ticks *ticks, bool is_last, Err *err)
{
    for (uint32_t column = 0; column < ticks->n_columns; column++) {
        size_t first = (size_t)column * ticks->length;
        for (uint32_t i = 0; i < ticks->counts[column]; i++)
            held_place_send(ticks->held, ticks->from + ticks->rows[first + i], &ticks->columns[first + i]);
    }
    return held_complete_window(ticks->held, is_last, &ticks->output, err);
}

static bool complete_window(Ticks *ticks, bool is_last, Err *err)
{
    if (!(ticks->held ? hold_columns(ticks, is_last, err) : hand_on_rows(ticks, err)))
        return false;
    memset(ticks->counts, 0, ticks->n_columns * sizeof *ticks->counts);
    return true;
}

bool ticks_next_window(Ticks *ticks, Err *err)
{
    if (!complete_window(ticks, false, err))
        return false;
    ticks->from += ticks->length;
    return true;
}

bool ticks_finish(Ticks *ticks, Err *err)
{
    return complete_window(ticks, true, err);
}

size_t ticks_bytes(const Ticks *ticks)
{
    size_t n_cells = (size_t)ticks->n_columns * ticks->length;
    return n_cells * (sizeof *ticks->columns + sizeof *ticks->rows + sizeof *ticks->row_cells) +
           ticks->n_columns * (sizeof *ticks->counts + sizeof *ticks->output.row) +
           (ticks->length + 2) * sizeof *ticks->row_starts;
}
