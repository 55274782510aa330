/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks up wanted events while a trace is read (positions.h). */
#include "signature/execute/positions.h"

#include <stdlib.h>

enum { BATCH = 1024 };

void positions_init(Positions *positions, uint32_t n_processes)
{
    *positions = (Positions){n_processes, memory_zeroed(n_processes, sizeof(ProcessPositions))};
}

void positions_free(Positions *positions)
{
    for (uint32_t i = 0; i < positions->n_processes; i++)
        vec_free(&positions->processes[i].wanted);
    free(positions->processes);
}

void positions_want(Positions *positions, uint32_t process, uint64_t number)
{
    *vec_push(&positions->processes[process].wanted) = (Position){.number = number};
}

static int by_number(const void *left, const void *right)
{
    const Position *a = left, *b = right;
    return (a->number > b->number) - (a->number < b->number);
}

/* *next: index in `wanted` of the first position that isn't passed. */
static void take_event(ProcessPositions *process, size_t *next, const Trace *trace, const Event *event)
{
    lifetime_add(&process->lifetime, event);
    if (!event_is_send_like(event))
        return;
    if (!process->n_send_events)
        process->first_ns = event->enter_ns;
    process->last_ns = event->enter_ns;
    for (; *next < process->wanted.count && process->wanted.items[*next].number == process->n_send_events; ++*next) {
        Position *position = &process->wanted.items[*next];
        position->enter_ns = event->enter_ns;
        position->type = comm_type_of_event(trace, event);
        position->found = true;
    }
    process->n_send_events++;
}

static bool read_process(ProcessPositions *process, uint32_t rank, EventSource *source, Event *batch, Err *err)
{
    size_t next = 0, count;
    if (process->wanted.count)
        qsort(process->wanted.items, process->wanted.count, sizeof(Position), by_number);
    do {
        if (!source->read(source, rank, batch, BATCH, &count, err))
            return false;
        for (size_t i = 0; i < count; i++)
            take_event(process, &next, source->trace, &batch[i]);
    } while (count);
    return true;
}

bool positions_read(Positions *positions, EventSource *source, const Progress *progress, Err *err)
{
    Event *batch = memory_resize(NULL, BATCH * sizeof *batch);
    bool ok = true;
    for (uint32_t rank = 0; ok && rank < positions->n_processes; rank++) {
        ok = read_process(&positions->processes[rank], rank, source, batch, err);
        progress_report(progress, "timing phases", rank + 1, positions->n_processes);
    }
    free(batch);
    return ok;
}

const Position *positions_find(const Positions *positions, uint32_t process, uint64_t number)
{
    const ProcessPositions *own = &positions->processes[process];
    const Position key = {.number = number};
    if (!own->wanted.count)
        return NULL;
    const Position *position = bsearch(&key, own->wanted.items, own->wanted.count, sizeof key, by_number);
    return position && position->found ? position : NULL;
}
