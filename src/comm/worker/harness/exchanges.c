/* SPDX-License-Identifier: BSD-3-Clause */
/* See exchanges.h. */
#include "comm/worker/harness/exchanges.h"

#include "comm/worker/harness/buffers.h"
#include <string.h>

/* Both directions use the same buffer. */
static bool ping(Transport *transport, const ExchangeCall *call, Err *err)
{
    void *buffer = pool_next(call->receiving, call->bytes);
    return transport->kind->send(transport, call->peer, buffer, call->bytes, err) &&
           transport->kind->receive(transport, call->peer, buffer, call->bytes, err);
}

static bool pong(Transport *transport, const ExchangeCall *call, Err *err)
{
    void *buffer = pool_next(call->receiving, call->bytes);
    return transport->kind->receive(transport, call->peer, buffer, call->bytes, err) &&
           transport->kind->send(transport, call->peer, buffer, call->bytes, err);
}

static const Exchange pingpong = {"pingpong", 2, ping, pong, NULL, NULL};

bool exchanges_find(const Transport *transport, const char *operation, uint32_t *number)
{
    const Exchange *others = transport->kind->exchanges;
    *number = 0;
    if (strcmp(operation, pingpong.name) == 0)
        return true;
    for (uint32_t i = 0; others && others[i].name; i++) {
        *number = 1 + i;
        if (strcmp(operation, others[i].name) == 0)
            return true;
    }
    return false;
}

const Exchange *exchanges_at(const Transport *transport, uint32_t number)
{
    return number == 0 ? &pingpong : &transport->kind->exchanges[number - 1];
}
