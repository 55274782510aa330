/* SPDX-License-Identifier: BSD-3-Clause */
/* The rule of the PAS2P order (thesis §3.3.4, spec/1 §1.4):
 *
 *     LT(send) = max( 0,  1 + max LT of earlier sends of the process,  max LT of earlier recvs of the process )
 *     LT(recv) = LT(its send) + 1        a collective: one LT for all members, the max of what the send rule gives each
 *
 * So when a process receives doesn't matter, only what it had received before it sends. */
#include "signature/order/method.h"

static ReceiveTime time_receive(uint64_t floor, uint64_t lt_of_send)
{
    uint64_t lt = lt_of_send + 1;
    return (ReceiveTime){lt, floor > lt ? floor : lt};
}

const OrderMethod order_pas2p = {"pas2p", TICK_SEND, false, time_receive};
