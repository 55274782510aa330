/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores logical times in the order in which the order stage finds them, tick by tick, and reads
 * them back in program order. Private to export/.
 *
 * In a process, the ticks of sends ascend in program order, but those of receives don't: a receive
 * that completes late may belong to a tick long past. Its record is always read before that of the
 * send that follows it in the program. So the record waits in a heap until the process comes to the
 * receive. Only messages that were in flight wait there. */
#pragma once

#include "base/spool.h"
#include "base/vec.h"
#include "model/event.h"
#include "model/logical.h"
#include "trace/annotated.h"

/* The logical time of one event, as stored. */
typedef struct PlaceRecord {
    uint64_t number; /* of a send-like event: its number in its process; of a receive: the number
                        of the send-like event that follows it */
    uint64_t key;    /* of a receive: hash of its source, bytes and times; of a send-like event:
                        0 */
    uint64_t logical_time, tick;
} PlaceRecord;

bool places_store(Spool *spool, uint64_t tick, uint64_t lt, const LogicalEvent *events, size_t count, Err *err);

/* Reads the records of one process after another. */
typedef struct PlaceReader {
    Spool *spool;
    bool has_ended;
    uint64_t n_sends; /* send-like events that the process has passed */
    PlaceRecord send; /* the last one read */
    bool has_send;
    VEC(PlaceRecord) waiting; /* receives: a heap, ordered by number, key, tick */
    VEC(PlaceRecord) group;   /* receives before the next send-like event, in the same order */
    /* By place in the group: how many of the run of equal keys that begins there are taken. */
    VEC(uint32_t) n_taken;
    bool has_group;
} PlaceReader;

void place_reader_start(PlaceReader *reader, Spool *spool, uint32_t process);
void place_reader_free(PlaceReader *reader);

/* Finds the logical time of the process's next event. */
bool place_reader_next(PlaceReader *reader, const Event *event, EventPlace *place, Err *err);
