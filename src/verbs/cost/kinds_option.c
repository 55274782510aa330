/* SPDX-License-Identifier: BSD-3-Clause */
/* See kinds_option.h. */
#include "verbs/cost/kinds_option.h"

#include "base/vec.h"
#include <ctype.h>
#include <string.h>

#define MACHINES_LIMIT 1000000
#define CHOICES_LIMIT 1000

static bool read_count(const char *text, char **end, uint32_t *count)
{
    unsigned long value = isdigit((unsigned char)*text) ? strtoul(text, end, 10) : 0;
    *count = (uint32_t)value;
    return value >= 1 && value <= MACHINES_LIMIT;
}

/* "3", "3x4" */
static bool read_counts(const char *text, MachineChoice *choice)
{
    char *end;
    choice->workers_each = 1;
    if (!read_count(text, &end, &choice->n_machines))
        return false;
    return *end == '\0' || (*end == 'x' && read_count(end + 1, &end, &choice->workers_each) && *end == '\0');
}

static bool refuse(const char *word, Err *err)
{
    return err_set(err, ERR_USAGE, "--kinds: `%s` isn't KIND:NUMBER", word) ||
           err_hint(err, "for example old:3,fast:2; fast:2x4, two machines of four workers each; fast:2,4,8, three "
                         "choices");
}

typedef VEC(MachineChoice) Current;
typedef VEC(MachineChoices) All;

static void keep(const Current *current, All *all, Arena *arena)
{
    MachineChoice *items = arena_new_array(arena, MachineChoice, current->count);
    memcpy(items, current->items, current->count * sizeof *items);
    *vec_push(all) = (MachineChoices){current->count, items};
}

/* A kind with its number adds to the current choice. A bare number ends that choice, and begins the
 * next. */
static bool read_word(char *word, Current *current, All *all, Arena *arena, Err *err)
{
    char *colon = strrchr(word, ':');
    MachineChoice choice = {0};
    if (!colon && current->count) {
        choice.kind = current->items[current->count - 1].kind;
        if (!read_counts(word, &choice))
            return refuse(word, err);
        keep(current, all, arena);
        current->items[current->count - 1] = choice;
        return true;
    }
    if (!colon || colon == word)
        return refuse(word, err);
    *colon = '\0';
    choice.kind = word;
    if (!read_counts(colon + 1, &choice)) {
        *colon = ':';
        return refuse(word, err);
    }
    *vec_push(current) = choice;
    return true;
}

bool kinds_option_check(const char *text, Arena *arena, Err *err)
{
    const MachineChoices *choices;
    size_t n;
    return kinds_option_parse(text, arena, &n, &choices, err);
}

bool kinds_option_parse(const char *text, Arena *arena, size_t *n_choices, const MachineChoices **choices, Err *err)
{
    Current current = {0};
    All all = {0};
    char *rest = arena_strdup(arena, text), *word;
    bool ok = true;
    while (ok && (word = strsep(&rest, ",")))
        ok = read_word(word, &current, &all, arena, err);
    if (ok)
        keep(&current, &all, arena);
    if (ok && all.count > CHOICES_LIMIT)
        ok = err_set(err, ERR_USAGE, "--kinds: more than %d choices", CHOICES_LIMIT);
    if (ok) {
        MachineChoices *kept = arena_new_array(arena, MachineChoices, all.count);
        memcpy(kept, all.items, all.count * sizeof *kept);
        *choices = kept;
        *n_choices = all.count;
    }
    vec_free(&current);
    vec_free(&all);
    return ok;
}
