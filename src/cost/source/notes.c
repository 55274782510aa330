/* SPDX-License-Identifier: BSD-3-Clause */
/* What the front end took for something else becomes a finding, if it's in a function that the model has. */
#include "cost/source/generate.h"

#include <string.h>

static bool is_before(const SourcePlace *a, const SourcePlace *b)
{
    return strcmp(a->file, b->file) == 0 && (a->line < b->line || (a->line == b->line && a->column <= b->column));
}

/* The last one that begins before the place. NULL: none, it's of the file as a whole. */
static const SourceFunction *function_at(const SourceProgram *program, const SourcePlace *place)
{
    const SourceFunction *found = NULL;
    for (size_t i = 0; i < program->n_functions; i++) {
        const SourceFunction *function = &program->functions[i];
        if (is_before(&function->place, place) && (!found || is_before(&found->place, &function->place)))
            found = function;
    }
    return found;
}

void notes_to_findings(Generator *all)
{
    for (size_t i = 0; i < all->program->n_notes; i++) {
        const SourceNote *note = &all->program->notes[i];
        const SourceFunction *function = function_at(all->program, &note->place);
        bool is_used = !function;
        for (size_t j = 0; j < all->made.count && !is_used; j++)
            is_used = all->made.items[j].function == function;
        if (is_used)
            finding_add(all, &note->place, NULL, note->message);
    }
}
