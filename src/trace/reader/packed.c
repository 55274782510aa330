/* SPDX-License-Identifier: BSD-3-Clause */
/* See packed.h. A packed event is its kind, a byte of flags, and the numbers that both say are
 * there. Numbers have a variable length: 7 bits a byte, least significant first. Differences have
 * the sign in the lowest bit.
 *
 *      kind  flags  [collective reserved]  [comm tag]  peer+1  [bytes]  [bytes_received]  [request]  enter  leave
 * [compute]
 */
#include "trace/reader/packed.h"

#include "base/vec.h"
#include <assert.h>

enum {
    SAME_COMM = 1, /* comm and tag equal those of the event before */
    SAME_BYTES = 2,
    HAS_RECEIVED = 4, /* bytes_received follows */
    HAS_REQUEST = 8,
    HAS_COMPUTE = 16,
    HAS_OTHERS = 32, /* collective and reserved follow */
    LONGEST_EVENT = 3 + 4 * 5 + 6 * 10
};

static uint8_t *put(uint8_t *at, uint64_t number)
{
    for (; number >= 128; number >>= 7)
        *at++ = (uint8_t)(number | 128);
    *at++ = (uint8_t)number;
    return at;
}

static const uint8_t *get(const uint8_t *at, uint64_t *number)
{
    uint64_t value = *at & 127;
    for (unsigned int shift = 7; *at++ & 128; shift += 7)
        value |= (uint64_t)(*at & 127) << shift;
    *number = value;
    return at;
}

static uint8_t *put_difference(uint8_t *at, uint64_t number, uint64_t from)
{
    uint64_t difference = number - from;
    return put(at, difference << 1 ^ -(difference >> 63));
}

static const uint8_t *get_difference(const uint8_t *at, uint64_t from, uint64_t *number)
{
    uint64_t folded;
    at = get(at, &folded);
    *number = from + (folded >> 1 ^ -(folded & 1));
    return at;
}

static uint8_t flags_of(const Event *event, const struct PackedContext *before)
{
    return (uint8_t)((event->comm == before->comm && event->tag == before->tag ? SAME_COMM : 0) |
                     (event->bytes == before->bytes ? SAME_BYTES : 0) | (event->bytes_received ? HAS_RECEIVED : 0) |
                     (event->request == NO_REQUEST ? 0 : HAS_REQUEST) | (event->compute_ns ? HAS_COMPUTE : 0) |
                     (event->collective || event->lost ? HAS_OTHERS : 0));
}

static void update_context(struct PackedContext *context, const Event *event)
{
    context->comm = event->comm;
    context->tag = event->tag;
    context->bytes = event->bytes;
    context->enter_ns = event->enter_ns;
    if (event->request != NO_REQUEST)
        context->request = event->request;
}

static uint8_t *pack(uint8_t *at, const Event *event, const struct PackedContext *before)
{
    uint8_t flags = flags_of(event, before);
    *at++ = event->kind;
    *at++ = flags;
    if (flags & HAS_OTHERS)
        at = put(put(at, event->collective), event->lost);
    if (!(flags & SAME_COMM))
        at = put(put(at, event->comm), event->tag);
    at = put(at, event->peer + 1u);
    if (!(flags & SAME_BYTES))
        at = put(at, event->bytes);
    if (flags & HAS_RECEIVED)
        at = put(at, event->bytes_received);
    if (flags & HAS_REQUEST)
        at = put_difference(at, event->request, before->request);
    at = put_difference(at, (uint64_t)event->enter_ns, (uint64_t)before->enter_ns);
    at = put_difference(at, (uint64_t)event->leave_ns, (uint64_t)event->enter_ns);
    return flags & HAS_COMPUTE ? put(at, (uint64_t)event->compute_ns) : at;
}

static const uint8_t *unpack(const uint8_t *at, Event *event, const struct PackedContext *before)
{
    uint64_t number = 0;
    uint8_t kind = *at++, flags = *at++;
    *event =
        (Event){.kind = kind, .comm = before->comm, .tag = before->tag, .bytes = before->bytes, .request = NO_REQUEST};
    if (flags & HAS_OTHERS) {
        at = get(at, &number);
        event->collective = (uint8_t)number;
        at = get(at, &number);
        event->lost = (uint16_t)number;
    }
    if (!(flags & SAME_COMM)) {
        at = get(at, &number);
        event->comm = (uint32_t)number;
        at = get(at, &number);
        event->tag = (uint32_t)number;
    }
    at = get(at, &number);
    event->peer = (uint32_t)number - 1u;
    if (!(flags & SAME_BYTES))
        at = get(at, &event->bytes);
    if (flags & HAS_RECEIVED)
        at = get(at, &event->bytes_received);
    if (flags & HAS_REQUEST)
        at = get_difference(at, before->request, &event->request);
    at = get_difference(at, (uint64_t)before->enter_ns, &number);
    event->enter_ns = (int64_t)number;
    at = get_difference(at, number, &number);
    event->leave_ns = (int64_t)number;
    if (flags & HAS_COMPUTE) {
        at = get(at, &number);
        event->compute_ns = (int64_t)number;
    }
    return at;
}

void packed_add(Packed *packed, const Event *events, size_t count)
{
    for (const Event *event = events; event < events + count; event++) {
        if (packed->count + LONGEST_EVENT > packed->capacity)
            packed->bytes = vec_grow(packed->bytes, 1, packed->count + LONGEST_EVENT, &packed->capacity);
        uint8_t *at = packed->bytes + packed->count;
        size_t size = (size_t)(pack(at, event, &packed->next) - at);
        assert(size <= LONGEST_EVENT);
        packed->count += size;
        update_context(&packed->next, event);
    }
    packed->n_events += count;
}

size_t packed_take(Packed *packed, Event *events, size_t capacity)
{
    size_t n = packed->n_events < capacity ? packed->n_events : capacity;
    const uint8_t *at = packed->bytes + packed->at;
    for (size_t i = 0; i < n; i++) {
        at = unpack(at, &events[i], &packed->first);
        update_context(&packed->first, &events[i]);
    }
    packed->at = (size_t)(at - packed->bytes);
    assert(packed->at <= packed->count);
    packed->n_events -= n;
    assert(packed->n_events || packed->at == packed->count);
    if (!packed->n_events)
        packed->count = packed->at = 0;
    return n;
}

void packed_trim(Packed *packed)
{
    packed->capacity = packed->n_events ? packed->count : 0;
    if (packed->capacity) {
        packed->bytes = memory_resize(packed->bytes, packed->capacity);
    } else {
        free(packed->bytes);
        packed->bytes = NULL;
    }
}

void packed_free(Packed *packed)
{
    free(packed->bytes);
}
