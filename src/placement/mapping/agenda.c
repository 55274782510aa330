/* SPDX-License-Identifier: BSD-3-Clause */
/* See agenda.h. */
#include "placement/mapping/agenda.h"

Agenda agenda_new(uint32_t n_tasks, Arena *arena)
{
    return (Agenda){.entries = arena_new_array(arena, Entry, n_tasks)};
}

static bool is_earlier(const Entry *a, const Entry *b)
{
    return a->time_s < b->time_s || (a->time_s == b->time_s && a->number < b->number);
}

void agenda_note(Agenda *agenda, double time_s, uint32_t task, bool has_computed)
{
    Entry entry = {.time_s = time_s, .number = agenda->noted++, .task = task, .has_computed = has_computed};
    uint32_t at = agenda->count++;
    for (; at && is_earlier(&entry, &agenda->entries[(at - 1) / 2]); at = (at - 1) / 2)
        agenda->entries[at] = agenda->entries[(at - 1) / 2];
    agenda->entries[at] = entry;
}

Entry agenda_take(Agenda *agenda)
{
    Entry first = agenda->entries[0], last = agenda->entries[--agenda->count];
    uint32_t at = 0;
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= agenda->count)
            break;
        if (child + 1 < agenda->count && is_earlier(&agenda->entries[child + 1], &agenda->entries[child]))
            child++;
        if (!is_earlier(&agenda->entries[child], &last))
            break;
        agenda->entries[at] = agenda->entries[child];
        at = child;
    }
    if (agenda->count)
        agenda->entries[at] = last;
    return first;
}
