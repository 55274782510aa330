/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores records of messages and collectives, of whatever library. */
#pragma once

#include "trace/recorder/recorder.h"

static inline void record_message(Thread *thread, RecordKind kind, uint32_t comm, int peer, int tag, uint64_t bytes,
                                  uint64_t request)
{
    Record *place = record_next(thread);
    place->message.peer = peer;
    place->message.tag = tag;
    place->message.bytes = bytes;
    place->message.request = request;
    record_publish(place, record_head(kind, 0, 0, comm));
}

/* Records a blocking message. */
static inline void record_blocking(Thread *thread, RecordKind kind, uint32_t comm, int peer, int tag, uint64_t bytes)
{
    const RecordKind with_call = kind == RECORD_SEND ? RECORD_CALL_SEND : RECORD_CALL_RECV;
    if (!call_put_event(thread, with_call, 0, comm, peer, bytes, (uint32_t)tag))
        record_message(thread, kind, comm, peer, tag, bytes, 0);
}

static inline void record_collective_as(Thread *thread, RecordKind kind, uint8_t collective, uint32_t comm,
                                        int32_t root, uint64_t request, uint64_t sent, uint64_t received)
{
    Record *place = record_next(thread);
    place->collective.root = root;
    place->collective.request_low = (uint32_t)request;
    place->collective.bytes_sent = sent;
    place->collective.bytes_received = received;
    record_publish(place, record_head(kind, collective, (uint16_t)(request >> 32), comm));
}
