/* SPDX-License-Identifier: BSD-3-Clause */
/* firma measure of a directory of saved states. */
#pragma once

#include "cli/cli.h"

typedef struct MeasureStatesOptions {
    const char *directory, *output; /* of the states; of the phase times */
    int repeats;
    /* Processors of each rank (bind.h); NULL: as they were when saved. With several, ended by NULL, the
     * states are measured under each. */
    const char *const *binds;
    const char *machine; /* a model with the target's noise; NULL: not given */
    char *const *verify; /* the command that runs the program in full, with several; NULL: it isn't run */
} MeasureStatesOptions;

bool measure_states(Cli *cli, const MeasureStatesOptions *options, Err *err);
