/* SPDX-License-Identifier: BSD-3-Clause */
/* What will happen in a simulation, earliest first, of equal times what was noted first: a binary heap. Private to
 * mapping/. */
#ifndef FIRMA_PLACEMENT_MAPPING_AGENDA_H
#define FIRMA_PLACEMENT_MAPPING_AGENDA_H

#include "base/arena.h"
#include <stdbool.h>
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
    Entry *entries;
} Agenda;

/* A task has one entry at most. */
Agenda agenda_new(uint32_t n_tasks, Arena *arena);

void agenda_note(Agenda *agenda, double time_s, uint32_t task, bool has_computed);

/* The earliest; there is one. */
Entry agenda_take(Agenda *agenda);

#endif
