/* SPDX-License-Identifier: BSD-3-Clause */
/* Logical times, stored as the order stage finds them, tick by tick, and read again in program order. Private to
 * export/.
 *
 * In a process the ticks of sends ascend in program order, but those of receives don't: one that completes late may
 * belong to a tick long past. It is always read before the send that follows it in the program, so it waits in a heap
 * until the process comes to it; what waits there are messages that were in flight. */
#pragma once

#include "base/spool.h"
#include "base/vec.h"
#include "model/event.h"
#include "model/logical.h"
#include "trace/annotated.h"

/* Of one event, as stored. */
typedef struct PlaceRecord {
    uint64_t number; /* of a send-like event in its process; of a receive: of the send-like one that follows it */
    uint64_t key;    /* of a receive: from its source, bytes and times; of a send-like event: 0 */
    uint64_t logical_time, tick;
} PlaceRecord;

bool places_store(Spool *spool, uint64_t tick, uint64_t lt, const LogicalEvent *events, size_t count, Err *err);

/* Reading, process by process. */
typedef struct PlaceReader {
    Spool *spool;
    bool has_ended;
    uint64_t n_sends; /* send-like events that the process has passed */
    PlaceRecord send; /* the last one read */
    bool has_send;
    VEC(PlaceRecord) waiting; /* receives: a heap, ordered by number, key, logical time */
    VEC(PlaceRecord) group;   /* receives before the next send-like event, in that order */
    VEC(uint32_t) n_taken;    /* by place in the group: of the run of equal keys that begins there */
    bool has_group;
} PlaceReader;

void place_reader_start(PlaceReader *reader, Spool *spool, uint32_t process);
void place_reader_free(PlaceReader *reader);

/* The place of the process's next event. */
bool place_reader_next(PlaceReader *reader, const Event *event, EventPlace *place, Err *err);
