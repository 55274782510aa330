/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures one signature under several mappings, and prints their predictions side by side: the
 * thesis's table 6.7. */
#pragma once

#include "cli/cli.h"
#include "model/signature.h"
#include "model/times.h"
#include "verbs/measure/mappings.h"

typedef struct OverMappings {
    /* Measures under one mapping, and writes the phase times. */
    bool (*measure)(void *self, const Mapped *mapping, const char *path, const PhaseTimes **times, Err *err);
    void *self;
    const char *output; /* the files of phase times are named after it: times.json becomes times.block.json */
    const char *input;  /* the signature, or the directory of states */
    bool verify;        /* also run the program in full under each mapping */
} OverMappings;

/* If a mapping can't be measured, those before it are printed all the same, and its error is returned. */
bool over_mappings(Cli *cli, const Signature *signature, const Mappings *mappings, const OverMappings *how, Err *err);
