/* SPDX-License-Identifier: BSD-3-Clause */
/* Choices of machines on the command line. */
#pragma once

#include "cost/predict/predict.h"

typedef struct MachineChoices {
    size_t count;
    const MachineChoice *items;
} MachineChoices;

/* "old:3,fast:2" is one choice of five machines; "fast:2x4" is two machines of four workers each; "fast:2,4,8" are
 * three choices: a bare number takes the place of the last one. Gives all choices, in order. */
bool kinds_option_parse(const char *text, Arena *arena, size_t *n_choices, const MachineChoices **choices, Err *err);

/* The same without a result. */
bool kinds_option_check(const char *text, Arena *arena, Err *err);
