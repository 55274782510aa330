/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the index of an element leads from one iteration of a loop to the next, by the text of the loop alone. Private to
 * cost/source and cost/compiled. */
#pragma once

#include "cost/source/program/program.h"

typedef enum Reach {
    REACH_ANYWHERE, /* data tell it, but not what this index found before: table[key[i]] */
    REACH_IN_ORDER, /* it steps by constants, as when merging: a[i] < b[j] ? i++ : j++ */
    REACH_FOLLOWS,  /* what was loaded there tells the next index: i = next[i] */
    REACH_DESCENDS  /* it halves what is left, or doubles, as in a binary search or down a heap */
} Reach;

Reach reach_of(const SourceStatement *loop, const SourceExpression *index);
