/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of `firma cost`, one file each, and the options that several of them take. */
#pragma once

#include "base/fields.h"
#include "cli/cli.h"

typedef struct CostOptions {
    char **set; /* NULL-terminated, or NULL: "N=1000" */
    char *machine, *kinds, *workers, *calibration, *configuration;
} CostOptions;
extern CostOptions cost_options;

/* --set; and those of prediction. */
extern const struct poptOption cost_set_option_table[], cost_machine_option_table[];

extern const Verb cost_check, cost_model, cost_predict, cost_run;

/* Of each of the `models` that `firma cost model --json` prints. */
extern const FieldList cost_model_fields;
