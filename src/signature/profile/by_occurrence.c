/* SPDX-License-Identifier: BSD-3-Clause */
/* See by_occurrence.h. */
#include "signature/profile/by_occurrence.h"

#include "base/vec.h"
#include <stdlib.h>
#include <string.h>

enum { STARTS_KEPT = 64 }; /* of a process, for items that come late */

typedef struct Process {
    VEC(OccurrenceStart) starts;
    VEC(uint64_t) places;
    VEC(char) items;
    uint64_t last; /* the largest place; BEFORE_ALL: there is none */
} Process;

struct ByOccurrence {
    uint32_t n_processes;
    size_t item_bytes;
    TakeItem *take;
    void *self;
    Process *processes;
};

ByOccurrence *by_occurrence_new(uint32_t n_processes, size_t item_bytes, TakeItem *take, void *self)
{
    ByOccurrence *sorter = memory_zeroed(1, sizeof *sorter);
    *sorter = (ByOccurrence){n_processes, item_bytes, take, self, memory_zeroed(n_processes, sizeof(Process))};
    for (uint32_t i = 0; i < n_processes; i++)
        sorter->processes[i].last = BEFORE_ALL;
    return sorter;
}

void by_occurrence_add(ByOccurrence *sorter, uint32_t process, uint64_t place, const void *item)
{
    Process *of = &sorter->processes[process];
    *vec_push(&of->places) = place;
    vec_reserve(&of->items, sorter->item_bytes);
    memcpy(of->items.items + of->items.count, item, sorter->item_bytes);
    of->items.count += sorter->item_bytes;
    if (place != BEFORE_ALL && (of->last == BEFORE_ALL || place > of->last))
        of->last = place;
}

void *by_occurrence_last(const ByOccurrence *sorter, uint32_t process, uint64_t place)
{
    const Process *of = &sorter->processes[process];
    bool is_there = of->places.count && of->places.items[of->places.count - 1] == place;
    return is_there ? of->items.items + of->items.count - sorter->item_bytes : NULL;
}

/* The last start at the place or before it. */
static const OccurrenceStart *find_start(const Process *process, uint64_t place)
{
    size_t low = 0, high = process->starts.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (process->starts.items[middle].send_event <= place)
            low = middle + 1;
        else
            high = middle;
    }
    return place == BEFORE_ALL || !low ? NULL : &process->starts.items[low - 1];
}

/* Hands on the items before the place `end`; all of them if the trace has ended. */
static void take_items(ByOccurrence *sorter, uint32_t number, uint64_t end, bool has_ended)
{
    Process *process = &sorter->processes[number];
    size_t n_kept = 0, size = sorter->item_bytes;
    for (size_t i = 0; i < process->places.count; i++) {
        uint64_t place = process->places.items[i];
        const char *item = process->items.items + i * size;
        if (place == BEFORE_ALL || place < end) {
            sorter->take(sorter->self, number, find_start(process, place), item);
        } else if (has_ended) {
            sorter->take(sorter->self, number, NULL, item);
        } else {
            process->places.items[n_kept] = place;
            memmove(process->items.items + n_kept++ * size, item, size);
        }
    }
    process->places.count = n_kept;
    process->items.count = n_kept * size;
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
        vec_free(&sorter->processes[i].places);
        vec_free(&sorter->processes[i].items);
    }
    free(sorter->processes);
    free(sorter);
}
