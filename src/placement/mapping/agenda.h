/* SPDX-License-Identifier: BSD-3-Clause */
/* What will happen in a simulation, earliest first, of equal times what was noted first. Called for every step, so it
 * is inline. Private to mapping/. */
#pragma once

#include "base/heap.h"
#include <stdint.h>

typedef struct Entry {
    double time_s;
    uint64_t number; /* in the order of noting */
    uint32_t task;
    bool has_computed; /* a computation ended; else what the task waited for has come */
} Entry;

typedef struct Agenda {
    uint32_t count;
    uint64_t noted;
    Entry *entries; /* [n_tasks] a heap: a task has one entry at most */
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

/* The earliest; there is one. */
static inline Entry agenda_take(Agenda *agenda)
{
    Entry first;
    heap_take(agenda->entries, agenda->count--, sizeof first, &first, agenda_is_earlier);
    return first;
}
