/* SPDX-License-Identifier: BSD-3-Clause */
/* The rule of the Lamport order (thesis §3.3.2, spec/1 §1.3; L. Lamport, Time, Clocks, and the Ordering of Events in a
 * Distributed System, 1978):
 *
 *     LT(send) = 1 + LT of the event before it in the process, 0 if it is the first
 *     LT(recv) = max( the same,  LT(its send) + 1 )       a collective: one LT for all members, the max of what each
 * has
 *
 * So the events of a process stand in the order in which they happened, receives too. */
#include "signature/order/method.h"

static ReceiveTime time_receive(uint64_t floor, uint64_t lt_of_send)
{
    uint64_t lt = floor > lt_of_send ? floor : lt_of_send + 1;
    return (ReceiveTime){lt, lt + 1};
}

const OrderMethod order_lamport = {"lamport", TICK_MIXED, true, time_receive};
