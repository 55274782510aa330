/* SPDX-License-Identifier: BSD-3-Clause */
/* See collectives.h. Gather and scatter also talk to the group server, in messages with its own
 * tags; firma's tags begin above these. Each call has its own tag, so that a fast rank's next call
 * isn't mistaken for this one. */
#include "comm/worker/pvm/collectives.h"

#include "comm/worker/pvm/parts.h"
#include <pvm3.h>
#include <string.h>

#define UNUSED __attribute__((unused))

enum { TAGS = 1 << 16 };

int pvm_pack(int encoding, const void *buffer, size_t size_bytes)
{
    PvmParts parts = pvm_parts_of(size_bytes);
    double *doubles = (double *)buffer; /* PVM's prototypes lack const */
    int status = pvm_initsend(encoding);
    if (status >= 0 && parts.doubles)
        status = pvm_pkdouble(doubles, parts.doubles, 1);
    if (status >= 0 && parts.bytes)
        status = pvm_pkbyte((char *)(doubles + parts.doubles), parts.bytes, 1);
    return status;
}

int pvm_unpack(void *buffer, size_t size_bytes)
{
    PvmParts parts = pvm_parts_of(size_bytes);
    double *doubles = buffer;
    int status = 0;
    if (parts.doubles)
        status = pvm_upkdouble(doubles, parts.doubles, 1);
    if (status >= 0 && parts.bytes)
        status = pvm_upkbyte((char *)(doubles + parts.doubles), parts.bytes, 1);
    return status;
}

static int next_tag(PvmTask *task)
{
    return PVM_TAG_CALLS + task->calls++ % TAGS;
}

/* Sends the call's data from rank 0 by `send`; the other ranks receive. */
static int spread(PvmTask *task, const CollectiveCall *call, int (*send)(PvmTask *task, int tag))
{
    int tag = next_tag(task), status;
    if (task->common.rank == 0) {
        status = pvm_pack(task->encoding, call->receive, call->block);
        return status < 0 ? status : send(task, tag);
    }
    status = pvm_recv(task->tids[0], tag);
    return status < 0 ? status : pvm_unpack(call->receive, call->block);
}

static int send_to_group(PvmTask *task, int tag)
{
    return pvm_bcast(task->group, tag);
}

static int send_to_all(PvmTask *task, int tag)
{
    return pvm_mcast(task->tids + 1, task->common.n_ranks - 1, tag);
}

static int do_broadcast(PvmTask *task, void *call)
{
    return spread(task, call, send_to_group);
}

static int do_multicast(PvmTask *task, void *call)
{
    return spread(task, call, send_to_all);
}

static int do_barrier(PvmTask *task, UNUSED void *call)
{
    return pvm_barrier(task->group, task->common.n_ranks);
}

/* Blocks that aren't whole doubles are sent as bytes. */
static int type_of(size_t block)
{
    return block % sizeof(double) ? PVM_BYTE : PVM_DOUBLE;
}

static int count_of(size_t block)
{
    return (int)(block % sizeof(double) ? block : block / sizeof(double));
}

static int do_gather(PvmTask *task, void *argument)
{
    const CollectiveCall *call = argument;
    return pvm_gather(call->receive, call->send, count_of(call->block), type_of(call->block), next_tag(task),
                      task->group, 0);
}

static int do_scatter(PvmTask *task, void *argument)
{
    const CollectiveCall *call = argument;
    return pvm_scatter(call->receive, call->send, count_of(call->block), type_of(call->block), next_tag(task),
                       task->group, 0);
}

#define EXECUTE(name)                                                                                                  \
    static bool name(Transport *transport, const CollectiveCall *call, Err *err)                                       \
    {                                                                                                                  \
        return pvm_task_call((PvmTask *)transport, do_##name, (void *)call, #name, err);                               \
    }

EXECUTE(barrier)
EXECUTE(broadcast)
EXECUTE(multicast)
EXECUTE(gather)
EXECUTE(scatter)

const Collective pvm_collectives_other[] = {
    {"barrier", barrier, false}, {"broadcast", broadcast, false}, {"multicast", multicast, false}, {NULL, NULL, false}};

const Collective pvm_collectives_xdr[] = {{"barrier", barrier, false},     {"broadcast", broadcast, false},
                                          {"multicast", multicast, false}, {"gather", gather, false},
                                          {"scatter", scatter, false},     {NULL, NULL, false}};

bool pvm_collectives_need_group(const json_t *operations)
{
    size_t i;
    json_t *operation;
    json_array_foreach((json_t *)operations, i, operation) {
        const char *name = json_string_value(operation);
        if (name && strcmp(name, "pingpong") != 0)
            return true;
    }
    return false;
}
