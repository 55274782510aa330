/* SPDX-License-Identifier: BSD-3-Clause */
/* The cheapest machines that keep a deadline: --deadline and --prices. */
#pragma once

#include "cli/cli.h"
#include "verbs/cost/kinds_option.h"

extern const struct poptOption cost_cheapest_option_table[];

typedef struct Cheapest {
    MachineChoices choice;
    double time_s; /* at most */
    double price;  /* of the run, at most, in the unit of --prices */
} Cheapest;

bool cheapest_is_wanted(void);

/* ERR_USAGE: only one of both options is given, or a price isn't one. */
bool cheapest_check(Err *err);

/* A sentence for people. */
const char *cheapest_text(const Cheapest *cheapest, Arena *arena);
double cheapest_deadline_s(void);

/* Finds the machines among all numbers of the kinds with prices, with a worker on each processor. ERR_NEGATIVE: none
 * keep the deadline; the message names the fastest. */
bool cheapest_find(Predictor *predictor, const MachineModel *machine, Arena *arena, Cheapest *cheapest, Err *err);
