/* SPDX-License-Identifier: BSD-3-Clause */
/* How the processes differ. The prediction is that of the slowest process, so each process's own
 * error raises it: the largest of several noisy sums is too large in the mean. Two errors are the
 * measurement's. An occurrence begins and ends at other moments in each process, so the stretch of
 * a process is longer or shorter than that of another one by up to an occurrence:
 *
 *     process 0   |---- a ----|---- a ----|---- a ----|
 *     process 1     |---- a ----|--- a ---|------ a ------|
 *
 * And the machine's noise. What the processes differ by in the whole traced run has neither. So the
 * measured differences are drawn towards the traced ones (James and Stein, with the mean square of
 * all processes):
 *
 *     factor_p = exp(-(1 - kept) e_p)        e_p = log(measured share of p / traced share of p)
 *     kept     = max(0, 1 - v / mean of e²)  v = variance of the ends + variance of noise
 *
 * Both ends of a stretch lie anywhere in an occurrence of the length d. The difference of two such
 * ends has the variance d²/6. */
#include "signature/predict/extrapolate.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

double outlook_rest(const Outlook *outlook, uint32_t phase_index, uint32_t stratum, uint32_t process)
{
    const PhaseOutlook *phase = &outlook->phases[phase_index];
    double weight = (double)phase->phase->weight;
    return weight > 0 ? phase->stratum_rest[stratum] * (double)phase->phase->processes[process].count / weight : 0;
}

/* The rest of the run in a process: by the measured durations, and by the traced ones. */
static void sum_rest(const Outlook *outlook, uint32_t process, double *measured_s, double *traced_s)
{
    *measured_s = *traced_s = 0;
    for (uint32_t i = 0; i < outlook->signature->n_phases; i++) {
        const PhaseOutlook *phase = &outlook->phases[i];
        for (uint32_t k = 0; k < phase->n_strata; k++)
            *measured_s += outlook_rest(outlook, i, k, process) * outlook_duration_s(outlook, i, k, process);
        double weight = (double)phase->phase->weight;
        *traced_s += weight > 0 ? phase->rest / weight * phase->phase->processes[process].total_s : 0;
    }
}

/* The relative variance that the ends of the measured stretch give the rest of the run in a process:
 * d²/6 for the mean of n occurrences, times n^-2, in each phase and stratum. Each run of a prefix has
 * its own ends. */
static double variance_of_ends(const Outlook *outlook)
{
    double sum_s = 0, squares = 0;
    for (uint32_t i = 0; i < outlook->signature->n_phases; i++) {
        const PhaseOutlook *phase = &outlook->phases[i];
        for (uint32_t k = 0; k < phase->n_strata; k++) {
            double rest_s = phase->stratum_rest[k] * outlook_mean_s(outlook, i, k),
                   n = phase->n_strata > 1 ? phase->here.occurrences[k]
                       : phase->measured   ? (double)phase->measured->occurrences
                                           : 0;
            sum_s += rest_s;
            squares += n > 0 ? rest_s * rest_s * outlook->measured.n_runs / (6 * n * n) : 0;
        }
    }
    return sum_s > 0 ? squares / (sum_s * sum_s) : 0;
}

void outlook_balance(Outlook *outlook, double noise_variance)
{
    uint32_t n = outlook->signature->application.n_processes;
    double *measured_s = memory_zeroed(n, sizeof *measured_s), *traced_s = memory_zeroed(n, sizeof *traced_s);
    double squares = 0;
    for (uint32_t p = 0; p < n; p++)
        sum_rest(outlook, p, &measured_s[p], &traced_s[p]);
    double measured_mean_s = gsl_stats_mean(measured_s, 1, n), traced_mean_s = gsl_stats_mean(traced_s, 1, n);
    for (uint32_t p = 0; p < n; p++) {
        double share = measured_s[p] / measured_mean_s / (traced_s[p] / traced_mean_s);
        measured_s[p] = isfinite(share) && share > 0 ? log(share) : 0; /* e_p */
        squares += measured_s[p] * measured_s[p] / n;
    }
    double variance = variance_of_ends(outlook) + noise_variance,
           kept = squares > 0 ? shrinkage(sqrt(squares), variance) : 1;
    for (uint32_t p = 0; p < n; p++)
        outlook->process_factors[p] = exp(-(1 - kept) * measured_s[p]);
    free(measured_s);
    free(traced_s);
}
