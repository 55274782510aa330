/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows of ticks that wait for receives (held.h). */
#include "signature/order/held.h"

#include "base/spill.h"
#include "base/vec.h"
#include <assert.h>

typedef struct PlacedEvent {
    uint64_t lt;
    uint32_t tag; /* receives only */
    TickKind kind;
    LogicalEvent event;
} PlacedEvent;

/* A part of a window that was spilled. */
typedef struct Piece {
    uint64_t offset; /* in the spill file */
    size_t count;
} Piece;

typedef VEC(PlacedEvent) PlacedEvents;

typedef struct HeldWindow {
    PlacedEvents placed; /* in memory; the spilled pieces come before them */
    VEC(Piece) pieces;
    uint64_t n_expected; /* sends in this window whose receive is missing */
    bool complete;
} HeldWindow;

/* The events of one process and tick that are yet to be handed on: numbers `next` up to `end` in
 * `sorted`. */
typedef struct RowSource {
    uint32_t next, end;
} RowSource;

struct Held {
    uint32_t n_processes, window_ticks;
    VEC(HeldWindow) windows; /* the last one is being filled */
    size_t first;            /* index of the first that isn't handed on */
    uint64_t first_number;   /* number of windows.items[first] */
    PlacedEvents spare;      /* buffer of the last window handed on, for the next one */
    size_t placed_bytes;     /* memory of all windows and the spare */
    size_t piece_bytes;
    /* All windows before this number are spilled, without what came to them later. */
    uint64_t not_spilled;
    VEC(uint64_t) refilled; /* numbers of spilled windows to which events came later */
    Spill spill;
    /* Numbers of placed events, to sort a window. */
    VEC(uint32_t) by_process, sorted;
    uint32_t *starts; /* [max(n_processes, ticks of both kinds) + 2] */
    size_t n_starts;
    VEC(RowSource) sources;
};

Held *held_new(uint32_t n_processes, uint32_t window_ticks)
{
    Held *held = memory_zeroed(1, sizeof *held);
    held->n_processes = n_processes;
    held->window_ticks = window_ticks;
    size_t n_ticks = 2 * ((size_t)window_ticks + 1);
    held->n_starts = (n_ticks > n_processes ? n_ticks : n_processes) + 2;
    held->starts = memory_resize(NULL, held->n_starts * sizeof *held->starts);
    *vec_push(&held->windows) = (HeldWindow){0};
    return held;
}

void held_free(Held *held)
{
    if (!held)
        return;
    for (size_t i = held->first; i < held->windows.count; i++) {
        vec_free(&held->windows.items[i].placed);
        vec_free(&held->windows.items[i].pieces);
    }
    vec_free(&held->windows);
    vec_free(&held->spare);
    vec_free(&held->refilled);
    spill_free(&held->spill);
    vec_free(&held->by_process);
    vec_free(&held->sorted);
    free(held->starts);
    vec_free(&held->sources);
    free(held);
}

static HeldWindow *window_of(Held *held, uint64_t lt)
{
    uint64_t number = lt / held->window_ticks;
    assert(number >= held->first_number && number - held->first_number < held->windows.count - held->first);
    return &held->windows.items[held->first + (number - held->first_number)];
}

void held_expect_receive(Held *held, uint64_t lt_of_send)
{
    window_of(held, lt_of_send)->n_expected++;
}

void held_forget_receive(Held *held, uint64_t lt_of_send)
{
    HeldWindow *window = window_of(held, lt_of_send);
    assert(window->n_expected);
    window->n_expected--;
}

static void place(Held *held, HeldWindow *window, const PlacedEvent *placed)
{
    if (!window->placed.count) {
        uint64_t number = held->first_number + (size_t)(window - (held->windows.items + held->first));
        if (number < held->not_spilled)
            *vec_push(&held->refilled) = number;
    }
    size_t capacity = window->placed.capacity;
    *vec_push(&window->placed) = *placed;
    held->placed_bytes += (window->placed.capacity - capacity) * sizeof(PlacedEvent);
}

/* A receive is stored with its send, although its tick may be the first of the next window. So a
 * window's first tick of receives is handed on with the last tick of sends of the window before. */
void held_place_receive(Held *held, uint64_t lt, uint32_t tag, const LogicalEvent *receive)
{
    assert(lt); /* its send's time is lower */
    HeldWindow *window = window_of(held, lt - 1);
    assert(window->n_expected);
    window->n_expected--;
    place(held, window, &(PlacedEvent){lt, tag, TICK_RECV, *receive});
}

void held_place_send(Held *held, uint64_t lt, const LogicalEvent *send)
{
    HeldWindow *last = &held->windows.items[held->windows.count - 1];
    assert(!last->complete);
    place(held, last, &(PlacedEvent){lt, 0, TICK_SEND, *send});
}

/* Sorting is stable: where no key differs, a process's events of one tick keep their order. */

static size_t row_of(const Held *held, const PlacedEvent *placed)
{
    return 2 * (size_t)(placed->lt - held->first_number * held->window_ticks) + (placed->kind == TICK_SEND);
}

/* Before: starts[k + 1] is the number of elements with key k. After: starts[k] is the place of the
 * first of them. */
static void add_up(uint32_t *starts, size_t n)
{
    for (size_t i = 1; i < n; i++)
        starts[i] += starts[i - 1];
}

/* Sorts by tick, then by process, with two counting sorts, the less significant key first. */
static void sort_by_row(Held *held, const PlacedEvents *placed)
{
    uint32_t n = (uint32_t)placed->count, *starts = held->starts;
    held->by_process.count = held->sorted.count = 0;
    vec_reserve(&held->by_process, n);
    vec_reserve(&held->sorted, n);
    memset(starts, 0, held->n_starts * sizeof *starts);
    for (uint32_t i = 0; i < n; i++)
        starts[placed->items[i].event.process + 1]++;
    add_up(starts, held->n_starts);
    assert(starts[held->n_starts - 1] == n);
    for (uint32_t i = 0; i < n; i++)
        held->by_process.items[starts[placed->items[i].event.process]++] = i;
    memset(starts, 0, held->n_starts * sizeof *starts);
    for (uint32_t i = 0; i < n; i++)
        starts[row_of(held, &placed->items[i]) + 1]++;
    add_up(starts, held->n_starts);
    assert(starts[held->n_starts - 1] == n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t number = held->by_process.items[i];
        held->sorted.items[starts[row_of(held, &placed->items[number])]++] = number;
    }
}

static int ascending(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_receives(const void *left, const void *right, void *items)
{
    uint32_t left_number = *(const uint32_t *)left, right_number = *(const uint32_t *)right;
    const PlacedEvent *a = (const PlacedEvent *)items + left_number, *b = (const PlacedEvent *)items + right_number;
    int by = ascending(a->event.type, b->event.type);
    by = by ? by : ascending(a->tag, b->tag);
    by = by ? by : ascending(a->event.bytes, b->event.bytes);
    by = by ? by : ascending((uint64_t)a->event.enter_ns, (uint64_t)b->event.enter_ns);
    by = by ? by : ascending(a->event.number, b->event.number);
    return by ? by : ascending(left_number, right_number);
}

/* The events [first, end) of `sorted` are of one process and tick. Mostly they are in the right
 * order already. */
static void sort_receives(Held *held, PlacedEvent *items, uint32_t first, uint32_t end)
{
    uint32_t *numbers = held->sorted.items;
    for (uint32_t i = first + 1; i < end; i++) {
        if (compare_receives(&numbers[i - 1], &numbers[i], items) > 0) {
            qsort_r(numbers + first, end - first, sizeof *numbers, compare_receives, items);
            return;
        }
    }
}

/* The events [first, end) of `sorted` are of one tick. Hands them on in as many rows as its fullest
 * process needs; the i-th event of each process is in the i-th row. */
static bool hand_on_tick(Held *held, PlacedEvent *items, uint32_t first, uint32_t end, TickOutput *output, Err *err)
{
    const uint32_t *numbers = held->sorted.items;
    held->sources.count = 0;
    for (uint32_t i = first, next; i < end; i = next) {
        for (next = i + 1; next < end && items[numbers[next]].event.process == items[numbers[i]].event.process; next++)
            ;
        sort_receives(held, items, i, next);
        *vec_push(&held->sources) = (RowSource){i, next};
    }
    while (held->sources.count) {
        size_t n_left = 0, n = held->sources.count;
        for (size_t i = 0; i < n; i++) {
            RowSource source = held->sources.items[i];
            output->row[i] = items[numbers[source.next++]].event;
            if (source.next < source.end)
                held->sources.items[n_left++] = source;
        }
        held->sources.count = n_left;
        if (!tick_output(output, items[numbers[first]].lt, items[numbers[first]].kind, n, err))
            return false;
    }
    return true;
}

static bool hand_on_window(Held *held, const PlacedEvents *placed, TickOutput *output, Err *err)
{
    sort_by_row(held, placed);
    const uint32_t *numbers = held->sorted.items;
    for (uint32_t i = 0, end; i < placed->count; i = end) {
        size_t row = row_of(held, &placed->items[numbers[i]]);
        for (end = i + 1; end < placed->count && row_of(held, &placed->items[numbers[end]]) == row; end++)
            ;
        if (!hand_on_tick(held, placed->items, i, end, output, err))
            return false;
    }
    return true;
}

/* Reads a window's pieces back, and puts them before the events in memory. */
static bool gather(Held *held, HeldWindow *window, Err *err)
{
    size_t n_spilled = 0, n_placed = window->placed.count, capacity = window->placed.capacity;
    for (size_t i = 0; i < window->pieces.count; i++)
        n_spilled += window->pieces.items[i].count;
    if (!n_spilled)
        return true;
    vec_reserve(&window->placed, n_spilled);
    held->placed_bytes += (window->placed.capacity - capacity) * sizeof(PlacedEvent);
    PlacedEvent *items = window->placed.items;
    if (n_placed)
        memmove(items + n_spilled, items, n_placed * sizeof *items);
    for (size_t i = 0, at = 0; i < window->pieces.count; at += window->pieces.items[i++].count)
        if (!spill_read(&held->spill, window->pieces.items[i].offset, items + at,
                        window->pieces.items[i].count * sizeof *items, err))
            return false;
    window->placed.count = n_spilled + n_placed;
    held->piece_bytes -= window->pieces.capacity * sizeof(Piece);
    vec_free(&window->pieces);
    return true;
}

/* Keeps the larger of the two buffers. */
static void keep_spare(Held *held, PlacedEvents *buffer)
{
    PlacedEvents *smaller = held->spare.capacity < buffer->capacity ? &held->spare : buffer;
    held->placed_bytes -= smaller->capacity * sizeof(PlacedEvent);
    vec_free(smaller);
    if (smaller == &held->spare)
        held->spare = *buffer;
    held->spare.count = 0;
    *buffer = (PlacedEvents){0};
}

static void forget_handed_on(Held *held)
{
    if (2 * held->first <= held->windows.count)
        return;
    size_t n_left = held->windows.count - held->first;
    memmove(held->windows.items, held->windows.items + held->first, n_left * sizeof(HeldWindow));
    held->windows.count = n_left;
    held->first = 0;
}

bool held_complete_window(Held *held, bool is_last, TickOutput *output, Err *err)
{
    held->windows.items[held->windows.count - 1].complete = true;
    while (held->first < held->windows.count) {
        HeldWindow *window = &held->windows.items[held->first];
        if (window->n_expected && !is_last)
            break;
        if (!gather(held, window, err) || !hand_on_window(held, &window->placed, output, err))
            return false;
        keep_spare(held, &window->placed);
        held->first++;
        held->first_number++;
    }
    forget_handed_on(held);
    if (!is_last) {
        *vec_push(&held->windows) = (HeldWindow){.placed = held->spare};
        held->spare = (PlacedEvents){0};
    }
    return true;
}

/* Spilling. */

size_t held_bytes(const Held *held)
{
    return held->placed_bytes + held->piece_bytes + held->windows.capacity * sizeof(HeldWindow) +
           (held->by_process.capacity + held->sorted.capacity + held->n_starts) * sizeof(uint32_t) +
           held->refilled.capacity * sizeof(uint64_t) + held->sources.capacity * sizeof(RowSource);
}

size_t held_spillable_bytes(const Held *held)
{
    return held->placed_bytes;
}

size_t held_window_bytes(uint32_t n_columns, uint32_t window_ticks)
{
    size_t n_events = 2 * (size_t)n_columns * window_ticks; /* each send-like event may be received */
    return n_events * (sizeof(PlacedEvent) + 2 * sizeof(uint32_t));
}

static bool spill_window(Held *held, HeldWindow *window, Err *err)
{
    uint64_t offset;
    if (window->placed.count) {
        if (!spill_write(&held->spill, window->placed.items, window->placed.count * sizeof(PlacedEvent), &offset, err))
            return false;
        size_t capacity = window->pieces.capacity;
        *vec_push(&window->pieces) = (Piece){offset, window->placed.count};
        held->piece_bytes += (window->pieces.capacity - capacity) * sizeof(Piece);
    }
    held->placed_bytes -= window->placed.capacity * sizeof(PlacedEvent);
    vec_free(&window->placed);
    return true;
}

bool held_spill(Held *held, Err *err)
{
    uint64_t end = held->first_number + (held->windows.count - held->first);
    HeldWindow *windows = held->windows.items + held->first;
    for (size_t i = 0; i < held->refilled.count; i++)
        if (held->refilled.items[i] >= held->first_number &&
            !spill_window(held, &windows[held->refilled.items[i] - held->first_number], err))
            return false;
    held->refilled.count = 0;
    uint64_t from = held->not_spilled > held->first_number ? held->not_spilled : held->first_number;
    for (uint64_t number = from; number < end; number++)
        if (!spill_window(held, &windows[number - held->first_number], err))
            return false;
    held->not_spilled = end;
    held->placed_bytes -= held->spare.capacity * sizeof(PlacedEvent);
    vec_free(&held->spare);
    return true;
}
