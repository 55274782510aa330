/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads both traces process by process, side by side. Always reads on from the trace that is
 * behind. So the events that wait to be compared are only those that the other trace has in
 * flight. */
#include "signature/compare/compare.h"

#include "base/map.h"
#include "model/lifetime.h"
#include "signature/compare/sequence.h"
#include <assert.h>

enum { BATCH = 1024 };

/* ---- Communication matrices. Holds one row at a time, and of all pairs only those that differ
 * most. ---- */

/* Messages of one process in both traces. */
typedef struct Pairs {
    uint32_t source;
    Map numbers; /* destination -> number in `list` */
    VEC(PairDifference) list;
} Pairs;

static void pairs_free(Pairs *pairs)
{
    map_free(&pairs->numbers);
    vec_free(&pairs->list);
}

static void pairs_add(Pairs *pairs, int side, uint32_t destination, uint64_t bytes)
{
    size_t number = map_number(&pairs->numbers, (MapKey){0, destination}, pairs->list.count);
    if (number == pairs->list.count)
        *vec_push(&pairs->list) = (PairDifference){.source = pairs->source, .destination = destination};
    PairDifference *pair = &pairs->list.items[number];
    pair->messages[side]++;
    pair->bytes[side] += bytes;
}

static uint64_t away(const uint64_t values[2])
{
    return values[0] > values[1] ? values[0] - values[1] : values[1] - values[0];
}

static bool differs_more(const PairDifference *a, const PairDifference *b)
{
    if (away(a->bytes) != away(b->bytes))
        return away(a->bytes) > away(b->bytes);
    if (away(a->messages) != away(b->messages))
        return away(a->messages) > away(b->messages);
    return a->source != b->source ? a->source < b->source : a->destination < b->destination;
}

static void keep(const PairDifference *pair, TraceDifference *difference)
{
    uint32_t at = difference->n_kept;
    if (at == PAIRS_KEPT) {
        if (!differs_more(pair, &difference->pairs[PAIRS_KEPT - 1]))
            return;
        at--;
    } else {
        difference->n_kept++;
    }
    assert(at < PAIRS_KEPT);
    for (; at && differs_more(pair, &difference->pairs[at - 1]); at--)
        difference->pairs[at] = difference->pairs[at - 1];
    difference->pairs[at] = *pair;
}

/* Adds the row to the result: counts, and the pairs that differ most so far. */
static void pairs_finish(const Pairs *pairs, TraceDifference *difference)
{
    difference->n_pairs += pairs->list.count;
    for (size_t i = 0; i < pairs->list.count; i++) {
        const PairDifference *pair = &pairs->list.items[i];
        if (!away(pair->messages) && !away(pair->bytes))
            continue;
        difference->n_different_pairs++;
        keep(pair, difference);
    }
}

/* ---- One process ---- */

/* One process of one trace. */
typedef struct Side {
    EventSource *source; /* NULL: the trace doesn't have the process */
    bool ended;
    uint64_t n_read;
    Lifetime lifetime;
} Side;

typedef struct Process {
    uint32_t rank;
    Side sides[2];
    Sequence sends, receives;
    Pairs pairs;
    ProcessDifference difference;
} Process;

static void take_event(Process *process, int side, const Event *event)
{
    const ComparedEvent compared = {comm_type_of_event(process->sides[side].source->trace, event),
                                    event_volume_bytes(event), event->enter_ns};
    switch (event->kind) {
    case EVENT_SEND:
        process->difference.count[COMPARED_SENDS][side]++;
        pairs_add(&process->pairs, side, event->peer, event->bytes);
        break;
    case EVENT_RECV:
        process->difference.count[COMPARED_RECEIVES][side]++;
        sequence_add(&process->receives, side, &compared);
        return;
    case EVENT_COLLECTIVE:
        process->difference.count[COMPARED_COLLECTIVES][side]++;
        break;
    default:
        process->difference.count[COMPARED_ONE_SIDED][side]++;
    }
    sequence_add(&process->sends, side, &compared);
}

static bool read_batch(Process *process, int which, Event *events, Err *err)
{
    Side *side = &process->sides[which];
    size_t count;
    if (!side->source->read(side->source, process->rank, events, BATCH, &count, err))
        return err_prefix(err, "trace %c", "AB"[which]);
    side->ended = count == 0;
    side->n_read += count;
    for (size_t i = 0; i < count; i++) {
        lifetime_add(&side->lifetime, &events[i]);
        if (event_is_in_order(&events[i]))
            take_event(process, which, &events[i]);
    }
    return true;
}

static int fewer(const uint64_t counts[2])
{
    return counts[0] < counts[1] ? 0 : counts[1] < counts[0] ? 1 : -1;
}

/* The side to read from next. */
static int side_behind(const Process *process)
{
    if (process->sides[0].ended || process->sides[1].ended)
        return process->sides[0].ended;
    int side = process->sends.in_step ? fewer(process->sends.difference.count) : -1;
    if (side < 0 && process->receives.in_step)
        side = fewer(process->receives.difference.count);
    return side >= 0 ? side : process->sides[1].n_read < process->sides[0].n_read;
}

static void set_times(const Process *process, SequenceDifference *difference)
{
    for (int side = 0; side < 2; side++)
        if (difference->event[side].type)
            difference->time_s[side] =
                (double)(difference->event[side].enter_ns - process->sides[side].lifetime.begin_ns) * 1e-9;
}

static void finish_process(Process *process, TraceDifference *whole)
{
    ProcessDifference *own = &process->difference;
    own->sends = sequence_finish(&process->sends);
    own->receives = sequence_finish(&process->receives);
    set_times(process, &own->sends);
    set_times(process, &own->receives);
    pairs_finish(&process->pairs, whole);
    whole->sends = own->sends.likeness > whole->sends ? own->sends.likeness : whole->sends;
    whole->receives = own->receives.likeness > whole->receives ? own->receives.likeness : whole->receives;
    whole->common += own->sends.common;
    for (int side = 0; side < 2; side++) {
        const Side *read = &process->sides[side];
        double span_s = (double)lifetime_ns(&read->lifetime) * 1e-9;
        whole->count[side] += own->sends.count[side];
        whole->n_unfinished[side] += read->source && !read->lifetime.finished;
        if (span_s > whole->application_s[side])
            whole->application_s[side] = span_s;
    }
}

static bool compare_process(EventSource *const sources[2], uint32_t rank, Event *events, TraceDifference *whole,
                            ProcessDifference *result, Err *err)
{
    Process process = {.rank = rank, .pairs.source = rank};
    for (int side = 0; side < 2; side++) {
        bool exists = rank < sources[side]->trace->application.n_processes;
        process.sides[side] = (Side){.source = exists ? sources[side] : NULL, .ended = !exists};
    }
    sequence_init(&process.sends);
    sequence_init(&process.receives);
    bool fine = true;
    while (fine && !(process.sides[0].ended && process.sides[1].ended))
        fine = read_batch(&process, side_behind(&process), events, err);
    if (fine)
        finish_process(&process, whole);
    *result = process.difference;
    sequence_free(&process.sends);
    sequence_free(&process.receives);
    pairs_free(&process.pairs);
    return fine;
}

bool compare_events(EventSource *const sources[2], const Progress *progress, Arena *arena, TraceDifference *difference,
                    Err *err)
{
    uint32_t n[2] = {sources[0]->trace->application.n_processes, sources[1]->trace->application.n_processes};
    TraceDifference result = {.n_processes = n[0] > n[1] ? n[0] : n[1]};
    ProcessDifference *processes = arena_new_array(arena, ProcessDifference, result.n_processes);
    Event *events = memory_zeroed(BATCH, sizeof *events);
    bool fine = true;
    for (uint32_t rank = 0; fine && rank < result.n_processes; rank++) {
        fine = compare_process(sources, rank, events, &result, &processes[rank], err);
        progress_report(progress, "comparing events", rank + 1, result.n_processes);
    }
    free(events);
    result.processes = processes;
    if (fine)
        *difference = result;
    return fine;
}
