/* SPDX-License-Identifier: BSD-3-Clause */
/* Closed forms of recursions: how many calls have which arguments. Private to cost/source.
 *
 *     measure.c     what becomes less with each level
 *     recurrence.c  numbers of calls, by the levels' steps
 *     recursion.c   the calls of a function, by shapes of recurrences */
#pragma once

#include "cost/source/recursion/measure.h"

/* Makes the sub-model `calls`, which calls the sub-model `once` (of a single call) for all calls. Returns
 * a call of it, in terms of the function's parameters. NULL: no closed form is known. */
PamelaNode *recursion_close(const Recursion *recursion, const char *once, const char *calls, const SourcePlace *call);
