/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts that are inserted into a source. Lines keep their numbers. Private to this folder. */
#pragma once

#include "base/text.h"
#include "cost/count/written.h"

typedef struct Insertion {
    size_t at;
    /* At one place, in this order: behind what ends there, the inner first; at the beginning of a block; before a
     * statement; before what begins there, the outer first. */
    enum { INSERT_BEHIND, INSERT_IN_BLOCK, INSERT_BEFORE_STATEMENT, INSERT_BEFORE } order;
    size_t other; /* BEHIND: where the stretch begins; BEFORE: where it ends */
    const char *text;
} Insertion;

typedef struct Edits {
    const WrittenFile *file;
    VEC(Insertion) items;
} Edits;

void edits_around(Edits *edits, size_t from, size_t to, const char *before, const char *behind);
/* The file's text with all insertions. */
const char *edits_apply(Edits *edits, Arena *arena);
