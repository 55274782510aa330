/* SPDX-License-Identifier: BSD-3-Clause */
/* See epochs.h. */
#include "placement/graph/epochs.h"

#include "base/vec.h"
#include <stdlib.h>
#include <string.h>

/* Operations on a target: all since the last synchronisation, or the one with a request. */
typedef struct Access {
    uint32_t peer;
    double sent, fetched, seconds;
    uint64_t n, request;
} Access;

typedef struct Window {
    VEC(Access) shared;              /* without requests: one for each target, ascending */
    VEC(Access) requested;           /* in the order of their posting */
    VEC(uint32_t) notified, awaited; /* members, since the last such synchronisation with all */
    bool is_touched;
} Window;

struct Epochs {
    const Trace *trace;
    bool leaves_out;
    uint32_t process;
    Window *windows;       /* [n_comms] */
    VEC(uint32_t) touched; /* windows that the process has used */
    VEC(Access) complete;  /* what the current synchronisation completes */
    VEC(Step) steps;
    uint64_t n_left_out;
    double left_out_s;
};

Epochs *epochs_new(const Trace *trace, bool leaves_out)
{
    Epochs *epochs = memory_zeroed(1, sizeof *epochs);
    epochs->trace = trace;
    epochs->leaves_out = leaves_out;
    epochs->windows = memory_zeroed((size_t)trace->n_comms + 1, sizeof(Window));
    return epochs;
}

void epochs_free(Epochs *epochs)
{
    for (uint32_t i = 0; i < epochs->trace->n_comms; i++) {
        vec_free(&epochs->windows[i].shared);
        vec_free(&epochs->windows[i].requested);
        vec_free(&epochs->windows[i].notified);
        vec_free(&epochs->windows[i].awaited);
    }
    free(epochs->windows);
    vec_free(&epochs->touched);
    vec_free(&epochs->complete);
    vec_free(&epochs->steps);
    free(epochs);
}

static void leave_out(Epochs *epochs, const Access *access)
{
    epochs->n_left_out += access->n;
    epochs->left_out_s += access->seconds;
}

void epochs_start_process(Epochs *epochs, uint32_t process)
{
    for (size_t i = 0; i < epochs->touched.count; i++) {
        Window *window = &epochs->windows[epochs->touched.items[i]];
        for (size_t k = 0; k < window->shared.count; k++)
            leave_out(epochs, &window->shared.items[k]);
        for (size_t k = 0; k < window->requested.count; k++)
            leave_out(epochs, &window->requested.items[k]);
        window->shared.count = window->requested.count = window->notified.count = window->awaited.count = 0;
        window->is_touched = false;
    }
    epochs->touched.count = 0;
    epochs->process = process;
}

static Window *touch(Epochs *epochs, uint32_t number)
{
    Window *window = &epochs->windows[number];
    if (!window->is_touched)
        *vec_push(&epochs->touched) = number;
    window->is_touched = true;
    return window;
}

static Access *shared_of(Window *window, uint32_t peer)
{
    size_t at = 0, n = window->shared.count;
    vec_bisect(at, n, window->shared.items[at].peer < peer);
    if (at == n || window->shared.items[at].peer != peer) {
        vec_push(&window->shared);
        memmove(&window->shared.items[at + 1], &window->shared.items[at], (n - at) * sizeof(Access));
        window->shared.items[at] = (Access){.peer = peer, .request = NO_REQUEST};
    }
    return &window->shared.items[at];
}

void epochs_add(Epochs *epochs, const Event *event)
{
    Access access = {.peer = event->peer, .n = 1, .request = event->request};
    access.sent = (double)event->bytes;
    access.fetched = (double)event->bytes_received;
    access.seconds = event->leave_ns > event->enter_ns ? 1e-9 * (double)(event->leave_ns - event->enter_ns) : 0;
    bool is_known = event->comm < epochs->trace->n_comms && event->peer < epochs->trace->application.n_processes;
    if (!is_known || epochs->leaves_out) {
        leave_out(epochs, &access);
        return;
    }
    Window *window = touch(epochs, event->comm);
    if (event->request != NO_REQUEST) {
        *vec_push(&window->requested) = access;
        return;
    }
    Access *shared = shared_of(window, event->peer);
    shared->sent += access.sent;
    shared->fetched += access.fetched;
    shared->seconds += access.seconds;
    shared->n++;
}

/* ---- Completion ---- */

static bool is_complete(const Access *access, const Event *event)
{
    if (event->kind == EVENT_WINDOW_SYNC && event->request != NO_REQUEST)
        return access->request == event->request;
    return event->kind == EVENT_COLLECTIVE || event->peer == EVERY_PEER || access->peer == event->peer;
}

/* Takes what the event completes out of a list. */
static size_t take_complete(Epochs *epochs, const Event *event, Access *accesses, size_t n)
{
    size_t n_left = 0;
    for (size_t i = 0; i < n; i++) {
        if (is_complete(&accesses[i], event))
            *vec_push(&epochs->complete) = accesses[i];
        else
            accesses[n_left++] = accesses[i];
    }
    return n_left;
}

static int compare_peers(const void *left, const void *right)
{
    const Access *a = left, *b = right;
    return (a->peer > b->peer) - (a->peer < b->peer);
}

static void add_step(Epochs *epochs, StepKind kind, uint32_t peer, double bytes, bool blocks)
{
    *vec_push(&epochs->steps) = (Step){.kind = kind, .peer = peer, .bytes = bytes, .times = 1, .blocks = blocks};
}

/* All operations on a target together are a put and a get. The last step waits for all of them. */
static void complete(Epochs *epochs, const Event *event)
{
    Window *window = touch(epochs, event->comm);
    epochs->complete.count = 0;
    window->shared.count = take_complete(epochs, event, window->shared.items, window->shared.count);
    window->requested.count = take_complete(epochs, event, window->requested.items, window->requested.count);
    size_t n = epochs->complete.count;
    const Access *accesses = epochs->complete.items;
    if (n)
        qsort(epochs->complete.items, n, sizeof(Access), compare_peers);
    for (size_t from = 0, to; from < n; from = to) {
        double sent = 0, fetched = 0;
        for (to = from; to < n && accesses[to].peer == accesses[from].peer; to++) {
            sent += accesses[to].sent;
            fetched += accesses[to].fetched;
        }
        bool is_own = accesses[from].peer == epochs->process;
        if (sent > 0 && !is_own)
            add_step(epochs, STEP_PUT, accesses[from].peer, sent, false);
        if (fetched > 0 && !is_own)
            add_step(epochs, STEP_GET, accesses[from].peer, fetched, false);
    }
    if (epochs->steps.count)
        epochs->steps.items[epochs->steps.count - 1].blocks = true;
}

/* ---- Notification: an empty message ---- */

static void notify(Epochs *epochs, const Event *event)
{
    Window *window = touch(epochs, event->comm);
    bool sends = event->collective == WINDOW_SYNC_NOTIFY;
    StepKind kind = sends ? STEP_SEND : STEP_RECV;
    if (event->peer != EVERY_PEER) {
        if (event->peer >= epochs->trace->application.n_processes)
            return;
        if (event->peer != epochs->process)
            add_step(epochs, kind, event->peer, 0, !sends);
        if (sends)
            *vec_push(&window->notified) = event->peer;
        else
            *vec_push(&window->awaited) = event->peer;
        return;
    }
    size_t n = sends ? window->awaited.count : window->notified.count;
    const uint32_t *members = sends ? window->awaited.items : window->notified.items;
    for (size_t i = 0; i < n; i++)
        if (members[i] != epochs->process)
            add_step(epochs, kind, members[i], 0, !sends);
    if (sends)
        window->awaited.count = 0;
    else
        window->notified.count = 0;
}

size_t epochs_synchronise(Epochs *epochs, const Event *event, const Step **steps)
{
    epochs->steps.count = 0;
    if (event->comm < epochs->trace->n_comms && !epochs->leaves_out) {
        if (event->kind == EVENT_COLLECTIVE || event->collective == WINDOW_SYNC_COMPLETE)
            complete(epochs, event);
        else
            notify(epochs, event);
    }
    *steps = epochs->steps.items;
    return epochs->steps.count;
}

void epochs_count(const Epochs *epochs, uint64_t *n_left_out, double *left_out_s)
{
    *n_left_out = epochs->n_left_out;
    *left_out_s = epochs->left_out_s;
}
