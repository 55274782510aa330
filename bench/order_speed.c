/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the speed of ordering and of finding phases, without files: events are made up in memory
 * as they are read.
 *
 *     order_speed PATTERN PROCESSES EVENTS [METHOD [MEMORY_MIB]]
 *
 * PATTERN: stencil, ring, irregular, late; METHOD: pas2p, lamport; MEMORY_MIB: a limit for the
 * order.
 *
 *   stencil    4 nonblocking exchanges with neighbours on a torus, one Waitall, and an allreduce every 10 steps
 *   ring       each process receives from the one before and sends to the next, one after the other
 *   irregular  as stencil, but the volumes vary at random, so no two steps are alike
 *   late       as stencil, but process 1 receives the first message of process 0 last; with receives, all ticks wait
 *
 * Prints nanoseconds an event (a send, a receive or a collective): for reading alone, with the
 * order, with receives in its ticks, and with order and phases, by both similarities. */
#include "base/vec.h"
#include "signature/order/order.h"
#include "signature/phases/phases.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

enum { NEIGHBOURS = 4, REDUCE_EVERY = 10, LONGEST_STEP = 3 * NEIGHBOURS + 2, LATE_TAG = 99 };

typedef enum Pattern { STENCIL, RING, IRREGULAR, LATE } Pattern;

typedef struct Maker {
    uint64_t step, n_steps, random;
    int64_t now_ns;
} Maker;

typedef struct MadeUp {
    EventSource source;
    Trace trace;
    Comm world;
    OrderOptions options;
    Pattern pattern;
    uint32_t width, height;
    Maker *makers;
} MadeUp;

static uint32_t neighbour(const MadeUp *made, uint32_t process, int direction)
{
    uint32_t x = process % made->width, y = process / made->width, w = made->width, h = made->height;
    switch (direction) {
    case 0:
        return y * w + (x + 1) % w;
    case 1:
        return y * w + (x + w - 1) % w;
    case 2:
        return (y + 1) % h * w + x;
    default:
        return (y + h - 1) % h * w + x;
    }
}

static void add(Maker *maker, Event *events, size_t *n, Event event)
{
    event.enter_ns = maker->now_ns;
    event.leave_ns = maker->now_ns += 500;
    event.compute_ns = 400;
    events[(*n)++] = event;
}

static uint64_t volume(const MadeUp *made, Maker *maker)
{
    if (made->pattern != IRREGULAR)
        return 8192;
    maker->random = maker->random * 6364136223846793005u + 1442695040888963407u;
    return 8000 + (maker->random >> 56);
}

static size_t make_stencil_step(const MadeUp *made, uint32_t process, Maker *maker, Event *events)
{
    size_t n = 0;
    for (int d = 0; d < NEIGHBOURS; d++)
        add(maker, events, &n, (Event){.kind = EVENT_RECV_POST, .request = (uint64_t)d});
    for (uint32_t d = 0; d < NEIGHBOURS; d++)
        add(maker, events, &n,
            (Event){
                .kind = EVENT_SEND, .peer = neighbour(made, process, (int)d), .tag = d, .bytes = volume(made, maker)});
    for (uint32_t d = 0; d < NEIGHBOURS; d++)
        add(maker, events, &n,
            (Event){.kind = EVENT_RECV,
                    .peer = neighbour(made, process, (int)(d ^ 1)),
                    .tag = d,
                    .bytes = 8192,
                    .request = d});
    if (maker->step % REDUCE_EVERY == 0)
        add(maker, events, &n,
            (Event){.kind = EVENT_COLLECTIVE, .collective = COLLECTIVE_ALLREDUCE, .peer = NO_ROOT, .bytes = 8});
    if (made->pattern == LATE && process == 0 && maker->step == 0)
        add(maker, events, &n, (Event){.kind = EVENT_SEND, .peer = 1, .tag = LATE_TAG, .bytes = 8});
    if (made->pattern == LATE && process == 1 && maker->step + 1 == maker->n_steps)
        add(maker, events, &n, (Event){.kind = EVENT_RECV, .tag = LATE_TAG, .bytes = 8, .request = NO_REQUEST});
    return n;
}

static size_t make_ring_step(const MadeUp *made, uint32_t process, Maker *maker, Event *events)
{
    uint32_t p = made->trace.application.n_processes;
    size_t n = 0;
    Event receive = {.kind = EVENT_RECV, .peer = (process + p - 1) % p, .bytes = 64, .request = NO_REQUEST};
    if (process)
        add(maker, events, &n, receive);
    add(maker, events, &n, (Event){.kind = EVENT_SEND, .peer = (process + 1) % p, .bytes = 64});
    if (!process)
        add(maker, events, &n, receive);
    return n;
}

static bool read_events(EventSource *source, uint32_t process, Event *events, size_t capacity, size_t *count, Err *err)
{
    (void)err;
    MadeUp *made = (MadeUp *)source;
    Maker *maker = &made->makers[process];
    size_t n = 0;
    for (; maker->step < maker->n_steps && n + LONGEST_STEP <= capacity; maker->step++)
        n += (made->pattern == RING ? make_ring_step : make_stencil_step)(made, process, maker, events + n);
    *count = n;
    return true;
}

static uint64_t restart(MadeUp *made, uint64_t n_events)
{
    uint64_t p = made->trace.application.n_processes;
    uint64_t n_steps = n_events / p / (made->pattern == RING ? 2 : 2 * NEIGHBOURS);
    for (uint32_t i = 0; i < p; i++)
        made->makers[i] = (Maker){.n_steps = n_steps, .random = i};
    uint64_t n_collectives = made->pattern == RING ? 0 : (n_steps + REDUCE_EVERY - 1) / REDUCE_EVERY;
    return p * (n_steps * (made->pattern == RING ? 2 : 2 * NEIGHBOURS) + n_collectives);
}

static bool ignore_tick(TickSink *sink, uint64_t lt, TickKind kind, const LogicalEvent *events, size_t count, Err *err)
{
    (void)sink, (void)lt, (void)kind, (void)events, (void)count, (void)err;
    return true;
}

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static long peak_kib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static void read_all(MadeUp *made)
{
    static Event events[256];
    uint32_t n_processes = made->trace.application.n_processes, n_left = n_processes;
    bool *ended = memory_zeroed(n_processes, sizeof *ended);
    Err err;
    while (n_left) {
        for (uint32_t p = 0; p < n_processes; p++) {
            size_t count = 0;
            if (!ended[p])
                made->source.read(&made->source, p, events, sizeof events / sizeof *events, &count, &err);
            n_left -= !ended[p] && !count;
            ended[p] |= !count;
        }
    }
    free(ended);
}

static void print_result(const char *what, double seconds, uint64_t n_events)
{
    printf("%-16s %7.1f ns/event  %8.3f s  peak %ld KiB\n", what, seconds * 1e9 / (double)n_events, seconds,
           peak_kib());
}

static bool measure_order(MadeUp *made, uint64_t n_wanted, const char *method, bool wants_receives, Arena *arena,
                          Err *err)
{
    uint64_t n_events = restart(made, n_wanted);
    TickSink nothing = {.wants_receives = wants_receives, .tick = ignore_tick};
    OrderReport report;
    double start_s = now_s();
    bool ok = order_trace(method, &made->source, &nothing, &made->options, NULL, arena, &report, err);
    print_result(wants_receives ? "… with receives" : "read + order", now_s() - start_s, n_events);
    return ok;
}

static bool measure_phases(MadeUp *made, uint64_t n_wanted, const char *method, const char *similarity, Arena *arena,
                           Err *err)
{
    uint64_t n_events = restart(made, n_wanted);
    PhaseParameters parameters = PHASE_PARAMETERS_DEFAULT;
    parameters.order = method;
    parameters.similarity = similarity;
    OrderReport report;
    Signature *signature;
    double start_s = now_s();
    if (!phases_find(&made->source, &parameters, &made->options, NULL, arena, &signature, &report, err))
        return false;
    char what[32];
    snprintf(what, sizeof what, "… + %s", similarity);
    print_result(what, now_s() - start_s, n_events);
    printf("%" PRIu64 " events, %" PRIu64 " problems, %u phases, %" PRIu64 " occurrences\n", report.n_events,
           report.n_problems, signature->n_phases, signature->n_occurrences);
    return true;
}

static bool measure(MadeUp *made, uint64_t n_wanted, const char *method, Err *err)
{
    Arena *arena = arena_new();
    uint64_t n_events = restart(made, n_wanted);
    double start_s = now_s();
    read_all(made);
    print_result("read", now_s() - start_s, n_events);

    bool ok = measure_order(made, n_wanted, method, false, arena, err) &&
              measure_order(made, n_wanted, method, true, arena, err) &&
              measure_phases(made, n_wanted, method, "phase", arena, err) &&
              measure_phases(made, n_wanted, method, "block", arena, err);
    arena_free(arena);
    return ok;
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"stencil", "ring", "irregular", "late"};
    const char *method = argc > 4 ? argv[4] : "pas2p";
    if (argc < 4 || argc > 6 || !order_exists(method)) {
        fprintf(stderr,
                "usage: order_speed stencil|ring|irregular|late PROCESSES EVENTS [pas2p|lamport [MEMORY_MIB]]\n");
        return 2;
    }
    MadeUp made = {.source = {.read = read_events}};
    made.options.memory_bytes = argc > 5 ? (size_t)(atof(argv[5]) * (1 << 20)) : 0;
    while (made.pattern < LATE && strcmp(argv[1], names[made.pattern]) != 0)
        made.pattern++;
    uint32_t n = (uint32_t)atoi(argv[2]);
    for (made.width = 1; made.width * made.width < n || n % made.width; made.width++)
        ;
    made.height = n / made.width;
    made.makers = memory_zeroed(n, sizeof *made.makers);
    uint32_t *members = memory_zeroed(n, sizeof *members);
    for (uint32_t i = 0; i < n; i++)
        members[i] = i;
    made.world = (Comm){.name = "world", .n_members = n, .members = members};
    made.trace = (Trace){.application = {.executable = "", .n_processes = n}, .n_comms = 1, .comms = &made.world};
    made.source.trace = &made.trace;
    Err err = {0};
    bool ok = measure(&made, (uint64_t)atof(argv[3]), method, &err);
    if (!ok)
        fprintf(stderr, "order_speed: %s\n", err.message);
    free(members);
    free(made.makers);
    return ok ? 0 : 70;
}
