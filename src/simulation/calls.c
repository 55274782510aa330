/* SPDX-License-Identifier: BSD-3-Clause */
/* See calls.h. The trace tells it for calls that didn't wait: those that send short messages, start something, or
 * receive what had been sent before. Calls are alike if they do the same with messages of about the same size.
 * In the trace, they differ by other programs that took the processor, and receives also by messages that were
 * still under way, so the fastest ones count. Messages between hosts don't tell it, because clocks differ.
 *
 * A latency that was measured in a loop of nothing but messages may be shorter than what the sender and the
 * receiver do in a program, whose caches hold other things. So who waits goes on when both is over.
 *
 * Where processes shared processors, a partner that has to do something for a call (Open MPI's for messages above
 * 4 kB) first waits for a processor, for milliseconds. Then even the fastest calls don't tell. */
#include "simulation/calls.h"

#include "base/map.h"
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

/* The quantile of the durations that counts. */
static const double FAST_SHARE = 0.05;
/* What fewer calls took is chance. */
enum { LEAST_ALIKE = 16 };
/* No call keeps a processor busy longer than this and copying its bytes so slowly. */
static const double MOST_NS = 5e4, MOST_NS_PER_BYTE = 10;

typedef enum CallKind { CALL_OTHER, CALL_SEND, CALL_START, CALL_RECEIVE } CallKind;

typedef struct Call {
    size_t first, end; /* events of its process */
    CallKind kind;
    uint64_t bytes, n_messages;
    bool has_waited; /* as far as is known */
} Call;

/* Durations of calls that are alike. */
typedef struct Alike {
    VEC(double) durations_ns;
    uint64_t bytes;  /* of the first one */
    double least_ns; /* 0: not known */
} Alike;

typedef struct Calls {
    Work *work;
    uint64_t eager_bytes;
    const Platform *platform;
    const uint32_t *processors; /* [n_processes] */
    Map numbers;
    VEC(Alike) alike;
} Calls;

static unsigned digits(uint64_t number)
{
    unsigned n = 0;
    while (number)
        number >>= 1, n++;
    return n;
}

static MapKey key_of(CallKind kind, uint64_t bytes, uint64_t n_messages)
{
    return (MapKey){kind, (uint64_t)digits(bytes) << 32 | digits(n_messages)};
}

static CallKind kind_of(const Event *event, uint64_t eager_bytes)
{
    bool is_blocking = event->request == NO_REQUEST;
    switch ((EventKind)event->kind) {
    case EVENT_SEND:
        return !is_blocking ? CALL_START : event->bytes < eager_bytes ? CALL_SEND : CALL_OTHER;
    case EVENT_RECV_POST:
        return CALL_START;
    case EVENT_RECV:
    case EVENT_REQUEST_DONE:
        return CALL_RECEIVE;
    default:
        return CALL_OTHER;
    }
}

/* The call that begins with this event. One that sends and receives counts as one that receives. */
static Call call_at(const RankWork *rank, size_t first, uint64_t eager_bytes)
{
    const Event *events = rank->events.items;
    Call call = {.first = first, .end = first, .kind = kind_of(&events[first], eager_bytes)};
    do {
        const Event *event = &events[call.end];
        CallKind kind = kind_of(event, eager_bytes);
        call.kind = !kind || !call.kind ? CALL_OTHER : kind > call.kind ? kind : call.kind;
        if (event->kind == EVENT_SEND || event->kind == EVENT_RECV)
            call.bytes += event->bytes, call.n_messages++;
        if (event->kind == EVENT_RECV && rank->sent_ns.items[call.end] > event->enter_ns)
            call.has_waited = true;
        call.end++;
    } while (call.end < rank->events.count && event_is_of_call(&events[call.end], &events[call.end - 1]));
    return call;
}

/* Only one host's clock tells what was sent before. */
static bool is_within_host(const Trace *trace, const RankWork *rank, const Call *call, uint32_t process)
{
    bool within = true;
    for (size_t i = call->first; within && i < call->end; i++) {
        const Event *event = &rank->events.items[i];
        within = event->kind != EVENT_RECV ||
                 (trace->places && strcmp(trace->places[event->peer].host, trace->places[process].host) == 0);
    }
    return within;
}

static void take_durations(Calls *calls, uint32_t process)
{
    const RankWork *rank = &calls->work->ranks[process];
    Call call;
    for (size_t first = 0; first < rank->events.count; first = call.end) {
        call = call_at(rank, first, calls->eager_bytes);
        if (!call.kind || call.has_waited || !is_within_host(calls->work->trace, rank, &call, process))
            continue;
        size_t at = map_number(&calls->numbers, key_of(call.kind, call.bytes, call.n_messages), calls->alike.count);
        if (at == calls->alike.count)
            *vec_push(&calls->alike) = (Alike){.bytes = call.bytes};
        const Event *event = &rank->events.items[first];
        *vec_push(&calls->alike.items[at].durations_ns) = (double)(event->leave_ns - event->enter_ns);
    }
}

static bool shared_processors(const Trace *trace)
{
    return trace->ranks_per_processor > 1 || trace->slowdown > 1;
}

static void find_least(Calls *calls)
{
    bool was_shared = shared_processors(calls->work->trace);
    for (size_t i = 0; i < calls->alike.count; i++) {
        Alike *alike = &calls->alike.items[i];
        size_t n = alike->durations_ns.count;
        gsl_sort(alike->durations_ns.items, 1, n);
        double fast_ns = gsl_stats_quantile_from_sorted_data(alike->durations_ns.items, 1, n, FAST_SHARE);
        bool has_waited = was_shared && fast_ns > MOST_NS + MOST_NS_PER_BYTE * (double)alike->bytes;
        alike->least_ns = n >= LEAST_ALIKE && !has_waited ? fmax(0, fast_ns) : 0;
        vec_free(&alike->durations_ns);
    }
}

/* 0: not known. */
static double least_ns(const Calls *calls, CallKind kind, uint64_t bytes, uint64_t n_messages)
{
    const uint64_t *at = map_get(&calls->numbers, key_of(kind, bytes, n_messages));
    return at ? calls->alike.items[*at].least_ns : 0;
}

/* What the latencies of the call's messages don't contain of what their senders and receivers do. factor: of the
 * receiver's computation, which stands for the sender's, too. */
static double missing_ns(const Calls *calls, uint32_t process, const Call *call, double factor, double receive_ns)
{
    double missing = 0;
    for (size_t i = call->first; i < call->end; i++) {
        const Event *event = &calls->work->ranks[process].events.items[i];
        if (event->kind != EVENT_RECV)
            continue;
        const Route *route =
            platform_route(calls->platform, calls->processors[event->peer], calls->processors[process]);
        double send_ns = factor * fmax(least_ns(calls, CALL_SEND, event->bytes, 1),
                                       least_ns(calls, CALL_START, event->bytes, 1)),
               latency_ns = route ? 1e9 * machine_message_s(route->path, (double)event->bytes) : 0;
        missing = route ? fmax(missing, send_ns + receive_ns - latency_ns) : missing;
    }
    return missing;
}

static uint64_t whole_ns(double ns)
{
    return ns > 0 && ns < 1e15 ? (uint64_t)(ns + 0.5) : 0;
}

static void put_costs(const Calls *calls, uint32_t process, const double *factors)
{
    RankWork *rank = &calls->work->ranks[process];
    Call call;
    for (size_t first = 0; first < rank->events.count; first = call.end) {
        call = call_at(rank, first, calls->eager_bytes);
        double factor = factors[rank->occurrences.items[first]],
               busy_ns = call.kind ? factor * least_ns(calls, call.kind, call.bytes, call.n_messages) : 0;
        for (size_t i = first; i < call.end; i++)
            event_set_lost_ns(&rank->events.items[i], i == first ? whole_ns(busy_ns) : 0);
        if (call.kind == CALL_RECEIVE)
            rank->events.items[first].bytes_received = whole_ns(missing_ns(calls, process, &call, factor, busy_ns));
    }
}

void calls_cost(Work *work, uint64_t eager_bytes, const double *factors, const Platform *platform,
                const uint32_t *processors)
{
    Calls calls = {.work = work, .eager_bytes = eager_bytes, .platform = platform, .processors = processors};
    for (uint32_t i = 0; i < work->n_processes; i++)
        take_durations(&calls, i);
    find_least(&calls);
    for (uint32_t i = 0; i < work->n_processes; i++)
        put_costs(&calls, i, factors);
    vec_free(&calls.alike);
    map_free(&calls.numbers);
}
