/* SPDX-License-Identifier: BSD-3-Clause */
/* How objects that refer to each other lie in memory, as far as the source tells. Private to this folder. */
#pragma once

#include "cost/source/values/generator.h"

/* Whether each reference that the task stores in this field leads a constant distance further in an array, as in
 * `links[i].next = &links[i + 1]`, or between objects that are allocated one after the other, as in `node = malloc(…);
 * node->next = head; head = node`; or whether it steps through an array, as in `lexer->at++`. So a step along these
 * references is one in order. */
bool references_are_in_order(Generator *all, const char *field);
