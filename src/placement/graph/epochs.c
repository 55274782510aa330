/* SPDX-License-Identifier: BSD-3-Clause */
/* See epochs.h. */
#include "placement/graph/epochs.h"

#include "base/map.h"
#include "base/vec.h"
#include <string.h>

/* Most collectives of windows, over all processes, whose steps are remembered. */
enum { NOTES_LIMIT = 1 << 24 };

typedef struct OperationList {
    VEC(Operation) items; /* ascending by `with`, once an epoch is over */
} OperationList;

/* A process's step at a collective of the window. */
typedef struct Note {
    uint32_t kind, operations;
} Note;

typedef struct Notes {
    VEC(Note) items; /* of each collective */
} Notes;

typedef struct Window {
    OperationList pending; /* of the current process */
    uint64_t n_pending, n_operations;
    double pending_s, operations_s;
    Notes *notes; /* [n_members] */
    bool is_left_out;
} Window;

struct Epochs {
    const Trace *trace;
    Window *windows; /* [n_comms]; only those of windows have content */
    Map number_of;   /* hash of a list -> 1 + its index in `lists` */
    VEC(OperationList) lists;
    Map reached_of;             /* kind of step -> index in `reached` */
    VEC(OperationList) reached; /* who reaches the process, and with what */
    VEC(uint32_t) touched;      /* windows with pending operations */
    uint64_t n_notes, n_left_out;
    double left_out_s;
};

Epochs *epochs_new(const Trace *trace)
{
    Epochs *epochs = memory_zeroed(1, sizeof *epochs);
    epochs->trace = trace;
    epochs->windows = memory_zeroed((size_t)trace->n_comms + 1, sizeof(Window));
    return epochs;
}

void epochs_free(Epochs *epochs)
{
    for (uint32_t i = 0; i < epochs->trace->n_comms; i++) {
        Window *window = &epochs->windows[i];
        for (uint32_t k = 0; window->notes && k < epochs->trace->comms[i].n_members; k++)
            vec_free(&window->notes[k].items);
        free(window->notes);
        vec_free(&window->pending.items);
    }
    for (size_t i = 0; i < epochs->lists.count; i++)
        vec_free(&epochs->lists.items[i].items);
    for (size_t i = 0; i < epochs->reached.count; i++)
        vec_free(&epochs->reached.items[i].items);
    free(epochs->windows);
    vec_free(&epochs->lists);
    vec_free(&epochs->reached);
    vec_free(&epochs->touched);
    map_free(&epochs->number_of);
    map_free(&epochs->reached_of);
    free(epochs);
}

/* ---- Reading ---- */

static Operation *operation_on(OperationList *list, uint32_t with)
{
    size_t at = 0;
    while (at < list->items.count && list->items.items[at].with < with)
        at++;
    if (at == list->items.count || list->items.items[at].with != with) {
        vec_push(&list->items);
        memmove(&list->items.items[at + 1], &list->items.items[at], (list->items.count - 1 - at) * sizeof(Operation));
        list->items.items[at] = (Operation){.with = with};
    }
    return &list->items.items[at];
}

static void drop_pending(Epochs *epochs, Window *window)
{
    epochs->n_left_out += window->n_pending;
    epochs->left_out_s += window->pending_s;
    window->pending.items.count = 0;
    window->n_pending = 0;
    window->pending_s = 0;
}

void epochs_start_process(Epochs *epochs)
{
    for (size_t i = 0; i < epochs->touched.count; i++)
        drop_pending(epochs, &epochs->windows[epochs->touched.items[i]]);
    epochs->touched.count = 0;
}

void epochs_add(Epochs *epochs, uint32_t window, uint32_t target, const Event *event)
{
    double seconds = event->leave_ns > event->enter_ns ? 1e-9 * (double)(event->leave_ns - event->enter_ns) : 0;
    if (target == NO_TARGET || !epochs->trace->comms[window].is_window) {
        epochs->n_left_out++;
        epochs->left_out_s += seconds;
        return;
    }
    if (!epochs->windows[window].n_pending)
        *vec_push(&epochs->touched) = window;
    Operation *operation = operation_on(&epochs->windows[window].pending, target);
    operation->sent += (double)event->bytes;
    operation->fetched += (double)event->bytes_received;
    epochs->windows[window].n_pending++;
    epochs->windows[window].pending_s += seconds;
}

static uint32_t list_number(Epochs *epochs, const OperationList *list)
{
    MapKey key = {1, list->items.count};
    for (size_t i = 0; i < list->items.count; i++) {
        const Operation *operation = &list->items.items[i];
        key = hash_word(hash_word(hash_word(key, operation->with), (uint64_t)operation->sent),
                        (uint64_t)operation->fetched);
    }
    size_t number = map_number(&epochs->number_of, key, epochs->lists.count);
    if (number == epochs->lists.count) {
        OperationList copy = {0};
        for (size_t i = 0; i < list->items.count; i++)
            *vec_push(&copy.items) = list->items.items[i];
        *vec_push(&epochs->lists) = copy;
    }
    return (uint32_t)number + 1;
}

uint32_t epochs_end(Epochs *epochs, uint32_t number, bool is_fence)
{
    Window *window = &epochs->windows[number];
    uint32_t list = 0;
    if (is_fence && window->pending.items.count) {
        list = list_number(epochs, &window->pending);
        window->n_operations += window->n_pending;
        window->operations_s += window->pending_s;
        window->n_pending = 0;
        window->pending_s = 0;
        window->pending.items.count = 0;
    }
    drop_pending(epochs, window);
    return list;
}

void epochs_note(Epochs *epochs, uint32_t number, uint32_t place, uint32_t kind, uint32_t operations)
{
    Window *window = &epochs->windows[number];
    const Comm *comm = &epochs->trace->comms[number];
    if (!comm->is_window || window->is_left_out)
        return;
    if (epochs->n_notes++ >= NOTES_LIMIT) {
        window->is_left_out = true;
        return;
    }
    if (!window->notes)
        window->notes = memory_zeroed(comm->n_members, sizeof *window->notes);
    *vec_push(&window->notes[place].items) = (Note){kind, operations};
}

/* ---- Who reaches whom ---- */

static bool reach_alike(const OperationList *one, const OperationList *other)
{
    for (size_t i = 0; i < one->items.count && i < other->items.count; i++) {
        const Operation *a = &one->items.items[i], *b = &other->items.items[i];
        if (a->with != b->with || (a->sent > 0) != (b->sent > 0) || (a->fetched > 0) != (b->fetched > 0))
            return false;
    }
    return one->items.count == other->items.count;
}

/* Compares with what reached the process at earlier steps of the kind. */
static bool is_reached_alike(Epochs *epochs, uint32_t kind, OperationList *list)
{
    size_t at = map_number(&epochs->reached_of, (MapKey){2, kind}, epochs->reached.count);
    if (at < epochs->reached.count)
        return reach_alike(&epochs->reached.items[at], list);
    *vec_push(&epochs->reached) = *list;
    *list = (OperationList){0};
    return true;
}

/* Collects who reaches each member in the epoch that ends with the window's collective of a
 * number. */
static void collect_epoch(const Epochs *epochs, const Window *window, uint32_t n, size_t at, OperationList *reached)
{
    for (uint32_t i = 0; i < n; i++)
        reached[i].items.count = 0;
    for (uint32_t origin = 0; origin < n; origin++) {
        if (at >= window->notes[origin].items.count || !window->notes[origin].items.items[at].operations)
            continue;
        const OperationList *list = &epochs->lists.items[window->notes[origin].items.items[at].operations - 1];
        for (size_t k = 0; k < list->items.count; k++) {
            const Operation *operation = &list->items.items[k];
            *vec_push(&reached[operation->with].items) = (Operation){origin, operation->sent, operation->fetched};
        }
    }
}

static bool resolve(Epochs *epochs, uint32_t number)
{
    const Window *window = &epochs->windows[number];
    uint32_t n = epochs->trace->comms[number].n_members;
    OperationList *reached = memory_zeroed(n, sizeof *reached);
    size_t most = 0;
    bool ok = true;
    for (uint32_t i = 0; i < n; i++)
        most = window->notes[i].items.count > most ? window->notes[i].items.count : most;
    for (size_t at = 0; ok && at < most; at++) {
        collect_epoch(epochs, window, n, at, reached);
        for (uint32_t i = 0; ok && i < n; i++)
            ok = at < window->notes[i].items.count
                     ? is_reached_alike(epochs, window->notes[i].items.items[at].kind, &reached[i])
                     : !reached[i].items.count;
    }
    for (uint32_t i = 0; i < n; i++)
        vec_free(&reached[i].items);
    free(reached);
    return ok;
}

void epochs_leave_out(Epochs *epochs, uint32_t number)
{
    epochs->windows[number].is_left_out = true;
}

void epochs_resolve(Epochs *epochs)
{
    epochs_start_process(epochs);
    for (uint32_t i = 0; i < epochs->trace->n_comms; i++) {
        Window *window = &epochs->windows[i];
        if (window->n_operations && !window->is_left_out)
            window->is_left_out = !resolve(epochs, i);
    }
}

void epochs_count(const Epochs *epochs, uint64_t *n_left_out, double *left_out_s)
{
    *n_left_out = epochs->n_left_out;
    *left_out_s = epochs->left_out_s;
    for (uint32_t i = 0; i < epochs->trace->n_comms; i++)
        if (epochs->windows[i].is_left_out) {
            *n_left_out += epochs->windows[i].n_operations;
            *left_out_s += epochs->windows[i].operations_s;
        }
}

/* ---- Messages ---- */

static void put_messages(const OperationList *list, uint32_t place, StepKind kind, bool fetched, MessageSink *sink)
{
    for (size_t i = 0; list && i < list->items.count; i++) {
        const Operation *operation = &list->items.items[i];
        double bytes = fetched ? operation->fetched : operation->sent;
        if (operation->with != place && bytes > 0)
            sink->put(sink, kind, operation->with, bytes, false);
    }
}

void epochs_put(const Epochs *epochs, uint32_t number, uint32_t place, uint32_t kind, uint32_t operations,
                MessageSink *sink)
{
    const uint64_t *at = map_get(&epochs->reached_of, (MapKey){2, kind});
    const OperationList *own = operations ? &epochs->lists.items[operations - 1] : NULL;
    const OperationList *reached = at ? &epochs->reached.items[*at] : NULL;
    if (epochs->windows[number].is_left_out)
        return;
    put_messages(own, place, STEP_SEND, false, sink);
    put_messages(reached, place, STEP_RECV, false, sink);
    put_messages(reached, place, STEP_SEND, true, sink);
    put_messages(own, place, STEP_RECV, true, sink);
}
