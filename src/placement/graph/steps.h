/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of steps that are being made. Private to the folder. */
#pragma once

#include "base/vec.h"
#include "model/tfg.h"

typedef struct StepList {
    VEC(Step) steps;
} StepList; /* zero-initialise */

/* Consecutive computation becomes one step; none takes no step. */
void steps_add_compute(StepList *list, double seconds);

/* All steps of the list as a loop's body, at the end of another list; the body's list is freed. A body that only
 * computes is computation. */
void steps_add_loop(StepList *list, uint64_t times, StepList *body, Arena *arena);

/* The steps in the arena; the list is freed. */
const Step *steps_take(StepList *list, Arena *arena, uint32_t *n_steps);

/* What they compute, with all iterations. */
double steps_compute_s(const Step *steps, uint32_t n_steps);
