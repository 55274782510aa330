/* SPDX-License-Identifier: BSD-3-Clause */
/* See drift.h. With the logarithms x of the times of K + 1 runs, the variance of a difference is
 *
 *    s² = (ν₀ s₀² + 2 Σ (x - mean x)²) / (ν₀ + K)
 *
 * with ν₀ + K degrees of freedom. This is the posterior of a scaled inverse χ² distribution. */
#include "signature/noise/drift.h"

#include "model/application.h"
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

/* bench/accuracy.py fits the prior deviation s₀ to pairs of full runs, one after the other. Its
 * degrees of freedom ν₀ are as few as rare large differences ask for. */
static const double PRIOR_DEVIATION = 0.027, PRIOR_FREEDOM = 3;

Drift drift_none(void)
{
    return (Drift){0, HUGE_VAL};
}

Drift drift_of_runs(const Signature *signature, uint32_t n_repeats)
{
    uint32_t n_runs = n_repeats + 1;
    double *logarithms = memory_zeroed(n_runs, sizeof *logarithms);
    for (uint32_t run = 0; run < n_runs; run++)
        logarithms[run] = log(signature_run_time_s(signature, run, (double)signature->n_occurrences));
    Drift drift = {pow(PRIOR_DEVIATION, 2), PRIOR_FREEDOM};
    drift_add_runs(&drift, logarithms, n_runs);
    free(logarithms);
    return drift;
}

Drift drift_of_machine(const Signature *signature)
{
    return application_is_simulated(&signature->application) ? drift_none()
                                                             : drift_of_runs(signature, signature->n_repeats);
}

void drift_add_runs(Drift *drift, const double *logarithms, uint32_t n)
{
    if (n < 2 || !isfinite(drift->freedom))
        return;
    double squares = gsl_stats_tss(logarithms, 1, n), freedom = drift->freedom + n - 1;
    drift->variance = (drift->freedom * drift->variance + (isfinite(squares) ? 2 * squares : 0)) / freedom;
    drift->freedom = freedom;
}

Deviation drift_to_mean(const Drift *drift, uint32_t n)
{
    return deviation_scaled(*drift, (1 + 1.0 / n) / 2);
}
