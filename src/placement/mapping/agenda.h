/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of a simulation, earliest first; of equal times, the one noted first. The functions
 * are inline, because each step calls them. Private to mapping/. */
#pragma once

#include "base/heap.h"
#include <stdint.h>

typedef struct Entry {
    double time_s;
    uint64_t number; /* number of earlier entries */
    uint32_t task;
    bool has_computed; /* true: a computation has ended; false: the message for which the task
                          waited has arrived */
} Entry;

typedef struct Agenda {
    uint32_t count;
    uint64_t noted;
    Entry *entries; /* [n_tasks] a heap; each task has at most one entry */
} Agenda;

static inline bool agenda_is_earlier(const void *left, const void *right)
{
    const Entry *a = left, *b = right;
    return a->time_s < b->time_s || (a->time_s == b->time_s && a->number < b->number);
}

static inline void agenda_note(Agenda *agenda, double time_s, uint32_t task, bool has_computed)
{
    const Entry entry = {time_s, agenda->noted++, task, has_computed};
    heap_put(agenda->entries, agenda->count++, sizeof entry, &entry, agenda_is_earlier);
}

/* Takes out the earliest entry. There must be one. */
static inline Entry agenda_take(Agenda *agenda)
{
    Entry first;
    heap_take(agenda->entries, agenda->count--, sizeof first, &first, agenda_is_earlier);
    return first;
}
