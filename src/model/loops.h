/* SPDX-License-Identifier: BSD-3-Clause */
/* Folds a sequence into nested loops as it comes in: occurrences of phases, or the messages of a task, where a "phase"
 * is the number of a kind of message. */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "model/signature.h"

typedef struct Loops {
    VEC(struct LoopItem) items;
    VEC(struct LoopSymbol) symbols;
    VEC(struct LoopBody) bodies;
    VEC(uint64_t) body_words;      /* symbol and count of each item of each body */
    Map body_of;                   /* content -> number in bodies */
    VEC(uint32_t) symbol_of_phase; /* + 1, or 0 */
    VEC(uint32_t) loop_positions;  /* of the items that are loops */
    uint64_t *powers;              /* of the hash's base */
    uint64_t n_occurrences;
} Loops; /* zero-initialise */

void loops_free(Loops *loops);

/* Appends one occurrence of the phase (index). */
void loops_append(Loops *loops, uint32_t phase);

/* The outermost loop that goes on at the end: the occurrence at which it started, and how many its body has. False:
 * there is none. */
bool loops_period(const Loops *loops, uint64_t *start, uint64_t *length);

/* The folded sequence; ids[i] is the id of phase i. Expanding it gives back what was appended. */
Loop loops_finish(Loops *loops, const uint32_t *ids, Arena *arena);
