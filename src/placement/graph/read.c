/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a trace into a temporal flow graph, process by process. The messages and collectives of a
 * process get the order of its task's steps (arrange.h), and their kinds are numbered. Their
 * sequence is folded while it is read. The computation after each message waits in a spool until
 * the loops are known; then it is added up by its place in them. So memory grows with a program's
 * structure, not with the number of iterations. */
#include "placement/graph/graph.h"

#include "model/lifetime.h"
#include "model/loops.h"
#include "model/traffic.h"
#include "placement/graph/arrange.h"
#include "placement/graph/collectives.h"
#include "placement/graph/epochs.h"
#include "placement/graph/trim.h"
#include "placement/graph/unroll.h"
#include <inttypes.h>

enum { BATCH_EVENTS = 4096, SPOOL_BYTES = 64 << 20 };

typedef struct GraphReading {
    StepSink sink; /* first member */
    EventSource *source;
    Arena *arena;
    TaskGraph *graph;
    Event *batch; /* [BATCH_EVENTS] */
    Collectives *collectives;
    Epochs *epochs;
    GraphCollectives way;
    double seconds; /* sum over processes: from first to last event */
    /* of the current process: */
    Map kind_of;
    VEC(Step) kinds;
    Loops loops;
    Spool *spool;
    Arrangement arrangement;
    int64_t first_ns; /* computation before the first message */
    Lifetime lifetime;
    uint64_t n_messages;
    bool overlaps; /* in some process, calls of threads overlap */
} GraphReading;

/* Ends the computation after the latest message. */
static bool finish_computation(GraphReading *reading, int64_t compute_ns, Err *err)
{
    if (reading->n_messages)
        return spool_write(reading->spool, 0, &compute_ns, err);
    reading->first_ns = compute_ns;
    return true;
}

static bool add_step(StepSink *sink, const Step *step, int64_t before_ns, Err *err)
{
    GraphReading *reading = (GraphReading *)sink;
    if (!finish_computation(reading, before_ns, err))
        return false;
    MapKey key = {(uint64_t)step->blocks << 40 | (uint64_t)step->kind << 34 | step->first << 32 | step->peer,
                  (uint64_t)step->bytes};
    size_t number = map_number(&reading->kind_of, key, reading->kinds.count);
    if (number == reading->kinds.count)
        *vec_push(&reading->kinds) = *step;
    loops_append(&reading->loops, (uint32_t)number);
    reading->n_messages++;
    return true;
}

/* Whether the call returns only when the message is on its way, or has come. A send beside which the
 * same call receives (MPI_Sendrecv) doesn't keep the receive waiting. */
static bool is_blocking(const Event *event, const Event *next)
{
    bool receives_too = event->kind == EVENT_SEND && next && next->kind == EVENT_RECV && event_is_of_call(next, event);
    return event->request == NO_REQUEST && !receives_too;
}

/* next: the process's next event, or NULL. */
static bool add_message(GraphReading *reading, uint32_t process, const Event *event, const Event *next, Err *err)
{
    StepKind kind = event->kind == EVENT_SEND ? STEP_SEND : STEP_RECV;
    if (event->peer >= reading->graph->n_tasks) {
        reading->graph->n_unmatched++;
        return true;
    }
    if ((double)event->bytes > BYTES_LIMIT)
        return err_set(err, ERR_INPUT, "process %u: a message of %" PRIu64 " bytes is impossible", process,
                       event->bytes);
    const Step step = {.kind = kind,
                       .peer = event->peer,
                       .bytes = (double)event->bytes,
                       .times = 1,
                       .blocks = is_blocking(event, next)};
    return arrangement_take_step(&reading->arrangement, event, &step, err);
}

/* Adds the one-sided operations that the event completes, and its notifications. */
static bool add_synchronisation(GraphReading *reading, const Event *event, Err *err)
{
    const Step *steps;
    size_t n = epochs_synchronise(reading->epochs, event, &steps);
    for (size_t i = 0; i < n; i++)
        if (!arrangement_take_step(&reading->arrangement, event, &steps[i], err))
            return false;
    return true;
}

static bool add_collective(GraphReading *reading, uint32_t process, const Event *event, Err *err)
{
    Step step;
    const Trace *trace = reading->source->trace;
    bool is_fence = event->comm < trace->n_comms && trace->comms[event->comm].is_window;
    if (is_fence && !add_synchronisation(reading, event, err))
        return false;
    bool is_kept = collectives_take(reading->collectives, process, event, &step);
    return !is_kept || reading->way == COLLECTIVES_LEFT_OUT ||
           arrangement_take_step(&reading->arrangement, event, &step, err);
}

static bool take_event(GraphReading *reading, uint32_t process, const Event *event, const Event *next, Err *err)
{
    lifetime_add(&reading->lifetime, event);
    if (event->kind == EVENT_BEGIN)
        return true;
    if (!arrangement_take_event(&reading->arrangement, event, err))
        return false;
    switch ((EventKind)event->kind) {
    case EVENT_SEND:
    case EVENT_RECV:
        return add_message(reading, process, event, next, err);
    case EVENT_COLLECTIVE:
        return add_collective(reading, process, event, err);
    case EVENT_ONE_SIDED:
        epochs_add(reading->epochs, event);
        return true;
    case EVENT_WINDOW_SYNC:
        return add_synchronisation(reading, event, err);
    case EVENT_BEGIN:
    case EVENT_END:
    case EVENT_RECV_POST:
    case EVENT_RECV_CANCEL:
    case EVENT_REQUEST_DONE:
        break;
    }
    return true;
}

static bool read_events(GraphReading *reading, uint32_t process, const Progress *progress, Err *err)
{
    Event *batch = reading->batch;
    for (size_t n = 0, count;; n = 1) { /* the last event of a batch waits for the next batch */
        if (!reading->source->read(reading->source, process, batch + n, BATCH_EVENTS - n, &count, err))
            return false;
        if (!count)
            return (!n || take_event(reading, process, batch, NULL, err)) &&
                   arrangement_finish(&reading->arrangement, err) &&
                   finish_computation(reading, reading->arrangement.compute_ns, err);
        for (size_t i = 0; i + 1 < n + count; i++)
            if (!take_event(reading, process, &batch[i], &batch[i + 1], err))
                return false;
        batch[0] = batch[n + count - 1];
        progress_report(progress, "reading events", process, reading->graph->n_tasks);
    }
}

static bool make_task(GraphReading *reading, Task *task, Err *err)
{
    StepList list = {0};
    Arena *scratch = arena_new();
    bool ok = true;
    steps_add_compute(&list, 1e-9 * (double)reading->first_ns);
    if (reading->n_messages) {
        uint32_t *ids = arena_new_array(scratch, uint32_t, reading->kinds.count);
        for (uint32_t i = 0; i < reading->kinds.count; i++)
            ids[i] = i;
        const Loop loop = loops_finish(&reading->loops, ids, scratch);
        ok = unroll_steps(&loop, reading->kinds.items, reading->spool, reading->arena, &list, err);
    }
    arena_free(scratch);
    task->steps = steps_take(&list, reading->arena, &task->n_steps);
    return ok;
}

static bool read_task(GraphReading *reading, uint32_t process, const Progress *progress, Task *task, Err *err)
{
    reading->spool = spool_new(1, sizeof(int64_t), SPOOL_BYTES);
    reading->arrangement = arrangement_new(reading->source->trace, process, &reading->sink);
    reading->first_ns = 0;
    reading->n_messages = 0;
    reading->lifetime = (Lifetime){0};
    epochs_start_process(reading->epochs, process);
    task->name = arena_printf(reading->arena, "%u", process);
    bool ok = read_events(reading, process, progress, err) && make_task(reading, task, err);
    reading->seconds += 1e-9 * (double)lifetime_ns(&reading->lifetime);
    reading->overlaps |= reading->arrangement.overlaps;
    arrangement_free(&reading->arrangement);
    spool_free(reading->spool);
    loops_free(&reading->loops);
    map_free(&reading->kind_of);
    reading->loops = (Loops){0};
    vec_free(&reading->kinds);
    return ok;
}

static int compare_receivers(const void *left, const void *right)
{
    const Traffic *a = left, *b = right;
    return (a->to > b->to) - (a->to < b->to);
}

/* Removes receives for which the trace has no send. */
static void leave_out_unmatched(TrafficTable *table, TaskGraph *graph, Task *tasks, Arena *arena)
{
    size_t n = table->pairs.count;
    Traffic *traffic = table->pairs.items;
    if (n)
        qsort(traffic, n, sizeof *traffic, compare_receivers);
    for (size_t from = 0, to; from < n; from = to) {
        VEC(ReceiveLimit) limits = {0};
        for (to = from; to < n && traffic[to].to == traffic[from].to; to++) {
            if (traffic[to].received <= traffic[to].sent)
                continue;
            *vec_push(&limits) = (ReceiveLimit){traffic[to].from, traffic[to].sent};
            graph->n_unmatched += traffic[to].received - traffic[to].sent;
        }
        if (limits.count)
            trim_receives(&tasks[traffic[from].to], limits.items, limits.count, arena);
        vec_free(&limits);
    }
}

static double share_of_time(const GraphReading *reading, double seconds)
{
    double share = reading->seconds > 0 ? seconds / reading->seconds : 0;
    return share < 1 ? share : 1;
}

/* The tasks as they were read, with collectives replaced by messages. */
static TaskGraph *expand(const GraphReading *reading, const Task *read)
{
    TaskGraph *graph = arena_new_array(reading->arena, TaskGraph, 1);
    Task *tasks = arena_new_array(reading->arena, Task, reading->graph->n_tasks);
    TrafficTable traffic = {0};
    double left_out_s, guessed_s;
    epochs_count(reading->epochs, &reading->graph->n_one_sided_left_out, &left_out_s);
    *graph = *reading->graph;
    graph->tasks = tasks;
    graph->has_collectives = reading->way != COLLECTIVES_LEFT_OUT;
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        tasks[i] = read[i];
        collectives_expand(reading->collectives, i, &tasks[i], &traffic, graph, reading->arena);
    }
    leave_out_unmatched(&traffic, graph, tasks, reading->arena);
    traffic_free(&traffic);
    collectives_count(reading->collectives, graph, &left_out_s, &guessed_s);
    graph->left_out_share = share_of_time(reading, left_out_s);
    graph->guessed_share = share_of_time(reading, guessed_s);
    return graph;
}

static bool may_lock(const GraphReading *reading, const TaskGraph *graph)
{
    return graph->n_collectives &&
           (graph->n_unmatched || reading->overlaps || collectives_may_lock(reading->collectives));
}

/* Expands collectives. If expanding creates a deadlock, drops nonblocking collectives, which stand
 * where they were posted. If that isn't enough, drops all. */
static TaskGraph *expand_safely(GraphReading *reading, const Task *read)
{
    Err ignored = {0};
    if (reading->way == COLLECTIVES_LEFT_OUT)
        collectives_leave_out_all(reading->collectives);
    else
        collectives_choose(reading->collectives, read, reading->graph->n_tasks);
    TaskGraph *graph = expand(reading, read);
    if (may_lock(reading, graph) && !graph_check_waits(graph, NULL, &ignored) &&
        collectives_leave_out_nonblocking(reading->collectives))
        graph = expand(reading, read);
    if (may_lock(reading, graph) && !graph_check_waits(graph, NULL, &ignored)) {
        collectives_leave_out_all(reading->collectives);
        graph = expand(reading, read);
    }
    return graph;
}

bool graph_read(EventSource *source, GraphCollectives collectives, const Progress *progress, Arena *arena,
                TaskGraph **graph, Err *err)
{
    uint32_t n = source->trace->application.n_processes;
    if (n > TASKS_LIMIT)
        return err_set(err, ERR_INPUT, "the trace has %u processes, and a task graph can have at most %d", n,
                       TASKS_LIMIT);
    Task *tasks = arena_new_array(arena, Task, n);
    TaskGraph read = {.source = "", .n_tasks = n, .tasks = tasks};
    GraphReading reading = {.sink = {add_step}, .source = source, .arena = arena, .graph = &read, .way = collectives};
    reading.collectives = collectives_new(source->trace, graph_collective_library(source->trace, collectives));
    reading.epochs = epochs_new(source->trace, collectives == COLLECTIVES_LEFT_OUT);
    reading.batch = memory_resize(NULL, BATCH_EVENTS * sizeof(Event));
    bool ok = true;
    for (uint32_t i = 0; ok && i < n; i++)
        ok = read_task(&reading, i, progress, &tasks[i], err);
    epochs_start_process(reading.epochs, n);
    if (ok)
        *graph = expand_safely(&reading, tasks);
    free(reading.batch);
    epochs_free(reading.epochs);
    collectives_free(reading.collectives);
    return ok;
}
