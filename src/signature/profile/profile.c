/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up calls, times and messages (profile.h). Processes may be read in any order, interleaved. Events are put
 * together to calls as they come. */
#include "signature/profile/profile.h"

#include "base/map.h"
#include "base/vec.h"
#include <assert.h>
#include <stdlib.h>

enum { BATCH_EVENTS = 4096 };

enum { PAIRS_KEPT = 64 }; /* of a process: those of its latest partners, which spare most searches */

typedef struct KeptPair {
    uint32_t destination, number; /* number: in `pairs`, from 1; 0: none */
} KeptPair;

typedef struct ProfiledProcess {
    ProcessProfile profile;
    VEC(Event) call;           /* events of the current call */
    KeptPair kept[PAIRS_KEPT]; /* by the destination's last bits */
} ProfiledProcess;

struct ProfileWatch {
    EventSource source; /* the first member, so that pointers to both convert */
    EventSource *from;
    Profile profile;
    ProfiledProcess *processes; /* [n_processes] */
    Map pair_numbers, comm_numbers;
    VEC(PairProfile) pairs;
    VEC(CommProfile) comms;
    size_t latest_comm;
};

static PairProfile *find_pair(ProfileWatch *watch, uint32_t source, uint32_t destination)
{
    KeptPair *kept = &watch->processes[source].kept[destination % PAIRS_KEPT];
    if (kept->number && kept->destination == destination)
        return &watch->pairs.items[kept->number - 1];
    size_t number = map_number(&watch->pair_numbers, (MapKey){source, destination}, watch->pairs.count);
    if (number == watch->pairs.count)
        *vec_push(&watch->pairs) = (PairProfile){.source = source, .destination = destination};
    *kept = (KeptPair){destination, (uint32_t)number + 1};
    return &watch->pairs.items[number];
}

static CallProfile *find_comm(ProfileWatch *watch, uint32_t comm, uint32_t kind)
{
    uint32_t group = kind < CALL_ONE_SIDED ? CALL_SEND : kind;
    CommProfile *latest = watch->latest_comm < watch->comms.count ? &watch->comms.items[watch->latest_comm] : NULL;
    if (latest && latest->comm == comm && latest->kind == group)
        return &latest->calls;
    size_t number = map_number(&watch->comm_numbers, (MapKey){comm, group}, watch->comms.count);
    if (number == watch->comms.count)
        *vec_push(&watch->comms) = (CommProfile){.comm = comm, .kind = group};
    watch->latest_comm = number;
    return &watch->comms.items[number].calls;
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

static void count_message(ProfileWatch *watch, uint32_t process, const Event *event)
{
    PairProfile *pair = find_pair(watch, process, event->peer);
    pair->n_messages++;
    pair->bytes += event->bytes;
    watch->profile.n_messages++;
}

/* What an operation fetches goes from its target to the process. An operation that does both counts
 * once, with what it sends. */
static void count_one_sided(ProfileWatch *watch, uint32_t process, const Event *event)
{
    bool only_fetches = event->bytes_received && !event->bytes;
    if (!only_fetches) {
        PairProfile *out = find_pair(watch, process, event->peer);
        out->n_one_sided++;
        out->one_sided_bytes += event->bytes;
    }
    if (!event->bytes_received)
        return;
    PairProfile *in = find_pair(watch, event->peer, process);
    in->n_one_sided += only_fetches;
    in->one_sided_bytes += event->bytes_received;
}

static void finish_call(ProfileWatch *watch, uint32_t process)
{
    ProfiledProcess *of = &watch->processes[process];
    const Event *events = of->call.items, *carrier = NULL;
    size_t count = of->call.count;
    if (!count)
        return;
    uint64_t sent = 0, received = 0;
    for (size_t i = 0; i < count; i++) {
        const Event *event = &events[i];
        switch ((EventKind)event->kind) {
        case EVENT_SEND:
            count_message(watch, process, event);
            sent += event->bytes;
            break;
        case EVENT_ONE_SIDED:
            count_one_sided(watch, process, event);
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
    add_call(&watch->profile.calls[kind], time_ns, sent, received);
    add_call(&watch->profile.all, time_ns, sent, received);
    add_call(&of->profile.calls, time_ns, sent, received);
    if (carrier)
        add_call(find_comm(watch, carrier->comm, kind), time_ns, sent, received);
    of->profile.mpi_ns += time_ns;
    of->call.count = 0;
}

/* The application begins when MPI_Init returns, and ends when MPI_Finalize is entered. */
static void take_event(ProfileWatch *watch, uint32_t number, const Event *event)
{
    ProfiledProcess *process = &watch->processes[number];
    lifetime_add(&process->profile.lifetime, event);
    if (event->kind == EVENT_BEGIN)
        return;
    process->profile.compute_ns += event->compute_ns;
    if (event->kind == EVENT_END)
        return;
    if (process->call.count && !event_is_of_call(event, process->call.items))
        finish_call(watch, number);
    *vec_push(&process->call) = *event;
}

/* The function EventSource.read. */
static bool read_profiled(EventSource *source, uint32_t process, Event *events, size_t capacity, size_t *count,
                          Err *err)
{
    ProfileWatch *watch = (ProfileWatch *)source;
    if (!watch->from->read(watch->from, process, events, capacity, count, err))
        return false;
    for (size_t i = 0; i < *count; i++)
        take_event(watch, process, &events[i]);
    if (!*count)
        finish_call(watch, process);
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

ProfileWatch *profile_watch_new(EventSource *from)
{
    uint32_t n = from->trace->application.n_processes;
    ProfileWatch *watch = memory_zeroed(1, sizeof *watch);
    watch->source = (EventSource){from->trace, read_profiled};
    watch->from = from;
    watch->profile.n_processes = n;
    watch->processes = memory_zeroed(n, sizeof *watch->processes);
    return watch;
}

EventSource *profile_watch_source(ProfileWatch *watch)
{
    return &watch->source;
}

void profile_watch_finish(const ProfileWatch *watch, Arena *arena, Profile *profile)
{
    uint32_t n = watch->profile.n_processes;
    ProcessProfile *processes = arena_new_array(arena, ProcessProfile, n);
    PairProfile *pairs = vec_copy(&watch->pairs, arena);
    CommProfile *comms = vec_copy(&watch->comms, arena);
    for (uint32_t i = 0; i < n; i++)
        processes[i] = watch->processes[i].profile;
    qsort(pairs, watch->pairs.count, sizeof *pairs, compare_pairs);
    qsort(comms, watch->comms.count, sizeof *comms, compare_comms);
    *profile = watch->profile;
    profile->processes = processes;
    profile->pairs = pairs;
    profile->n_pairs = watch->pairs.count;
    profile->comms = comms;
    profile->n_comms = watch->comms.count;
}

void profile_watch_free(ProfileWatch *watch)
{
    if (!watch)
        return;
    for (uint32_t i = 0; i < watch->profile.n_processes; i++)
        vec_free(&watch->processes[i].call);
    free(watch->processes);
    map_free(&watch->pair_numbers);
    map_free(&watch->comm_numbers);
    vec_free(&watch->pairs);
    vec_free(&watch->comms);
    free(watch);
}

bool profile_read(EventSource *source, const Progress *progress, Arena *arena, Profile *profile, Err *err)
{
    ProfileWatch *watch = profile_watch_new(source);
    Event *batch = memory_resize(NULL, BATCH_EVENTS * sizeof *batch);
    uint32_t n = watch->profile.n_processes;
    bool ok = true;
    for (uint32_t i = 0; ok && i < n; i++)
        for (size_t count = 1; ok && count;) {
            ok = read_profiled(&watch->source, i, batch, BATCH_EVENTS, &count, err);
            progress_report(progress, "reading events", i, n);
        }
    if (ok)
        profile_watch_finish(watch, arena, profile);
    free(batch);
    profile_watch_free(watch);
    return ok;
}
