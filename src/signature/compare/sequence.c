/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares two sequences (sequence.h). As long as types agree, events are compared place by place;
 * the side that is ahead waits. Contents are compared as multisets: events of A count up, events of
 * B count down. Equal events in the same place needn't be counted.
 *
 *    A  +1 +2 +3 allreduce …           first difference: 1
 *    B  +1 +3 +2 allreduce …           the same events in another order */
#include "signature/compare/sequence.h"

#include <assert.h>

/* Most different events that are distinguished. If all volumes of a program are different, there
 * may be more. From then on, new volumes of a type count as one event, in both traces alike. */
enum { EVENTS_LIMIT = 1 << 20 };
/* Compared events at the front of `waiting` are removed when there are this many. */
enum { LAG_KEPT = 4096 };
#define ANY_VOLUME UINT64_MAX

void sequence_init(Sequence *sequence)
{
    *sequence = (Sequence){.in_step = true};
}

void sequence_free(Sequence *sequence)
{
    vec_free(&sequence->waiting);
    vec_free(&sequence->surplus);
    map_free(&sequence->numbers);
}

static void count_event(Sequence *sequence, int side, const ComparedEvent *event)
{
    MapKey key = {event->type, event->bytes};
    if (sequence->surplus.count >= EVENTS_LIMIT && !map_get(&sequence->numbers, key))
        key.low = ANY_VOLUME;
    size_t number = map_number(&sequence->numbers, key, sequence->surplus.count);
    if (number == sequence->surplus.count)
        *vec_push(&sequence->surplus) = 0;
    sequence->surplus.items[number] += side == 0 ? 1 : -1;
}

/* From here on, places are no longer compared. */
static void fall_out_of_step(Sequence *sequence)
{
    sequence->in_step = false;
    for (size_t i = sequence->head; i < sequence->waiting.count; i++)
        count_event(sequence, sequence->ahead, &sequence->waiting.items[i]);
    vec_free(&sequence->waiting);
    sequence->head = 0;
}

/* Compares the events in the same place of both sequences. Equal ones needn't be counted. */
static void compare_place(Sequence *sequence, uint64_t place, const ComparedEvent *a, const ComparedEvent *b)
{
    if (a->type == b->type && a->bytes == b->bytes)
        return;
    count_event(sequence, 0, a);
    count_event(sequence, 1, b);
    if (!sequence->differs) {
        sequence->differs = true;
        sequence->difference.first = place;
        sequence->difference.event[0] = *a;
        sequence->difference.event[1] = *b;
    }
    if (a->type != b->type)
        fall_out_of_step(sequence);
}

static void wait_for_other(Sequence *sequence, int side, const ComparedEvent *event)
{
    if (sequence->head == sequence->waiting.count)
        sequence->waiting.count = sequence->head = 0;
    if (sequence->head > LAG_KEPT && sequence->head > sequence->waiting.count / 2) {
        sequence->waiting.count -= sequence->head;
        memmove(sequence->waiting.items, sequence->waiting.items + sequence->head,
                sequence->waiting.count * sizeof *sequence->waiting.items);
        sequence->head = 0;
    }
    sequence->ahead = side;
    *vec_push(&sequence->waiting) = *event;
}

void sequence_add(Sequence *sequence, int side, const ComparedEvent *event)
{
    uint64_t place = sequence->difference.count[side]++;
    if (!sequence->in_step) {
        count_event(sequence, side, event);
    } else if (sequence->head == sequence->waiting.count || sequence->ahead == side) {
        wait_for_other(sequence, side, event);
    } else {
        ComparedEvent other = sequence->waiting.items[sequence->head++];
        compare_place(sequence, place, side == 0 ? event : &other, side == 0 ? &other : event);
    }
}

static uint64_t count_common(const Sequence *sequence)
{
    uint64_t different = 0, all = sequence->difference.count[0] + sequence->difference.count[1];
    for (size_t i = 0; i < sequence->surplus.count; i++)
        different += (uint64_t)llabs(sequence->surplus.items[i]);
    assert(different <= all && (all - different) % 2 == 0);
    return (all - different) / 2;
}

static Likeness judge(const Sequence *sequence)
{
    const SequenceDifference *difference = &sequence->difference;
    if (!sequence->differs)
        return difference->count[0] == difference->count[1] ? LIKENESS_SAME : LIKENESS_SHORTER;
    if (difference->common == difference->count[0] && difference->common == difference->count[1])
        return LIKENESS_ORDER;
    return sequence->in_step && difference->count[0] == difference->count[1] ? LIKENESS_VOLUMES : LIKENESS_CONTENT;
}

SequenceDifference sequence_finish(Sequence *sequence)
{
    SequenceDifference *difference = &sequence->difference;
    bool longer_waits = sequence->in_step && sequence->head < sequence->waiting.count;
    if (longer_waits && !sequence->differs) {
        difference->first = difference->count[!sequence->ahead];
        difference->event[sequence->ahead] = sequence->waiting.items[sequence->head];
    }
    for (size_t i = sequence->head; longer_waits && i < sequence->waiting.count; i++)
        count_event(sequence, sequence->ahead, &sequence->waiting.items[i]);
    difference->common = count_common(sequence);
    difference->likeness = judge(sequence);
    return *difference;
}
