/* SPDX-License-Identifier: BSD-3-Clause */
/* See edits.h. */
#include "cost/count/edits.h"

#include <stdlib.h>

void edits_around(Edits *edits, size_t from, size_t to, const char *before, const char *behind)
{
    *vec_push(&edits->items) = (Insertion){from, INSERT_BEFORE, to, before};
    *vec_push(&edits->items) = (Insertion){to, INSERT_BEHIND, from, behind};
}

static int by_place(const void *left, const void *right)
{
    const Insertion *a = left, *b = right;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    return a->other == b->other ? 0 : a->other > b->other ? -1 : 1;
}

const char *edits_apply(Edits *edits, Arena *arena)
{
    Text text = {0};
    size_t at = 0;
    if (edits->items.count)
        qsort(edits->items.items, edits->items.count, sizeof *edits->items.items, by_place);
    for (size_t i = 0; i < edits->items.count; i++) {
        const Insertion *insertion = &edits->items.items[i];
        text_add(&text, "%.*s%s", (int)(insertion->at - at), edits->file->text + at, insertion->text);
        at = insertion->at;
    }
    text_add(&text, "%s", edits->file->text + at);
    return text_take(&text, arena);
}
