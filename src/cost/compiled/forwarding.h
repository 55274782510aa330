/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads of what the code itself has just stored, as in a[i] = a[i - 1] * x: they wait for the store. Private to this
 * folder. */
#pragma once

#include "cost/compiled/walk.h"

/* For each instruction of the walk, the one whose last store it loads; NULL: none. [walked->instructions.count] */
const Instruction *const *forwarding_find(const Walked *walked, Arena *arena);
