/* SPDX-License-Identifier: BSD-3-Clause */
/* What the data can't carry. Private to the folder. */
#pragma once

#include "base/arena.h"
#include "scaling/scaling.h"

/* left_out: how many runs lay so far off the others of their point that laws are fitted without them. */
void warnings_make(Scaling *scaling, uint32_t left_out, Arena *arena);
