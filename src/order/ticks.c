/* SPDX-License-Identifier: BSD-3-Clause */
/* See ticks.h. */
#include "order/ticks.h"

/* A window's cells should stay in a processor's cache; but rows must be many enough that processes run for a while. */
enum { WINDOW_CELLS = 1 << 15, SHORTEST_WINDOW = 16, LONGEST_WINDOW = 65536 };

typedef struct PlacedEvent {
    uint64_t lt;
    uint32_t tag; /* receives only */
    TickKind kind;
    LogicalEvent event;
} PlacedEvent;

typedef struct HeldWindow {
    VEC(PlacedEvent) placed;
    uint64_t n_expected; /* receives of sends in this window */
    bool complete;
} HeldWindow;

void ticks_init(Ticks *ticks, TickSink *sink, uint32_t n_processes, TickKind kind, bool holds)
{
    *ticks = (Ticks){
        .sink = sink, .kind = kind, .holds = holds, .n_processes = n_processes, .length = WINDOW_CELLS / n_processes};
    if (ticks->length < SHORTEST_WINDOW)
        ticks->length = SHORTEST_WINDOW;
    if (ticks->length > LONGEST_WINDOW)
        ticks->length = LONGEST_WINDOW;
    size_t n_cells = (size_t)n_processes * ticks->length;
    ticks->columns = memory_resize(NULL, n_cells * sizeof *ticks->columns);
    ticks->rows = memory_resize(NULL, n_cells * sizeof *ticks->rows);
    ticks->row_cells = memory_resize(NULL, n_cells * sizeof *ticks->row_cells);
    ticks->counts = memory_zeroed(n_processes, sizeof *ticks->counts);
    ticks->row_starts = memory_zeroed((size_t)ticks->length + 2, sizeof *ticks->row_starts);
    ticks->row = memory_resize(NULL, n_processes * sizeof *ticks->row);
    if (holds)
        *vec_push(&ticks->held) = (HeldWindow){0};
}

void ticks_free(Ticks *ticks)
{
    free(ticks->columns);
    free(ticks->rows);
    free(ticks->row_cells);
    free(ticks->counts);
    free(ticks->row_starts);
    free(ticks->row);
    for (size_t i = ticks->first_held; i < ticks->held.count; i++)
        vec_free(&ticks->held.items[i].placed);
    vec_free(&ticks->held);
}

/* Sorts the numbers of the cells by row; within a row they come by process, because they are visited so.
 * row_starts[r + 1] .. row_starts[r + 2] becomes the part of row r, then moves to row_starts[r] .. [r + 1]. */
static void sort_by_row(Ticks *ticks)
{
    uint32_t *starts = ticks->row_starts;
    memset(starts, 0, ((size_t)ticks->length + 2) * sizeof *starts);
    for (uint32_t process = 0; process < ticks->n_processes; process++) {
        const uint32_t *rows = ticks->rows + (size_t)process * ticks->length;
        for (uint32_t i = 0; i < ticks->counts[process]; i++)
            starts[rows[i] + 2]++;
    }
    for (uint32_t row = 0; row < ticks->length; row++)
        starts[row + 2] += starts[row + 1];
    for (uint32_t process = 0; process < ticks->n_processes; process++) {
        size_t first = (size_t)process * ticks->length;
        for (uint32_t i = 0; i < ticks->counts[process]; i++)
            ticks->row_cells[starts[ticks->rows[first + i] + 1]++] = (uint32_t)(first + i);
    }
}

static bool hand_on(Ticks *ticks, uint64_t lt, TickKind kind, size_t count, Err *err)
{
    ticks->n_ticks++;
    return ticks->sink->tick(ticks->sink, lt, kind, ticks->row, count, err);
}

static bool hand_on_rows(Ticks *ticks, Err *err)
{
    sort_by_row(ticks);
    for (uint32_t row = 0; row < ticks->length; row++) {
        uint32_t start = ticks->row_starts[row], count = ticks->row_starts[row + 1] - start;
        if (!count)
            continue;
        for (uint32_t i = 0; i < count; i++)
            ticks->row[i] = ticks->columns[ticks->row_cells[start + i]];
        if (!hand_on(ticks, ticks->from + row, ticks->kind, count, err))
            return false;
    }
    return true;
}

/* With receives. */

static HeldWindow *held_window(Ticks *ticks, uint64_t lt)
{
    uint64_t first_number = ticks->from / ticks->length + 1 - (ticks->held.count - ticks->first_held);
    return &ticks->held.items[ticks->first_held + (lt / ticks->length - first_number)];
}

void ticks_expect_receive(Ticks *ticks, uint64_t lt_of_send)
{
    held_window(ticks, lt_of_send)->n_expected++;
}

void ticks_forget_receive(Ticks *ticks, uint64_t lt_of_send)
{
    held_window(ticks, lt_of_send)->n_expected--;
}

/* A receive stands with its send, though its tick may be the first of the next window: a window's first TickRecv is
 * handed on with the last TickSend of the window before. */
void ticks_place_receive(Ticks *ticks, uint64_t lt, uint32_t tag, const LogicalEvent *receive)
{
    HeldWindow *window = held_window(ticks, lt - 1);
    window->n_expected--;
    *vec_push(&window->placed) = (PlacedEvent){lt, tag, TICK_RECV, *receive};
}

static int ascending(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_placed(const void *left, const void *right)
{
    const PlacedEvent *a = left, *b = right;
    int by = ascending(a->lt, b->lt);
    by = by ? by : ascending(a->kind, b->kind);
    by = by ? by : ascending(a->event.process, b->event.process);
    by = by ? by : ascending(a->event.type, b->event.type);
    by = by ? by : ascending(a->tag, b->tag);
    by = by ? by : ascending(a->event.bytes, b->event.bytes);
    by = by ? by : ascending((uint64_t)a->event.enter_ns, (uint64_t)b->event.enter_ns);
    return by ? by : ascending(a->event.number, b->event.number);
}

/* Hands on the events [first, end) of one tick: in as many rows as its fullest process needs, the i-th event of each
 * process in the i-th row. */
static bool hand_on_tick(Ticks *ticks, const PlacedEvent *first, const PlacedEvent *end, Err *err)
{
    VEC(uint32_t) starts = {0}; /* where each process's events start */
    size_t n = (size_t)(end - first);
    for (size_t i = 0; i < n; i++)
        if (!i || first[i].event.process != first[i - 1].event.process)
            *vec_push(&starts) = (uint32_t)i;
    size_t n_starts = starts.count;
    *vec_push(&starts) = (uint32_t)n;
    bool ok = true;
    for (uint32_t depth = 0; ok; depth++) {
        size_t count = 0;
        for (size_t s = 0; s < n_starts; s++)
            if (starts.items[s] + depth < starts.items[s + 1])
                ticks->row[count++] = first[starts.items[s] + depth].event;
        if (!count)
            break;
        ok = hand_on(ticks, first->lt, first->kind, count, err);
    }
    vec_free(&starts);
    return ok;
}

static bool hand_on_held(Ticks *ticks, HeldWindow *window, Err *err)
{
    PlacedEvent *placed = window->placed.items;
    size_t n = window->placed.count;
    if (n)
        qsort(placed, n, sizeof *placed, compare_placed);
    for (size_t i = 0; i < n;) {
        size_t end = i + 1;
        while (end < n && placed[end].lt == placed[i].lt && placed[end].kind == placed[i].kind)
            end++;
        if (!hand_on_tick(ticks, placed + i, placed + end, err))
            return false;
        i = end;
    }
    return true;
}

/* Moves the columns into the current held window. */
static void hold_columns(Ticks *ticks)
{
    HeldWindow *window = &ticks->held.items[ticks->held.count - 1];
    for (uint32_t process = 0; process < ticks->n_processes; process++) {
        size_t first = (size_t)process * ticks->length;
        for (uint32_t i = 0; i < ticks->counts[process]; i++)
            *vec_push(&window->placed) =
                (PlacedEvent){ticks->from + ticks->rows[first + i], 0, TICK_SEND, ticks->columns[first + i]};
    }
    window->complete = true;
}

static bool release_held(Ticks *ticks, bool all, Err *err)
{
    while (ticks->first_held < ticks->held.count) {
        HeldWindow *window = &ticks->held.items[ticks->first_held];
        if (!window->complete || (window->n_expected && !all))
            break;
        if (!hand_on_held(ticks, window, err))
            return false;
        vec_free(&window->placed);
        ticks->first_held++;
    }
    if (2 * ticks->first_held > ticks->held.count) {
        size_t kept = ticks->held.count - ticks->first_held;
        memmove(ticks->held.items, ticks->held.items + ticks->first_held, kept * sizeof(HeldWindow));
        ticks->held.count = kept;
        ticks->first_held = 0;
    }
    return true;
}

static bool complete_window(Ticks *ticks, bool last, Err *err)
{
    if (ticks->holds) {
        hold_columns(ticks);
        if (!release_held(ticks, last, err))
            return false;
    } else if (!hand_on_rows(ticks, err)) {
        return false;
    }
    memset(ticks->counts, 0, ticks->n_processes * sizeof *ticks->counts);
    return true;
}

bool ticks_next_window(Ticks *ticks, Err *err)
{
    if (!complete_window(ticks, false, err))
        return false;
    ticks->from += ticks->length;
    if (ticks->holds)
        *vec_push(&ticks->held) = (HeldWindow){0};
    return true;
}

bool ticks_finish(Ticks *ticks, Err *err)
{
    return complete_window(ticks, true, err);
}
