/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares two sequences of events while they are read, in whatever order the events of both sides
 * come. Private to compare/. */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "signature/compare/compare.h"

typedef struct Sequence {
    SequenceDifference difference; /* count, first and event are up to date while the sequences
                                      grow */
    bool in_step;                  /* types have agreed so far, so places are still compared */
    bool differs;                  /* some place differs: `first` is set */
    int ahead;                     /* side whose events wait for the other's */
    VEC(ComparedEvent) waiting;    /* those from `head` on */
    size_t head;
    Map numbers;          /* event -> its number in `surplus` */
    VEC(int64_t) surplus; /* occurrences in A minus occurrences in B */
} Sequence;

void sequence_init(Sequence *sequence);
void sequence_free(Sequence *sequence);

/* Adds the next event of a side. */
void sequence_add(Sequence *sequence, int side, const ComparedEvent *event);

/* To be called after the last event. */
SequenceDifference sequence_finish(Sequence *sequence);
