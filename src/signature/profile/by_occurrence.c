/* SPDX-License-Identifier: BSD-3-Clause */
/* See by_occurrence.h. */
#include "signature/profile/by_occurrence.h"

#include "base/vec.h"
#include <stdlib.h>
#include <string.h>

enum { STARTS_KEPT = 64 }; /* of a process, for items that come late */

typedef struct Process {
    VEC(char) kept; /* items, each behind its place */
    uint64_t last;  /* the largest place; BEFORE_ALL: there is none */
    VEC(OccurrenceStart) starts;
} Process;

struct ByOccurrence {
    uint32_t n_processes;
    size_t item_bytes, stride; /* stride: of an item and its place */
    TakeItem *take;
    void *self;
    Process *processes;
};

ByOccurrence *by_occurrence_new(uint32_t n_processes, size_t item_bytes, TakeItem *take, void *self)
{
    ByOccurrence *sorter = memory_zeroed(1, sizeof *sorter);
    *sorter = (ByOccurrence){.n_processes = n_processes,
                             .item_bytes = item_bytes,
                             .stride = sizeof(uint64_t) + item_bytes,
                             .take = take,
                             .self = self,
                             .processes = memory_zeroed(n_processes, sizeof(Process))};
    for (uint32_t i = 0; i < n_processes; i++)
        sorter->processes[i].last = BEFORE_ALL;
    return sorter;
}

static uint64_t place_at(const char *kept)
{
    uint64_t place;
    memcpy(&place, kept, sizeof place);
    return place;
}

void by_occurrence_add(ByOccurrence *sorter, uint32_t process, uint64_t place, const void *item)
{
    Process *of = &sorter->processes[process];
    vec_reserve(&of->kept, sorter->stride);
    memcpy(of->kept.items + of->kept.count, &place, sizeof place);
    memcpy(of->kept.items + of->kept.count + sizeof place, item, sorter->item_bytes);
    of->kept.count += sorter->stride;
    if (place != BEFORE_ALL && (of->last == BEFORE_ALL || place > of->last))
        of->last = place;
}

void *by_occurrence_last(const ByOccurrence *sorter, uint32_t process, uint64_t place)
{
    const Process *of = &sorter->processes[process];
    char *last = of->kept.count ? of->kept.items + of->kept.count - sorter->stride : NULL;
    return last && place_at(last) == place ? last + sizeof place : NULL;
}

void by_occurrence_fetch_record(const ByOccurrence *sorter, uint32_t process)
{
    __builtin_prefetch(&sorter->processes[process]);
}

void by_occurrence_fetch_end(const ByOccurrence *sorter, uint32_t process)
{
    const Process *of = &sorter->processes[process];
    if (of->kept.count)
        __builtin_prefetch(of->kept.items + of->kept.count - sorter->stride);
}

/* The last start at the place or before it. */
static const OccurrenceStart *find_start(const Process *process, uint64_t place)
{
    size_t at = 0;
    vec_bisect(at, process->starts.count, process->starts.items[at].send_event <= place);
    return place == BEFORE_ALL || !at ? NULL : &process->starts.items[at - 1];
}

/* Hands on the items before the place `end`; all of them if the trace has ended. */
static void take_items(ByOccurrence *sorter, uint32_t number, uint64_t end, bool has_ended)
{
    Process *process = &sorter->processes[number];
    size_t n_kept = 0;
    for (size_t at = 0; at < process->kept.count; at += sorter->stride) {
        char *kept = process->kept.items + at;
        uint64_t place = place_at(kept);
        if (place == BEFORE_ALL || place < end) {
            sorter->take(sorter->self, number, find_start(process, place), kept + sizeof place);
        } else if (has_ended) {
            sorter->take(sorter->self, number, NULL, kept + sizeof place);
        } else {
            memmove(process->kept.items + n_kept, kept, sorter->stride);
            n_kept += sorter->stride;
        }
    }
    process->kept.count = n_kept;
}

void by_occurrence_start(ByOccurrence *sorter, const OccurrenceStart *starts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Process *process = &sorter->processes[starts[i].process];
        *vec_push(&process->starts) = starts[i];
        if (process->starts.count % STARTS_KEPT)
            continue;
        take_items(sorter, starts[i].process, starts[i].send_event, false);
        if (process->starts.count < 4 * STARTS_KEPT)
            continue;
        size_t n_left_out = process->starts.count - STARTS_KEPT;
        memmove(process->starts.items, process->starts.items + n_left_out, STARTS_KEPT * sizeof *process->starts.items);
        process->starts.count = STARTS_KEPT;
    }
}

void by_occurrence_finish(ByOccurrence *sorter)
{
    for (uint32_t i = 0; i < sorter->n_processes; i++)
        take_items(sorter, i, sorter->processes[i].last, true);
}

void by_occurrence_free(ByOccurrence *sorter)
{
    for (uint32_t i = 0; i < sorter->n_processes; i++) {
        vec_free(&sorter->processes[i].starts);
        vec_free(&sorter->processes[i].kept);
    }
    free(sorter->processes);
    free(sorter);
}
