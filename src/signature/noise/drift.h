/* SPDX-License-Identifier: BSD-3-Clause */
/* How much two runs of the same program on the same machine differ, beyond the noise that one run
 * shows: what changes from one run to the next doesn't change while it lasts. */
#pragma once

#include "model/signature.h"
#include "signature/noise/deviation.h"

/* Of the difference between two runs. */
typedef Deviation Drift;

/* From the traced run and the first `n_repeats` repeats. They are few, so they are put together with
 * what was measured on other programs. */
Drift drift_of_runs(const Signature *signature, uint32_t n_repeats);

/* Of the traced machine, from all traced runs. Simulated machines don't drift. */
Drift drift_of_machine(const Signature *signature);

/* Adds what further runs on the target say: the logarithms of their paces. */
void drift_add_runs(Drift *drift, const double *logarithms, uint32_t n);

/* The same of the difference between a run and the mean of n others. */
Deviation drift_to_mean(const Drift *drift, uint32_t n);

/* A machine without drift, such as a simulated one. */
Drift drift_none(void);
