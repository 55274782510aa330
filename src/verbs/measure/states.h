/* SPDX-License-Identifier: BSD-3-Clause */
/* firma measure of a directory of saved states. */
#pragma once

#include "cli/cli.h"

typedef struct MeasureStatesOptions {
    const char *directory, *output; /* of the states; of the phase times */
    int repeats;
    const char *bind;    /* processors of each rank: "0,1", "0:3", "0-3,4-7"; NULL: as they were when saved */
    const char *machine; /* a model with the target's noise; NULL: not given */
} MeasureStatesOptions;

/* ERR_USAGE: the value of --bind isn't a list of processors. */
bool measure_check_bind(const char *text, Arena *arena, Err *err);

bool measure_states(Cli *cli, const MeasureStatesOptions *options, Err *err);
