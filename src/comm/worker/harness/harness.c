/* SPDX-License-Identifier: BSD-3-Clause */
/* See harness.h. Each rank sends its `hello` to rank 0, executes rank 0's commands, and then sends
 * the byte counts of its interfaces. */
#include "comm/worker/harness/harness.h"

#include "base/json.h"
#include "base/processor.h"
#include "comm/protocol.h"
#include "comm/worker/harness/clock.h"
#include "comm/worker/harness/exchanges.h"
#include "comm/worker/harness/follower.h"
#include "comm/worker/harness/geometry.h"
#include "comm/worker/harness/interfaces.h"
#include "comm/worker/harness/processors.h"
#include "comm/worker/harness/records.h"
#include "comm/worker/harness/schedule.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* ---- a rank gets ready ----------------------------------------------------------------------- */

static bool bind(const Worker *worker, Err *err)
{
    const Request *request = worker->request;
    size_t rank = (size_t)worker->transport->rank;
    int cpu = request->n_cpus ? request->cpus[rank % request->n_cpus] : COMM_CPU_ANY;
    return cpu == COMM_CPU_ANY || processors_bind((unsigned)cpu, err);
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static bool make_pools(Worker *worker, Err *err)
{
    const Request *request = worker->request;
    Transport *transport = worker->transport;
    const TransportKind *kind = transport->kind;
    size_t sending = 0, receiving = 0;
    for (size_t i = 0; i < request->n_sizes; i++)
        for (size_t k = 0; k < request->n_operations; k++) {
            uint32_t number;
            bool is_pingpong = strcmp(request->operations[k], "pingpong") == 0,
                 is_exchange = exchanges_find(transport, request->operations[k], &number);
            Geometry geometry = geometry_of(request->operations[k], request->sizes[i],
                                            is_exchange ? kind->least_bytes : kind->least_vector_bytes, transport->rank,
                                            transport->n_ranks);
            sending = larger(sending, is_pingpong ? 0 : geometry.send_bytes);
            receiving = larger(receiving, geometry.receive_bytes);
        }
    return pool_make(&worker->sending, transport, sending, request->rotate_bytes, request->touch, err) &&
           pool_make(&worker->receiving, transport, receiving, request->rotate_bytes, request->touch, err);
}

static const char *host_name(Arena *arena)
{
    char name[256] = "";
    gethostname(name, sizeof name - 1);
    return arena_strdup(arena, name);
}

static bool prepare(Worker *worker, Err *err)
{
    const TransportKind *kind = worker->transport->kind;
    for (const Collective *each = kind->collectives; each && each->name; each++)
        if (strcmp(each->name, "barrier") == 0)
            worker->barrier = each;
    return bind(worker, err) && make_pools(worker, err);
}

/* The members of this rank's `hello` record. Rank 0 also reads, and doesn't print, the machine, the
 * clock, and an error message if preparing failed. */
static json_t *make_hello(Worker *worker, const char *message)
{
    const Transport *transport = worker->transport;
    struct utsname system = {0};
    uname(&system);
    json_t *hello = json_pack(
        "{s:i, s:o, s:o, s:o, s:o, s:o, s:I, s:f}", "rank", transport->rank, "host",
        json_from_text(host_name(worker->arena)), "cpus", processors_list(), "library",
        json_from_text(transport->library ? transport->library : ""), "system",
        json_from_text(arena_printf(worker->arena, "%s %s %s", system.sysname, system.release, system.machine)),
        "processor", json_from_text(processor_model(worker->arena)), "n_cpus",
        (json_int_t)sysconf(_SC_NPROCESSORS_ONLN), "clock_resolution_s", clock_resolution_s());
    json_object_set_new(hello, "parts", json_from_text(transport->parts ? transport->parts : ""));
    double load;
    if (getloadavg(&load, 1) == 1)
        json_object_set_new(hello, "load", json_real(load));
    json_t *private = json_pack("{s:s, s:s, s:I, s:o}", "clock", clock_identity(worker->arena), "machine",
                                clock_machine(worker->arena), "processors", (json_int_t)sysconf(_SC_NPROCESSORS_ONLN),
                                "message", json_from_text(message));
    json_object_set_new(hello, "private", private);
    return hello;
}

static json_t *make_interfaces(Worker *worker, const json_t *before)
{
    json_t *after = interfaces_read();
    json_t *report = json_pack("{s:i, s:o, s:o, s:I}", "rank", worker->transport->rank, "host",
                               json_from_text(host_name(worker->arena)), "counters", interfaces_growth(before, after),
                               "payload_bytes", (json_int_t)worker->payload_bytes);
    if (*worker->interface)
        json_object_set_new(report, "interface", json_string(worker->interface));
    json_decref(after);
    return report;
}

/* ---- rank 0 ---------------------------------------------------------------------------------- */

/* What rank 0 learns from the hellos: [n_ranks] each. */
typedef struct Ranks {
    bool *is_same_clock, *is_crowded;
    const char **machines, **clocks;
    json_int_t *processors;
} Ranks;

static Ranks make_ranks(Arena *arena, size_t n_ranks)
{
    return (Ranks){.is_same_clock = arena_new_array(arena, bool, n_ranks),
                   .is_crowded = arena_new_array(arena, bool, n_ranks),
                   .machines = arena_new_array(arena, const char *, n_ranks),
                   .clocks = arena_new_array(arena, const char *, n_ranks),
                   .processors = arena_new_array(arena, json_int_t, n_ranks)};
}

static const char *text_of(const json_t *object, const char *key, Arena *arena)
{
    const char *text = json_to_text(json_object_get(object, key), arena);
    return text ? text : "";
}

/* Prints the hello, unless it reports an error. Takes over the reference. */
static bool take_hello(Worker *worker, int rank, json_t *hello, Ranks *ranks, Err *err)
{
    const json_t *private = json_object_get(hello, "private");
    const char *message = text_of(private, "message", worker->arena);
    ranks->clocks[rank] = text_of(private, "clock", worker->arena);
    ranks->machines[rank] = text_of(private, "machine", worker->arena);
    ranks->processors[rank] = json_integer_value(json_object_get(private, "processors"));
    json_object_del(hello, "private");
    if (message[0]) {
        json_decref(hello);
        return err_set(err, ERR_ENVIRONMENT, "rank %d: %s", rank, message);
    }
    record_print("hello", hello);
    return true;
}

static void compare_machines(Ranks *ranks, int n_ranks)
{
    for (int rank = 0; rank < n_ranks; rank++) {
        json_int_t beside = 0;
        for (int other = 0; other < n_ranks; other++)
            beside += strcmp(ranks->machines[rank], ranks->machines[other]) == 0;
        ranks->is_crowded[rank] = beside > ranks->processors[rank];
        ranks->is_same_clock[rank] = ranks->clocks[rank][0] && strcmp(ranks->clocks[rank], ranks->clocks[0]) == 0;
    }
}

static bool take_hellos(Worker *worker, Ranks *ranks, Err *err)
{
    Transport *transport = worker->transport;
    *ranks = make_ranks(worker->arena, (size_t)transport->n_ranks);
    if (!take_hello(worker, 0, make_hello(worker, ""), ranks, err))
        return false;
    for (int rank = 1; rank < transport->n_ranks; rank++) {
        json_t *hello;
        if (!message_receive_json(transport, rank, &hello, err) || !take_hello(worker, rank, hello, ranks, err))
            return false;
    }
    compare_machines(ranks, transport->n_ranks);
    return true;
}

static bool print_interfaces(Worker *worker, const json_t *before, Err *err)
{
    Transport *transport = worker->transport;
    record_print("interfaces", make_interfaces(worker, before));
    for (int rank = 1; rank < transport->n_ranks; rank++) {
        json_t *report;
        if (!message_receive_json(transport, rank, &report, err))
            return false;
        record_print("interfaces", report);
    }
    return true;
}

static void print_clocks(const Clocks *clocks, int n_ranks)
{
    for (int rank = 1; rank < n_ranks; rank++)
        record_print("clock", clocks_describe(clocks, rank));
}

static bool has_collectives(const Items *items)
{
    for (size_t i = 0; i < items->count; i++)
        if (!items->items[i].is_exchange)
            return true;
    return false;
}

static json_int_t count_unvisited(const Items *items)
{
    json_int_t n = 0;
    for (size_t i = 0; i < items->count; i++)
        n += items->items[i].samples.count == 0;
    return n;
}

static bool measure(Worker *worker, const Ranks *ranks, Items *items, int64_t start_ns, bool *complete, Err *err)
{
    const int n_ranks = worker->transport->n_ranks;
    const bool needs_clocks = has_collectives(items);
    Clocks *clocks = clocks_new(worker, ranks->is_same_clock);
    Conductor *conductor = conductor_new(worker, clocks, ranks->is_crowded);
    bool ok = !needs_clocks || clocks_synchronise(clocks, err);
    if (ok && needs_clocks)
        print_clocks(clocks, n_ranks);
    ok = ok && schedule_execute(conductor, worker, items, start_ns, complete, err);
    if (ok && needs_clocks)
        print_clocks(clocks, n_ranks);
    ok = ok && conductor_end(conductor, err);
    conductor_free(conductor);
    return ok;
}

static bool lead(Worker *worker, Err *err)
{
    const int64_t start_ns = clock_now_ns();
    bool complete = false;
    Ranks ranks;
    if (!prepare(worker, err) || !take_hellos(worker, &ranks, err))
        return false;
    json_t *before = interfaces_read();
    Items items = items_plan(worker);
    bool ok = measure(worker, &ranks, &items, start_ns, &complete, err);
    double elapsed_s = clock_seconds_since(start_ns);
    ok = ok && print_interfaces(worker, before, err);
    if (ok)
        record_print("done", json_pack("{s:f, s:b, s:I}", "seconds", elapsed_s, "complete", complete, "unvisited",
                                       count_unvisited(&items)));
    items_free(&items);
    json_decref(before);
    return ok;
}

/* ---- the other ranks ------------------------------------------------------------------------- */

static bool send_json(Worker *worker, json_t *document, Err *err)
{
    bool ok = message_send_json(worker->transport, 0, document, err);
    json_decref(document);
    return ok;
}

static bool follow(Worker *worker, Err *err)
{
    Err unprepared = {0};
    bool is_prepared = prepare(worker, &unprepared);
    if (!send_json(worker, make_hello(worker, is_prepared ? "" : unprepared.message), err))
        return false;
    if (!is_prepared) {
        *err = unprepared;
        return false;
    }
    json_t *before = interfaces_read();
    bool ok = follower_execute(worker, err) && send_json(worker, make_interfaces(worker, before), err);
    json_decref(before);
    return ok;
}

/* ---- main ------------------------------------------------------------------------------------ */

static const TransportKind *find_kind(const char *name, const TransportKind *const kinds[])
{
    for (; *kinds; kinds++)
        if (strcmp((*kinds)->name, name) == 0)
            return *kinds;
    return NULL;
}

/* Rank 0 reports to firma. Another rank writes to stderr; rank 0 will notice its end. */
static void report_failure(const Err *err, bool is_root)
{
    if (is_root)
        record_print_error(err->message, err->hint);
    else
        fprintf(stderr, "firma comm: %s\n", err->message);
}

static bool run(const json_t *document, Arena *arena, const TransportKind *const kinds[], Err *err)
{
    Request request;
    Transport *transport = NULL;
    const bool is_peer = json_object_get(document, "connect") != NULL;
    bool ok = request_parse(document, arena, &request, err);
    const TransportKind *kind = ok ? find_kind(request.transport, kinds) : NULL;
    if (ok && !kind)
        ok = err_set(err, ERR_INPUT, "the request: this worker has no transport `%s`", request.transport);
    if (!ok || !kind->open(document, arena, &transport, err)) {
        report_failure(err, !is_peer);
        return false;
    }
    Worker worker = {.transport = transport, .request = &request, .arena = arena, .interface = ""};
    Network network;
    if (interfaces_find(document, &network))
        worker.interface = arena_strdup(arena, network.interface);
    ok = (transport->rank == 0 ? lead : follow)(&worker, err);
    if (!ok)
        report_failure(err, transport->rank == 0);
    (!ok && kind->abandon ? kind->abandon : kind->close)(transport);
    return ok;
}

int harness_main(int argc, char **argv, const TransportKind *const kinds[])
{
    Err err = {0};
    json_t *document;
    if (argc != 2) {
        fprintf(stderr, "%s is a part of firma: see `firma comm --help`\n", argv[0]);
        return ERR_USAGE;
    }
    if (!request_load(argv[1], &document, &err)) {
        report_failure(&err, true);
        return 1;
    }
    Arena *arena = arena_new();
    bool ok = run(document, arena, kinds, &err);
    arena_free(arena);
    json_decref(document);
    return ok ? 0 : 1;
}
