/* SPDX-License-Identifier: BSD-3-Clause */
/* The orders, each by its rule for receives. */
#include "signature/order/method.h"

#include <string.h>

/* PAS2P (thesis §3.3.4):
 *
 *    LT(send) = max( 0,  1 + LT of earlier sends,  LT of earlier receives of the process )
 *    LT(recv) = LT(its send) + 1
 *
 * A collective has one LT in all members: the maximum of what the send rule gives them. So the
 * moment of a receive doesn't matter. What counts is which messages a process had received before
 * it sends. */
static ReceiveTime time_receive_pas2p(uint64_t floor, uint64_t lt_of_send)
{
    uint64_t lt = lt_of_send + 1;
    return (ReceiveTime){lt, floor > lt ? floor : lt};
}

/* Lamport (thesis §3.3.2; L. Lamport, Time, Clocks, and the Ordering of Events in a Distributed
 * System, 1978):
 *
 *    LT(send) = 1 + LT of the event before it in the process, 0 if it is the first
 *    LT(recv) = max( the same,  LT(its send) + 1 )
 *
 * A collective has one LT in all members: the maximum of what the send rule gives them. So the
 * events of a process, receives included, stand in the order in which they happened. */
static ReceiveTime time_receive_lamport(uint64_t floor, uint64_t lt_of_send)
{
    uint64_t lt = floor > lt_of_send ? floor : lt_of_send + 1;
    return (ReceiveTime){lt, lt + 1};
}

static const OrderMethod METHODS[] = {
    {"pas2p", TICK_SEND, false, time_receive_pas2p},
    {"lamport", TICK_MIXED, true, time_receive_lamport},
};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

const OrderMethod *order_method(const char *name)
{
    for (size_t i = 0; i < METHOD_COUNT; i++)
        if (strcmp(METHODS[i].name, name) == 0)
            return &METHODS[i];
    return NULL;
}

bool order_exists(const char *name)
{
    return order_method(name) != NULL;
}

const char *order_name(size_t index)
{
    return index < METHOD_COUNT ? METHODS[index].name : NULL;
}

static const char *method_names(Arena *arena)
{
    const char *names = METHODS[0].name;
    for (size_t i = 1; i < METHOD_COUNT; i++)
        names = arena_printf(arena, "%s, %s", names, METHODS[i].name);
    return names;
}

bool order_method_missing(const char *name, Arena *arena, Err *err)
{
    return err_set(err, ERR_USAGE, "there is no logical order \"%s\"", name) ||
           err_hint(err, "choose one of: %s", method_names(arena));
}
