/* SPDX-License-Identifier: BSD-3-Clause */
/* See messages.h. */
#include "comm/worker/harness/messages.h"

#include "base/arena.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { JSON_LIMIT = 1 << 24 };

/* Precedes a text's length. On a machine with the other byte order, its value differs, and the
 * receiver reports that. */
static const uint64_t order_mark = UINT64_C(0x0123456789abcdef);

bool message_send_command(Transport *transport, int to, const Command *command, Err *err)
{
    return transport->kind->send(transport, to, command, sizeof *command, err);
}

bool message_receive_late(Transport *transport, int from, void *buffer, size_t bytes, Err *err)
{
    const TransportKind *kind = transport->kind;
    return (!kind->await || kind->await(transport, from, err)) && kind->receive(transport, from, buffer, bytes, err);
}

bool message_receive_command(Transport *transport, Command *command, Err *err)
{
    return message_receive_late(transport, 0, command, sizeof *command, err);
}

bool message_send_json(Transport *transport, int to, const json_t *document, Err *err)
{
    assert(json_is_object(document));
    char *text = json_dumps(document, JSON_COMPACT);
    uint64_t head[2] = {order_mark, text ? strlen(text) : 0};
    bool sent = transport->kind->send(transport, to, head, sizeof head, err) &&
                transport->kind->send(transport, to, text, head[1], err);
    free(text);
    return sent;
}

bool message_receive_json(Transport *transport, int from, json_t **document, Err *err)
{
    uint64_t head[2];
    if (!message_receive_late(transport, from, head, sizeof head, err))
        return false;
    if (head[0] != order_mark)
        return err_set(err, ERR_ENVIRONMENT, "rank %d has another byte order, or belongs to another version of firma",
                       from);
    if (head[1] > JSON_LIMIT)
        return err_set(err, ERR_ENVIRONMENT, "rank %d sent a text of %lu bytes; the limit is %d", from,
                       (unsigned long)head[1], JSON_LIMIT);
    char *text = memory_resize(NULL, head[1] + 1);
    bool received = transport->kind->receive(transport, from, text, head[1], err);
    if (received) {
        *document = json_loadb(text, head[1], 0, NULL);
        received = *document || err_set(err, ERR_ENVIRONMENT, "rank %d sent a text that isn't JSON", from);
    }
    free(text);
    return received;
}
