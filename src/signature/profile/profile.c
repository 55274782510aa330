/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up calls, times and messages (profile.h). Reads one process after another, and puts events
 * together to calls as they come. */
#include "signature/profile/profile.h"

#include "base/map.h"
#include "base/vec.h"
#include <assert.h>
#include <stdlib.h>

enum { BATCH_EVENTS = 4096 };

typedef struct Profiling {
    Profile *profile;
    ProcessProfile *process;
    Event *batch; /* [BATCH_EVENTS] */
    Map pair_numbers, comm_numbers;
    VEC(PairProfile) pairs;
    VEC(CommProfile) comms;
    VEC(Event) call; /* events of the current call */
} Profiling;

static PairProfile *find_pair(Profiling *profiling, uint32_t source, uint32_t destination)
{
    size_t number = map_number(&profiling->pair_numbers, (MapKey){source, destination}, profiling->pairs.count);
    if (number == profiling->pairs.count)
        *vec_push(&profiling->pairs) = (PairProfile){.source = source, .destination = destination};
    return &profiling->pairs.items[number];
}

static CallProfile *find_comm(Profiling *profiling, uint32_t comm, uint32_t kind)
{
    uint32_t group = kind < CALL_ONE_SIDED ? CALL_SEND : kind;
    size_t number = map_number(&profiling->comm_numbers, (MapKey){comm, group}, profiling->comms.count);
    if (number == profiling->comms.count)
        *vec_push(&profiling->comms) = (CommProfile){.comm = comm, .kind = group};
    return &profiling->comms.items[number].calls;
}

static void add_call(CallProfile *calls, int64_t time_ns, uint64_t bytes_sent, uint64_t bytes_received)
{
    calls->n_calls++;
    calls->time_ns += time_ns;
    if (time_ns > calls->longest_ns)
        calls->longest_ns = time_ns;
    calls->bytes_sent += bytes_sent;
    calls->bytes_received += bytes_received;
}

static void count_message(Profiling *profiling, uint32_t process, const Event *event)
{
    PairProfile *pair = find_pair(profiling, process, event->peer);
    pair->n_messages++;
    pair->bytes += event->bytes;
    profiling->profile->n_messages++;
}

/* What an operation fetches goes from its target to the process. An operation that does both counts
 * once, with what it sends. */
static void count_one_sided(Profiling *profiling, uint32_t process, const Event *event)
{
    bool only_fetches = event->bytes_received && !event->bytes;
    if (!only_fetches) {
        PairProfile *out = find_pair(profiling, process, event->peer);
        out->n_one_sided++;
        out->one_sided_bytes += event->bytes;
    }
    if (!event->bytes_received)
        return;
    PairProfile *in = find_pair(profiling, event->peer, process);
    in->n_one_sided += only_fetches;
    in->one_sided_bytes += event->bytes_received;
}

static void finish_call(Profiling *profiling, uint32_t process)
{
    const Event *events = profiling->call.items, *carrier = NULL;
    size_t count = profiling->call.count;
    if (!count)
        return;
    uint64_t sent = 0, received = 0;
    for (size_t i = 0; i < count; i++) {
        const Event *event = &events[i];
        switch ((EventKind)event->kind) {
        case EVENT_SEND:
            count_message(profiling, process, event);
            sent += event->bytes;
            break;
        case EVENT_ONE_SIDED:
            count_one_sided(profiling, process, event);
            sent += event->bytes;
            received += event->bytes_received;
            break;
        case EVENT_WINDOW_SYNC:
            break;
        case EVENT_RECV:
            received += event->bytes;
            break;
        case EVENT_COLLECTIVE:
            sent += event->bytes;
            received += event->bytes_received;
            break;
        case EVENT_RECV_POST:
        case EVENT_RECV_CANCEL: /* neither tells the communicator */
        case EVENT_REQUEST_DONE:
        case EVENT_BEGIN:
        case EVENT_END:
            continue;
        }
        carrier = carrier ? carrier : event;
    }
    uint32_t kind = call_kind_of(events, count);
    assert(kind < CALL_KIND_COUNT);
    int64_t time_ns = events->leave_ns - events->enter_ns;
    add_call(&profiling->profile->calls[kind], time_ns, sent, received);
    add_call(&profiling->profile->all, time_ns, sent, received);
    add_call(&profiling->process->calls, time_ns, sent, received);
    if (carrier)
        add_call(find_comm(profiling, carrier->comm, kind), time_ns, sent, received);
    profiling->process->mpi_ns += time_ns;
    profiling->call.count = 0;
}

/* The application begins when MPI_Init returns, and ends when MPI_Finalize is entered. */
static void take_event(Profiling *profiling, uint32_t number, const Event *event)
{
    ProcessProfile *process = profiling->process;
    lifetime_add(&process->lifetime, event);
    if (event->kind == EVENT_BEGIN)
        return;
    process->compute_ns += event->compute_ns;
    if (event->kind == EVENT_END)
        return;
    if (profiling->call.count && !event_is_of_call(event, profiling->call.items))
        finish_call(profiling, number);
    *vec_push(&profiling->call) = *event;
}

static bool read_process(Profiling *profiling, EventSource *source, uint32_t number, ProcessProfile *process,
                         const Progress *progress, Err *err)
{
    Event *events = profiling->batch;
    profiling->process = process;
    for (;;) {
        size_t count;
        if (!source->read(source, number, events, BATCH_EVENTS, &count, err))
            return false;
        if (!count)
            break;
        for (size_t i = 0; i < count; i++)
            take_event(profiling, number, &events[i]);
        progress_report(progress, "reading events", number, profiling->profile->n_processes);
    }
    finish_call(profiling, number);
    return true;
}

static int compare_pairs(const void *left, const void *right)
{
    const PairProfile *a = left, *b = right;
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    return (a->destination > b->destination) - (a->destination < b->destination);
}

static int compare_comms(const void *left, const void *right)
{
    const CommProfile *a = left, *b = right;
    if (a->calls.time_ns != b->calls.time_ns)
        return a->calls.time_ns > b->calls.time_ns ? -1 : 1;
    if (a->comm != b->comm)
        return a->comm < b->comm ? -1 : 1;
    return (a->kind > b->kind) - (a->kind < b->kind);
}

/* Copies the lists that have grown to the arena, sorted. */
static void keep(Profiling *profiling, Arena *arena)
{
    Profile *profile = profiling->profile;
    PairProfile *pairs = vec_copy(&profiling->pairs, arena);
    CommProfile *comms = vec_copy(&profiling->comms, arena);
    qsort(pairs, profiling->pairs.count, sizeof *pairs, compare_pairs);
    qsort(comms, profiling->comms.count, sizeof *comms, compare_comms);
    profile->pairs = pairs;
    profile->n_pairs = profiling->pairs.count;
    profile->comms = comms;
    profile->n_comms = profiling->comms.count;
}

bool profile_read(EventSource *source, const Progress *progress, Arena *arena, Profile *profile, Err *err)
{
    Profile result = {.n_processes = source->trace->application.n_processes};
    ProcessProfile *processes = arena_new_array(arena, ProcessProfile, result.n_processes);
    Profiling profiling = {.profile = &result, .batch = memory_resize(NULL, BATCH_EVENTS * sizeof(Event))};
    result.processes = processes;
    bool ok = true;
    for (uint32_t i = 0; ok && i < result.n_processes; i++)
        ok = read_process(&profiling, source, i, &processes[i], progress, err);
    if (ok) {
        keep(&profiling, arena);
        *profile = result;
    }
    free(profiling.batch);
    map_free(&profiling.pair_numbers);
    map_free(&profiling.comm_numbers);
    vec_free(&profiling.pairs);
    vec_free(&profiling.comms);
    vec_free(&profiling.call);
    return ok;
}
