/* SPDX-License-Identifier: BSD-3-Clause */
/* When each event of a trace was entered, in the order of the logical trace: written once, then read and changed from
 * the end to the start, then read from the start. The first ones stay in memory, the others go to a temporary file. */
#ifndef FIRMA_PHASES_ENTRIES_H
#define FIRMA_PHASES_ENTRIES_H

#include "base/spill.h"
#include "base/vec.h"

enum { ENTRIES_OF_A_PIECE = 1 << 16 };

typedef struct Entries {
    uint64_t n_kept_pieces; /* at most so many stay in memory */
    VEC(int64_t *) kept;
    int64_t *current; /* the piece that was used last */
    uint64_t current_number;
    Spill spill;
    VEC(uint64_t) offsets; /* in the file, of the pieces that don't stay in memory */
    int64_t *window;       /* the one of those that is in memory */
    uint64_t window_number;
    bool is_last_reading; /* set before it: pieces needn't go back to the file */
} Entries;

/* `memory_bytes` is about what the entries may take in memory. */
void entries_init(Entries *entries, size_t memory_bytes);
void entries_free(Entries *entries);

/* Makes the piece with this number the current one, which exists or comes next. Errors: ERR_ENVIRONMENT. */
bool entries_go_to(Entries *entries, uint64_t piece, Err *err);

/* A place for an entry that exists or comes next, into *place; valid until the next call. */
static inline bool entries_at(Entries *entries, uint64_t number, int64_t **place, Err *err)
{
    uint64_t piece = number / ENTRIES_OF_A_PIECE;
    if (piece != entries->current_number && !entries_go_to(entries, piece, err))
        return false;
    *place = &entries->current[number % ENTRIES_OF_A_PIECE];
    return true;
}

#endif
