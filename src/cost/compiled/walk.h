/* SPDX-License-Identifier: BSD-3-Clause */
/* What a processor executes of a function or a loop: a walk through its blocks, where each branch goes either way
 * as often as the source says. Private to this folder. */
#pragma once

#include "cost/compiled/assembly.h"

typedef struct WalkPlan {
    const AssemblyFunction *function;
    int loop;            /* -1: the function, from its entry to its returns */
    const double *share; /* [n_blocks] how often a block runs when what is around it runs */
    const double *trips; /* [n_loops] of inner loops, each time they are reached; below 0: passed by */
} WalkPlan;

typedef struct Walked {
    struct {
        size_t count;
        const Instruction **items;
    } instructions;
    const AssemblyFunction *function; /* in which it walked */
    double trips;                     /* of the loop, or runs of the function */
    double *inner;                    /* [n_loops] trips of inner loops */
} Walked;

/* Walks until the loop did `most_trips`, or so many instructions were met. False: the walk doesn't come back to its
 * beginning. */
bool walk(const WalkPlan *plan, unsigned most_trips, size_t most_instructions, Arena *arena, Walked *walked);
