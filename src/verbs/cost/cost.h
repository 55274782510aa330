/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of `firma cost`, one file each, and the options that several of them take. */
#pragma once

#include "base/fields.h"
#include "cli/cli.h"
#include "cli/option_values.h"
#include "cli/values.h"

typedef struct CostOptions {
    CheckedWords set; /* "N=1000" */
    CheckedText kinds;
    NumberList workers;
    char *machine, *calibration, *counts, *configuration;
    Choice allocation;
    int depth;
} CostOptions;
extern CostOptions cost_options;

/* --set; --depth; and those of prediction. */
extern const struct poptOption cost_set_option_table[], cost_depth_option_table[], cost_machine_option_table[];
/* Whether --allocation is dynamic. */
bool cost_is_dynamic(void);
extern const char *const cost_allocations[];
/* ERR_USAGE: --depth is too large. */
bool cost_check_depth(Err *err);

extern const Verb cost_check, cost_model, cost_predict, cost_run;

/* Of each of the `models` that `firma cost model --json` prints. */
extern const FieldList cost_model_fields;
