/* SPDX-License-Identifier: BSD-3-Clause */
/* Options that several words of `firma cost` take. */
#include "verbs/cost/application.h"
#include "verbs/cost/cost.h"
#include "verbs/cost/kinds_option.h"
#include "verbs/cost/machines.h"

#include <string.h>

CostOptions cost_options = {
    .set = {.check = cost_check_setting},
    .kinds = {.check = kinds_option_check},
    .workers = {.option = "--workers", .by_default = "1", .least = 1, .most = COST_WORKERS_LIMIT},
    .allocation = {.names = cost_allocations},
};

const char *const cost_allocations[] = {"static", "dynamic", NULL};

bool cost_is_dynamic(void)
{
    return cost_options.allocation.given && strcmp(cost_options.allocation.given, cost_allocations[1]) == 0;
}

const struct poptOption cost_set_option_table[] = {
    {"set", 's', OPTION_CHECKED_WORDS, &cost_options.set, 0,
     "value of a parameter, such as 1000 or 10^6, instead of the file's; may be repeated", "NAME=VALUE"},
    POPT_TABLEEND};

const struct poptOption cost_depth_option_table[] = {
    {"depth", 0, OPTION_NATURAL, &cost_options.depth, 0,
     "levels of recursions whose number of calls the source doesn't tell, instead of a parameter", "N"},
    POPT_TABLEEND};

bool cost_check_depth(Err *err)
{
    return cost_options.depth <= PASL_DEPTH_LIMIT ||
           err_set(err, ERR_USAGE, "--depth: %d is more than %d", cost_options.depth, PASL_DEPTH_LIMIT);
}

const struct poptOption cost_machine_option_table[] = {
    {"machine", 'm', OPTION_JSON, &cost_options.machine, 0, "the machine model", "FILE"},
    {"kinds", 0, OPTION_CHECKED, &cost_options.kinds, 0,
     "the machines, by kinds of the machine model: old:3,fast:2; fast:2x4 (two machines with four "
     "workers each); fast:2,4,8 (three choices); x is for workers here, and begins no factor",
     "KIND:N,…"},
    {"workers", 0, OPTION_NUMBERS, &cost_options.workers, 0,
     "numbers of workers, such as 1,2,4, on one machine: of the model's only kind, or this machine", "LIST"},
    {"allocation", 0, OPTION_CHOICE, &cost_options.allocation, 0,
     "how workers get their tasks: static gives each its tasks beforehand, in proportion to its performance; dynamic "
     "gives the next task to the first free worker; by default static",
     "NAME"},
    {"calibration", 0, OPTION_JSON, &cost_options.calibration, 0,
     "scale predictions by this calibration (cost run --calibrate)", "FILE"},
    {"counts", 0, OPTION_JSON, &cost_options.counts, 0,
     "probabilities, iterations and calls that were counted in runs (cost run --count); --set and the flow file come "
     "first",
     "FILE"},
    {"configuration", 'c', POPT_ARG_STRING, &cost_options.configuration, 0,
     "how messages are sent, such as `openmpi tcp`; by default in the fastest way of the machine model", "NAME"},
    POPT_TABLEEND};
