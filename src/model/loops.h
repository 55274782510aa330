/* SPDX-License-Identifier: BSD-3-Clause */
/* Folds a sequence into nested loops while the sequence is produced. The sequence consists of
 * occurrences of phases, or of a task's messages. Then a "phase" is the number of a kind of
 * message. */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "model/signature.h"

typedef struct Loops {
    VEC(struct LoopItem) items;
    VEC(struct LoopSymbol) symbols;
    VEC(struct LoopBody) bodies;
    VEC(uint64_t) body_words;      /* symbol and count of each item of each body, one after the other */
    Map body_of;                   /* hash of a body's content -> index in `bodies` */
    VEC(uint32_t) symbol_of_phase; /* symbol + 1 of each phase, or 0 */
    VEC(uint32_t) loop_positions;  /* positions of the items that are loops */
    uint64_t *powers;              /* powers of the hash's base */
    uint64_t n_occurrences;
} Loops; /* zero-initialise */

void loops_free(Loops *loops);

/* Appends one occurrence of the phase with this index. */
void loops_append(Loops *loops, uint32_t phase);

/* Describes the outermost loop that reaches to the end of the sequence. *start is the occurrence at
 * which the loop began, *length the number of occurrences in one iteration. Returns false without
 * such a loop. */
bool loops_period(const Loops *loops, uint64_t *start, uint64_t *length);

/* Returns the folded sequence; ids[i] is the id of phase i. Expanding the result gives the appended
 * sequence. */
Loop loops_finish(Loops *loops, const uint32_t *ids, Arena *arena);
