/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores logical times, and finds them again for each event (places.h). */
#include "signature/export/places.h"

#include "base/heap.h"
#include "base/map.h"

/* Receives with the same key are equal in all that the trace shows. So it doesn't matter which of
 * them gets which record. */
static uint64_t receive_key(uint32_t source, uint64_t bytes, int64_t enter_ns, int64_t leave_ns)
{
    MapKey key = hash_word((MapKey){1, 1}, source);
    key = hash_word(key, bytes);
    key = hash_word(key, (uint64_t)enter_ns);
    key = hash_word(key, (uint64_t)leave_ns);
    return key.low | 1;
}

bool places_store(Spool *spool, uint64_t tick, uint64_t lt, const LogicalEvent *events, size_t count, Err *err)
{
    for (size_t i = 0; i < count; i++) {
        const LogicalEvent *event = &events[i];
        bool is_receive = comm_type_kind(event->type) == TYPE_RECV;
        const PlaceRecord record = {
            .number = event->number,
            .key = is_receive ? receive_key(comm_type_peer(event->type), event->bytes, event->enter_ns, event->leave_ns)
                              : 0,
            .logical_time = lt,
            .tick = tick,
        };
        if (!spool_write(spool, event->process, &record, err))
            return false;
    }
    return true;
}

void place_reader_start(PlaceReader *reader, Spool *spool, uint32_t process)
{
    reader->spool = spool;
    reader->has_ended = reader->has_send = reader->has_group = false;
    reader->n_sends = 0;
    reader->waiting.count = reader->group.count = reader->n_taken.count = 0;
    spool_start(spool, process);
}

void place_reader_free(PlaceReader *reader)
{
    vec_free(&reader->waiting);
    vec_free(&reader->group);
    vec_free(&reader->n_taken);
}

static bool comes_before(const void *left, const void *right)
{
    const PlaceRecord *a = left, *b = right;
    if (a->number != b->number)
        return a->number < b->number;
    if (a->key != b->key)
        return a->key < b->key;
    return a->tick < b->tick;
}

/* Reads up to the send-like event of this number. */
static bool read_to(PlaceReader *reader, uint64_t number, Err *err)
{
    while (!reader->has_ended && !(reader->has_send && reader->send.number >= number)) {
        PlaceRecord record;
        bool is_there;
        if (!spool_read(reader->spool, &record, &is_there, err))
            return false;
        if (!is_there) {
            reader->has_ended = true;
        } else if (record.key) {
            vec_push(&reader->waiting);
            heap_put(reader->waiting.items, reader->waiting.count - 1, sizeof record, &record, comes_before);
        } else {
            reader->send = record;
            reader->has_send = true;
        }
    }
    return true;
}

static bool make_group(PlaceReader *reader, Err *err)
{
    if (reader->has_group)
        return true;
    if (!read_to(reader, reader->n_sends, err))
        return false;
    reader->has_group = true;
    reader->group.count = reader->n_taken.count = 0;
    while (reader->waiting.count && reader->waiting.items[0].number <= reader->n_sends) {
        PlaceRecord record;
        heap_take(reader->waiting.items, reader->waiting.count--, sizeof record, &record, comes_before);
        if (record.number < reader->n_sends)
            continue; /* the receive was ordered by force, so its record came too late */
        *vec_push(&reader->group) = record;
        *vec_push(&reader->n_taken) = 0;
    }
    return true;
}

static bool place_receive(PlaceReader *reader, const Event *event, EventPlace *place, Err *err)
{
    if (!make_group(reader, err))
        return false;
    uint64_t key = receive_key(event->peer, event->bytes, event->enter_ns, event->leave_ns);
    size_t run = 0;
    vec_bisect(run, reader->group.count, reader->group.items[run].key < key);
    if (run == reader->group.count)
        return true;
    size_t i = run + reader->n_taken.items[run];
    if (i >= reader->group.count || reader->group.items[i].key != key)
        return true;
    reader->n_taken.items[run]++;
    *place = (EventPlace){true, reader->group.items[i].logical_time, reader->group.items[i].tick};
    return true;
}

bool place_reader_next(PlaceReader *reader, const Event *event, EventPlace *place, Err *err)
{
    *place = (EventPlace){false, 0, 0};
    if (event->kind == EVENT_RECV)
        return place_receive(reader, event, place, err);
    if (!event_is_send_like(event))
        return true;
    if (!read_to(reader, reader->n_sends, err))
        return false;
    if (reader->has_send && reader->send.number == reader->n_sends)
        *place = (EventPlace){true, reader->send.logical_time, reader->send.tick};
    reader->n_sends++;
    reader->has_group = false;
    return true;
}
