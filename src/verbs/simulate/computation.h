/* SPDX-License-Identifier: BSD-3-Clause */
/* How many times as fast as in the trace processes compute on the simulated machine, and how that is known:
 * --compute-speed, --traced-cpu and --target-cpu. */
#pragma once

#include "cli/cli.h"
#include "model/event.h"

extern const struct poptOption computation_option_table[];

typedef enum ComputationSource { AS_TRACED, BY_TIMES, BY_SPEED, BY_BENCHMARKS } ComputationSource;
extern const char *const computation_sources[];

typedef struct Computation {
    ComputationSource source;
    double speed; /* times as fast as in the trace; of BY_TIMES, beside the times */
    const char *text;
} Computation;

/* The first of these options that is given; NULL: none. */
const char *computation_options_given(void);

/* The files that the options name, NULL for each that they don't. */
enum { COMPUTATION_FILES = 2 };
void computation_options_files(const char *files[COMPUTATION_FILES]);

/* ERR_USAGE: options that don't go together. times: the file of --times; NULL: not given. */
bool computation_options_check(const char *times, Err *err);

/* ERR_INPUT, naming the file: it doesn't say what computing costs on the machine. */
bool computation_find(const Trace *trace, const char *times, Arena *arena, Computation *computation, Err *err);
