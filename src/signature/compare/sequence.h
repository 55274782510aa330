/* SPDX-License-Identifier: BSD-3-Clause */
/* Private to compare/: two sequences of events, fed in whatever order, and how alike they are. */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "signature/compare/compare.h"

typedef struct Sequence {
    SequenceDifference difference; /* count, first and event, while it grows */
    bool in_step;                  /* types have agreed so far: places are still compared */
    bool differs;                  /* something did: `first` stands */
    int ahead;                     /* whose events wait to be compared */
    VEC(ComparedEvent) waiting;    /* from `head` on */
    size_t head;
    Map numbers;          /* event -> its number in `surplus` */
    VEC(int64_t) surplus; /* how often A has it more than B */
} Sequence;

void sequence_init(Sequence *sequence);
void sequence_free(Sequence *sequence);

/* The next event of a side. */
void sequence_add(Sequence *sequence, int side, const ComparedEvent *event);

/* After the last one. */
SequenceDifference sequence_finish(Sequence *sequence);
