/* SPDX-License-Identifier: BSD-3-Clause */
/* See sequences.h. Whether an event may stand in the common order of its process is decided for all events
 * of one thread and one communication type, a *kind*. A kind is common if
 *
 *    - none of its calls overlaps a call of another thread, and
 *    - every other thread communicates equally often between two events of the kind: the threads go in step.
 *      (This number may change twice, because a thread begins and ends to communicate.)
 *
 * The other kinds of a thread are its own sequence, if some call of the thread overlaps one of another. MPI
 * orders the collectives of a communicator among the threads of a process. So threads that share a
 * communicator's collectives share a sequence. */
#include "trace/reader/sequences.h"

#include "base/map.h"
#include "model/logical.h"
#include "trace/reader/batches.h"
#include <stdlib.h>
#include <string.h>

enum { CHANGES_LIMIT = 2, NO_KIND = -1 };

typedef struct Kind {
    MapKey key;
    uint32_t thread;
    uint64_t n_events;
    bool overlaps, is_uneven;
    Event example;
} Kind;

/* What another thread did between two events of a kind. */
typedef struct Step {
    uint64_t n_before; /* its events before the kind's last event */
    uint64_t n_between;
    uint32_t n_changes;
} Step;

typedef struct Thread {
    uint64_t n_events;
    int64_t compute_ns;
    int64_t enter_ns, leave_ns; /* of its last call */
    ptrdiff_t kind;             /* of its last event */
    bool overlaps;
    uint32_t root; /* the first thread of those that share its sequence */
} Thread;

typedef struct Scan {
    uint32_t n_threads;
    Thread *threads; /* [n_threads] */
    Map numbers;     /* of kinds */
    VEC(Kind) kinds;
    VEC(Step) steps; /* [kinds][n_threads] */
} Scan;

static MapKey kind_key(const Location *location, const Event *event)
{
    uint64_t comm = event->kind == EVENT_COLLECTIVE ? event->comm : 0;
    return (MapKey){comm_type_of_event(&location->archive->trace, event),
                    (uint64_t)(location - location->archive->locations) << 32 | comm};
}

static bool is_known(const Location *location, const Event *event)
{
    return event->kind != EVENT_COLLECTIVE || event->comm < location->archive->trace.n_comms;
}

static size_t find_kind(Scan *scan, uint32_t thread, const Location *location, const Event *event)
{
    MapKey key = kind_key(location, event);
    size_t number = map_number(&scan->numbers, key, scan->kinds.count);
    if (number == scan->kinds.count) {
        *vec_push(&scan->kinds) = (Kind){.key = key, .thread = thread, .example = *event};
        for (uint32_t i = 0; i < scan->n_threads; i++)
            *vec_push(&scan->steps) = (Step){0};
    }
    return number;
}

static void note_steps(Scan *scan, size_t number)
{
    Kind *kind = &scan->kinds.items[number];
    for (uint32_t i = 0; i < scan->n_threads; i++) {
        Step *step = &scan->steps.items[number * scan->n_threads + i];
        uint64_t n_between = scan->threads[i].n_events - step->n_before;
        if (i == kind->thread)
            continue;
        if (kind->n_events > 1 && n_between != step->n_between && ++step->n_changes > CHANGES_LIMIT)
            kind->is_uneven = true;
        step->n_before = scan->threads[i].n_events;
        step->n_between = n_between;
    }
    kind->n_events++;
}

static void note_overlaps(Scan *scan, uint32_t number, const Event *event)
{
    Thread *thread = &scan->threads[number];
    for (uint32_t i = 0; i < scan->n_threads; i++) {
        Thread *other = &scan->threads[i];
        if (i == number || other->kind == NO_KIND || other->leave_ns <= event->enter_ns ||
            other->enter_ns >= event->leave_ns)
            continue;
        thread->overlaps = other->overlaps = true;
        scan->kinds.items[thread->kind].overlaps = scan->kinds.items[other->kind].overlaps = true;
    }
}

static bool scan_process(const Process *process, Scan *scan)
{
    for (;;) {
        Location *location;
        Event event;
        Err err;
        if (!reader_next_merged(process, &location, &event, &err))
            return false;
        if (!location)
            return true;
        scan->threads[location - process->locations].compute_ns += event.compute_ns;
        if (!event_is_in_order(&event) || !is_known(location, &event))
            continue;
        uint32_t number = (uint32_t)(location - process->locations);
        Thread *thread = &scan->threads[number];
        thread->kind = (ptrdiff_t)find_kind(scan, number, location, &event);
        thread->enter_ns = event.enter_ns;
        thread->leave_ns = event.leave_ns;
        note_steps(scan, (size_t)thread->kind);
        note_overlaps(scan, number, &event);
        thread->n_events++;
    }
}

static bool is_common(const Scan *scan, const Kind *kind)
{
    return !scan->threads[kind->thread].overlaps || (!kind->overlaps && !kind->is_uneven);
}

static uint32_t root_of(const Scan *scan, uint32_t thread)
{
    while (scan->threads[thread].root != thread)
        thread = scan->threads[thread].root;
    return thread;
}

/* Joins the threads that share a communicator's collectives. */
static void join_threads(Scan *scan)
{
    Map first_of_comm = {0};
    for (size_t i = 0; i < scan->kinds.count; i++) {
        const Kind *kind = &scan->kinds.items[i];
        if (is_common(scan, kind) || kind->example.kind != EVENT_COLLECTIVE)
            continue;
        uint32_t first = (uint32_t)map_number(&first_of_comm, (MapKey){kind->example.comm, 0}, kind->thread);
        uint32_t a = root_of(scan, first), b = root_of(scan, kind->thread);
        scan->threads[a > b ? a : b].root = a > b ? b : a;
    }
    map_free(&first_of_comm);
}

/* Numbers the sequences, from 1 on; with very many, the last one is shared. A thread without events of its own
 * has none. Returns the number of all sequences, with sequence 0. */
static uint32_t number_sequences(const Scan *scan, uint8_t *sequences)
{
    uint32_t n = 1;
    for (size_t i = 0; i < scan->kinds.count; i++)
        if (!is_common(scan, &scan->kinds.items[i]))
            sequences[root_of(scan, scan->kinds.items[i].thread)] = 1;
    for (uint32_t i = 0; i < scan->n_threads; i++)
        if (sequences[i])
            sequences[i] = (uint8_t)(n < SEQUENCE_LIMIT ? n++ : SEQUENCE_LIMIT - 1);
    for (uint32_t i = 0; i < scan->n_threads; i++)
        sequences[i] = sequences[root_of(scan, i)];
    return n;
}

/* Divides the events of a process. Returns the number of its sequences. */
static uint8_t divide(Archive *archive, Scan *scan, const Process *process, uint64_t *n_events)
{
    uint8_t *sequences = memory_zeroed(scan->n_threads, sizeof *sequences);
    join_threads(scan);
    uint32_t n = number_sequences(scan, sequences);
    memset(n_events, 0, SEQUENCE_LIMIT * sizeof *n_events);
    for (size_t i = 0; n > 2 && i < scan->kinds.count; i++) {
        const Kind *kind = &scan->kinds.items[i];
        bool common = is_common(scan, kind);
        n_events[common ? 0 : sequences[kind->thread]] += kind->n_events;
        if (common)
            *map_put(&archive->common, kind->key, NULL) = 1;
    }
    for (uint32_t i = 0; n > 2 && i < scan->n_threads; i++)
        process->locations[i].sequence = sequences[i];
    free(sequences);
    return (uint8_t)(n > 2 ? n : 1);
}

/* The sequence whose threads compute most. */
static uint8_t find_leading(const Scan *scan, const Process *process)
{
    int64_t compute_ns[SEQUENCE_LIMIT] = {0};
    uint8_t leading = 1;
    for (uint32_t i = 0; i < scan->n_threads; i++)
        compute_ns[process->locations[i].sequence] += scan->threads[i].compute_ns;
    for (uint8_t i = 2; i < SEQUENCE_LIMIT; i++)
        if (compute_ns[i] > compute_ns[leading])
            leading = i;
    return leading;
}

static bool has_several_threads(const Process *process)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < process->n_locations; i++)
        n += process->locations[i].n_promised > 0;
    return n > 1;
}

void sequences_find(Archive *archive, Archive *scanned)
{
    uint8_t *n_sequences = arena_new_array(archive->arena, uint8_t, archive->n_processes);
    uint8_t *leading = arena_new_array(archive->arena, uint8_t, archive->n_processes);
    VEC(uint64_t) all_events = {0};
    bool any = false;
    for (uint32_t p = 0; p < archive->n_processes; p++) {
        const Process *process = &scanned->processes[p];
        uint64_t n_events[SEQUENCE_LIMIT] = {0};
        n_sequences[p] = 1;
        if (has_several_threads(process)) {
            Scan scan = {.n_threads = process->n_locations};
            scan.threads = memory_zeroed(scan.n_threads, sizeof *scan.threads);
            for (uint32_t i = 0; i < scan.n_threads; i++)
                scan.threads[i] = (Thread){.kind = NO_KIND, .root = i};
            if (scan_process(process, &scan))
                n_sequences[p] = divide(archive, &scan, &archive->processes[p], n_events);
            leading[p] = find_leading(&scan, &archive->processes[p]);
            free(scan.threads);
            map_free(&scan.numbers);
            vec_free(&scan.kinds);
            vec_free(&scan.steps);
        }
        for (uint32_t i = 0; i < n_sequences[p]; i++)
            *vec_push(&all_events) = n_events[i];
        any |= n_sequences[p] > 1;
    }
    if (any) {
        uint64_t *copy = arena_new_array(archive->arena, uint64_t, all_events.count);
        memcpy(copy, all_events.items, all_events.count * sizeof *copy);
        archive->trace.n_sequences = n_sequences;
        archive->trace.leading = leading;
        archive->trace.sequence_events = copy;
    }
    vec_free(&all_events);
}

uint8_t sequence_of_event(const Location *location, const Event *event)
{
    if (!location->sequence || !event_is_in_order(event) || !is_known(location, event) ||
        map_get(&location->archive->common, kind_key(location, event)))
        return 0;
    return location->sequence;
}
