/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicts the run time of an MPI program in C from its source alone. */
#pragma once

#include "base/fields.h"
#include "cli/cli.h"

/* Beside the options that all subjects of `cost predict` have. */
extern const struct poptOption cost_program_option_table[];

bool cost_is_program(const char *path);

/* The first of these options that is given; NULL: none. */
const char *cost_program_option_given(void);

/* Prints what the program of these sources takes on the numbers of processes of --processes. paths: NULL behind the last
 * one. arguments: of the program; NULL: none. */
bool cost_predict_program(Cli *cli, const char *const *paths, char *const *arguments, bool without_messages, Err *err);

extern const FieldList cost_program_fields; /* of what --json prints */
