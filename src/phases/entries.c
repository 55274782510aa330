/* SPDX-License-Identifier: BSD-3-Clause */
/* See entries.h. */
#include "phases/entries.h"

#define NO_PIECE UINT64_MAX
#define PIECE_BYTES (ENTRIES_OF_A_PIECE * sizeof(int64_t))

void entries_init(Entries *entries, size_t memory_bytes)
{
    *entries =
        (Entries){.n_kept_pieces = memory_bytes / PIECE_BYTES, .current_number = NO_PIECE, .window_number = NO_PIECE};
}

void entries_free(Entries *entries)
{
    for (size_t i = 0; i < entries->kept.count; i++)
        free(entries->kept.items[i]);
    vec_free(&entries->kept);
    vec_free(&entries->offsets);
    free(entries->window);
    spill_free(&entries->spill);
}

/* The piece takes the place of the one in the window, which goes to the file. */
static bool move_window(Entries *entries, uint64_t piece, Err *err)
{
    if (!entries->window)
        entries->window = memory_resize(NULL, PIECE_BYTES);
    if (entries->window_number != NO_PIECE && !entries->is_last_reading &&
        !spill_write(&entries->spill, entries->window, PIECE_BYTES,
                     &entries->offsets.items[entries->window_number - entries->n_kept_pieces], err))
        return false;
    uint64_t place = piece - entries->n_kept_pieces;
    if (place == entries->offsets.count)
        *vec_push(&entries->offsets) = 0; /* it was never in the file */
    else if (!spill_read(&entries->spill, entries->offsets.items[place], entries->window, PIECE_BYTES, err))
        return false;
    entries->window_number = piece;
    return true;
}

bool entries_go_to(Entries *entries, uint64_t piece, Err *err)
{
    if (piece < entries->n_kept_pieces) {
        if (entries->kept.count == piece)
            *vec_push(&entries->kept) = memory_resize(NULL, PIECE_BYTES);
        entries->current = entries->kept.items[piece];
    } else {
        if (piece != entries->window_number && !move_window(entries, piece, err))
            return false;
        entries->current = entries->window;
    }
    entries->current_number = piece;
    return true;
}
