/* SPDX-License-Identifier: BSD-3-Clause */
/* firma measure of a signature, with the command that starts the program. */
#pragma once

#include "cli/cli.h"
#include "signature/execute/measure.h"

typedef struct MeasurePrefixOptions {
    const char *signature, *output;   /* paths: the signature's, of the phase times */
    const char *machine;              /* a model with the target's noise; NULL: not given */
    const char *policies, *rankfiles; /* several mappings (mappings.h); NULL: none */
    bool verify;                      /* with several mappings, also run in full under each */
    PlanOptions plan;
    MeasureOptions measure; /* without its paths */
} MeasurePrefixOptions;

bool measure_signature(Cli *cli, const MeasurePrefixOptions *options, char *const *command, Err *err);
