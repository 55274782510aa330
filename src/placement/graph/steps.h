/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds lists of steps. Private to the folder. */
#pragma once

#include "base/vec.h"
#include "model/tfg.h"

typedef struct StepList {
    VEC(Step) steps;
} StepList; /* zero-initialise */

/* Adds computation to the end. Consecutive computation becomes one step; 0 s becomes none. */
void steps_add_compute(StepList *list, double seconds);

/* Adds a loop with the steps of `body` to the end, and frees body's list. A body of computation
 * alone becomes one computation. */
void steps_add_loop(StepList *list, uint64_t times, StepList *body, Arena *arena);

/* Copies the steps into the arena, and frees the list. */
const Step *steps_take(StepList *list, Arena *arena, uint32_t *n_steps);

/* Adds the steps with their loops folded, as graph_fold() does. */
void steps_add_folded(StepList *list, const Step *steps, uint32_t n_steps);
