/* SPDX-License-Identifier: BSD-3-Clause */
/* The rules of the orders: which logical time an event gets. */
#pragma once

#include "model/logical.h"
#include "signature/order/order.h"

/* A receive's logical time, and its process's floor after it. The floor is the lowest logical time
 * that the process's next send-like event can have. */
typedef struct ReceiveTime {
    uint64_t lt, floor_after;
} ReceiveTime;

/* The rule of an order. A send-like event gets its process's floor as its time, and the next floor
 * is one higher. A collective gets the highest floor of its members. Orders differ in how they
 * treat receives. */
typedef struct OrderMethod {
    const char *name;
    TickKind tick_kind; /* kind of the ticks that hold send-like events */
    /* True: a receive's time is higher than that of all earlier events of its process, so receives
     * share ticks with sends. False: a receive may be found long after its tick was complete, and
     * stands in a tick of receives. */
    bool receives_ascend;
    ReceiveTime (*time_receive)(uint64_t floor, uint64_t lt_of_send);
} OrderMethod;

/* NULL if no method has this name. */
const OrderMethod *order_method(const char *name);

/* Sets ERR_USAGE, with a hint that lists all names. Returns false. */
bool order_method_missing(const char *name, Arena *arena, Err *err);
