/* SPDX-License-Identifier: BSD-3-Clause */
/* Where events of a process stand in the logical order (PAS2P), and which event of another process
 * is the other end of a message. */
#pragma once

#include "base/progress.h"
#include "signature/order/order.h"
#include "signature/profile/profile.h"

#define NO_PLACE UINT64_MAX

/* NO_PLACE: none. Posts have no logical time. A collective has no partner, nor has a message whose
 * other end the trace lacks. */
typedef struct EventPlace {
    uint64_t lt, tick; /* tick: as `firma show --ticks` numbers them */
    uint64_t partner;  /* the event's number in the process of the message's other end */
} EventPlace;

/* Finds the places of these events. source: the trace from its start. places: [events->count]. */
bool event_places_find(EventSource *source, const ProcessEvents *events, const OrderOptions *options,
                       const Progress *progress, EventPlace *places, Err *err);
