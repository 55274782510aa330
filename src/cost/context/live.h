/* SPDX-License-Identifier: BSD-3-Clause */
/* How much of the memory that a task allocates again and again lives at a time. Private to this folder. */
#pragma once

#include "cost/context/rewriter.h"

/* The share of the blocks that the task frees and allocates anew: those of an iteration of the loop that frees them. Where
 * no loop does, a place's blocks follow each other in a recursion, so that one lives. 0: there are no such blocks. */
double live_share(const Rewriter *rewriter);
