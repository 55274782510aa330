/* SPDX-License-Identifier: BSD-3-Clause */
/* What tells one order from another. */
#pragma once

#include "model/logical.h"
#include "signature/order/order.h"

/* A process's floor is the lowest logical time that its next send-like event can have. */
typedef struct ReceiveTime {
    uint64_t lt, floor_after;
} ReceiveTime;

/* The rule of an order. A send-like event has its process's floor as its time, and sets the floor to one more; a
 * collective, the highest floor of its members. Orders differ in what they do with receives. */
typedef struct OrderMethod {
    const char *name;
    TickKind tick_kind; /* of the ticks that hold send-like events */
    /* A receive's time is higher than that of all before it in its process: then it stands in their ticks. Otherwise it
     * may come long after its tick was complete, and has a tick of receives. */
    bool receives_ascend;
    ReceiveTime (*time_receive)(uint64_t floor, uint64_t lt_of_send);
} OrderMethod;

/* NULL: there is no such method. */
const OrderMethod *order_method(const char *name);

/* False, with the error of it. */
bool order_method_missing(const char *name, Arena *arena, Err *err);
