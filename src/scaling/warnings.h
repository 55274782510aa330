/* SPDX-License-Identifier: BSD-3-Clause */
/* Warnings: what the data are not sufficient for. Private to the folder. */
#pragma once

#include "base/arena.h"
#include "scaling/scaling.h"

/* left_out: number of runs that were left out of fits, because they are far from the others of
 * their point. */
void warnings_make(Scaling *scaling, uint32_t left_out, Arena *arena);
