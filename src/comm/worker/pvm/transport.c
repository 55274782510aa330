/* SPDX-License-Identifier: BSD-3-Clause */
/* firma-comm-pvm: PVM as a transport, over direct routes between tasks or through the daemons.
 * firma starts the first task, which spawns the ranks from 1 on, each on the host that the
 * request's `peers` name.
 *
 * Fragments keep PVM's default size (PvmFragSize, 4080 bytes), which programs seldom change.
 * Broadcast and barrier use a dynamic group, and ask the group server first, as in any program.
 * PVM's gather, scatter and reduce always pack in XDR, so only packing "xdr" has them. */
#include "comm/worker/harness/harness.h"

#include "comm/worker/pvm/collectives.h"
#include <pvm3.h>
#include <sched.h>
#include <string.h>

typedef struct Packing {
    const char *name;
    int encoding;
} Packing;

static const Packing packings[] = {{"xdr", PvmDataDefault}, {"raw", PvmDataRaw}, {"inplace", PvmDataInPlace}};

static bool find_encoding(const json_t *request, int *encoding, Err *err)
{
    const char *name = json_string_value(json_object_get(request, "packing"));
    for (size_t i = 0; name && i < sizeof packings / sizeof *packings; i++) {
        if (strcmp(name, packings[i].name) == 0) {
            *encoding = packings[i].encoding;
            return true;
        }
    }
    return err_set(err, ERR_INPUT, "request: \"packing\" is \"%s\", not \"xdr\", \"raw\" or \"inplace\"",
                   name ? name : "");
}

typedef struct Message {
    int rank;
    void *buffer;
    size_t size_bytes;
} Message;

static int do_send(PvmTask *task, void *argument)
{
    const Message *message = argument;
    int status = pvm_pack(task->encoding, message->buffer, message->size_bytes);
    return status < 0 ? status : pvm_send(task->tids[message->rank], PVM_TAG_MESSAGE);
}

static int do_receive(PvmTask *task, void *argument)
{
    const Message *message = argument;
    int status = pvm_recv(task->tids[message->rank], PVM_TAG_MESSAGE);
    return status < 0 ? status : pvm_unpack(message->buffer, message->size_bytes);
}

static bool pvm_transport_send(Transport *transport, int to, const void *buffer, size_t bytes, Err *err)
{
    return pvm_task_call((PvmTask *)transport, do_send, &(Message){to, (void *)buffer, bytes}, "sending", err);
}

static bool pvm_transport_receive(Transport *transport, int from, void *buffer, size_t bytes, Err *err)
{
    return pvm_task_call((PvmTask *)transport, do_receive, &(Message){from, buffer, bytes}, "receiving", err);
}

static bool open_routed(const json_t *request, int route, const TransportKind *xdr, const TransportKind *other,
                        Arena *arena, Transport **transport, Err *err)
{
    int encoding = PvmDataDefault;
    if (!find_encoding(request, &encoding, err))
        return false;
    PvmTask *task = arena_new_array(arena, PvmTask, 1);
    task->arena = arena;
    task->encoding = encoding;
    task->route = route;
    task->common.kind = encoding == PvmDataDefault ? xdr : other;
    if (!pvm_task_start(task, request, pvm_collectives_need_group(json_object_get(request, "operations")), err))
        return false;
    *transport = &task->common;
    return true;
}

static void pvm_transport_close(Transport *transport)
{
    pvm_task_end((PvmTask *)transport);
}

/* Messages on their way depend on the daemon and the group server, which need a processor. A rank
 * that waits for an instant would keep its processor, and barriers would take milliseconds. */
static void let_daemons_run(Transport *transport)
{
    (void)transport;
    sched_yield();
}

static bool open_direct(const json_t *request, Arena *arena, Transport **transport, Err *err);
static bool open_daemon(const json_t *request, Arena *arena, Transport **transport, Err *err);

/* PVM's gather and scatter refuse empty blocks. */
#define KIND(name_, open_, collectives_)                                                                               \
    {                                                                                                                  \
        .name = (name_), .open = (open_), .send = pvm_transport_send, .receive = pvm_transport_receive,                \
        .progress = let_daemons_run, .collectives = (collectives_), .least_vector_bytes = 1,                           \
        .close = pvm_transport_close                                                                                   \
    }

static const TransportKind pvm_direct_kind = KIND("direct", open_direct, pvm_collectives_xdr);
static const TransportKind pvm_daemon_kind = KIND("daemon", open_daemon, pvm_collectives_xdr);

/* The kinds of transports whose packing isn't "xdr". */
static const TransportKind direct_other = KIND("direct", open_direct, pvm_collectives_other);
static const TransportKind daemon_other = KIND("daemon", open_daemon, pvm_collectives_other);

static bool open_direct(const json_t *request, Arena *arena, Transport **transport, Err *err)
{
    return open_routed(request, PvmRouteDirect, &pvm_direct_kind, &direct_other, arena, transport, err);
}

static bool open_daemon(const json_t *request, Arena *arena, Transport **transport, Err *err)
{
    return open_routed(request, PvmDontRoute, &pvm_daemon_kind, &daemon_other, arena, transport, err);
}

int main(int argc, char **argv)
{
    return harness_main(argc, argv, (const TransportKind *const[]){&pvm_direct_kind, &pvm_daemon_kind, NULL});
}
