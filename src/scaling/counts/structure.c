/* SPDX-License-Identifier: BSD-3-Clause */
/* See structure.h. */
#include "scaling/counts/structure.h"

#include "base/text.h"
#include <string.h>

static const char *call_name(CommType type)
{
    switch (comm_type_kind(type)) {
    case TYPE_COLLECTIVE:
        return collective_name(comm_type_of_collective(type));
    case TYPE_ONE_SIDED:
        return "put";
    default:
        return "send";
    }
}

static int by_text(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The calls of each process; NULL: it has none. */
static const char **process_words(const Phase *phase, uint32_t n_processes, Arena *arena)
{
    Text *texts = arena_new_array(arena, Text, n_processes);
    const char **last = arena_new_array(arena, const char *, n_processes),
               **words = arena_new_array(arena, const char *, n_processes);
    for (uint32_t i = 0; i < phase->n_events; i++) {
        uint32_t process = phase->events[i].process;
        const char *name = call_name(phase->events[i].type);
        if (!last[process] || strcmp(last[process], name) != 0)
            text_add(&texts[process], "%s%s", last[process] ? " " : "", name);
        last[process] = name;
    }
    for (uint32_t i = 0; i < n_processes; i++)
        words[i] = last[i] ? text_take(&texts[i], arena) : NULL;
    return words;
}

const char *structure_text(const Phase *phase, uint32_t n_processes, Arena *arena)
{
    const char **words = process_words(phase, n_processes, arena), *before = NULL;
    uint32_t n = 0, shown = 0;
    Text text = {0};
    for (uint32_t i = 0; i < n_processes; i++)
        if (words[i])
            words[n++] = words[i];
    if (n)
        qsort(words, n, sizeof *words, by_text);
    for (uint32_t i = 0; i < n; before = words[i++])
        if (!before || strcmp(before, words[i]) != 0)
            text_add(&text, "%s%s", shown++ ? "; " : "", words[i]);
    return text_take(&text, arena);
}
