/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates a trace on the machine that the options name: for the verbs simulate and study. */
#pragma once

#include "cli/cli.h"
#include "verbs/simulate/traced.h"
#include "verbs/simulate/views.h"

/* --platform, --machine and what belongs to them; --given, --compute-speed, --collectives, --whole,
 * --no-sensitivity. */
extern const struct poptOption simulating_option_table[];

/* times: the file of --times; NULL: not given. ERR_USAGE: no machine is named, or options don't go together. */
bool simulating_options_check(const char *times, Err *err);

/* The first given option that needs a machine; NULL: none is given. */
const char *simulating_options_given(void);

/* The files that the options name, NULL for each that they don't. */
enum { SIMULATING_FILES = 2 + COMPUTATION_FILES };
void simulating_options_files(const char *files[SIMULATING_FILES]);

/* The machine. ERR_ENVIRONMENT: firma was built without SimGrid. */
bool simulating_find_platform(Cli *cli, Platform **platform, Err *err);

/* Whether so many processes can be simulated there, before their events are made. name: of the run, for messages. */
bool simulating_check_processes(Cli *cli, const char *name, const Platform *platform, uint32_t n, Err *err);

typedef struct Simulating {
    Traced traced;
    const char *times; /* a file by which computation is scaled; NULL: it isn't */
    const Platform *platform;
    Sweep *sweep; /* filled in */
    bool wants_schedule;
} Simulating;

/* Simulates, and notes what is approximate. The result is in the arena. */
bool simulating_run(Cli *cli, const Simulating *simulating, SimulateView *view, Err *err);

/* Simulates events of another source, with the same options. reopen: as of SimulationRequest. Simulates without
 * sensitivity. The result is in the arena. */
bool simulating_source(Cli *cli, EventSource *source, bool (*reopen)(void *self, EventSource **completions, Err *err),
                       void *self, const char *name, const Platform *platform, Simulated *simulated, Err *err);

/* Only the time of the trace, with each process on a processor, whatever the options are. */
bool simulating_time(Cli *cli, const char *trace, const Platform *platform, const uint32_t *processors,
                     double *application_s, Err *err);
