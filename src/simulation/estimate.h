/* SPDX-License-Identifier: BSD-3-Clause */
/* From simulated occurrences to the time of the run. Private to the folder. */
#pragma once

#include "signature/noise/deviation.h"
#include "simulation/replayed.h"

typedef struct Estimate {
    double application_s;
    double *process_s;      /* [n_processes] */
    double *startup_s;      /* [n_processes] before the first send-like event */
    double *shutdown_s;     /* [n_processes] behind the last one */
    ProcessTime *durations; /* [n_phases × n_processes] in the signature's order */
    Deviation deviation;    /* relative, from the choice of occurrences */
    double drift;           /* by how much the time would differ if the later half of the sample stood for all */
} Estimate;

/* Results in the arena. */
Estimate estimate_of(const Replayed *replayed, const Sample *sample, const Signature *signature, Arena *arena);

/* Only the application's time. */
double estimate_time(const Replayed *replayed, const Sample *sample);
