/* SPDX-License-Identifier: BSD-3-Clause */
/* See stretches.h. */
#include "signature/noise/stretches.h"

Stretches stretches_single(const Stretch *stretch)
{
    return (Stretches){.n = 1, .items = stretch, .n_states = 1, .n_runs = 1};
}

double stretches_amount(const Signature *signature, uint32_t phase, Progression *before, const Stretches *stretches)
{
    double sum = 0;
    for (uint32_t i = 0; i < stretches->n; i++)
        sum += before(signature, phase, stretches->items[i].to) - before(signature, phase, stretches->items[i].from);
    return sum;
}

double stretches_time_s(const Signature *signature, uint32_t run, const Stretches *stretches)
{
    double sum_s = 0;
    for (uint32_t i = 0; i < stretches->n; i++)
        sum_s += signature_run_time_s(signature, run, stretches->items[i].to) -
                 signature_run_time_s(signature, run, stretches->items[i].from);
    return sum_s;
}

double stretch_pace(const Signature *signature, Stretch stretch)
{
    const Stretch whole_run = {0, (double)signature->n_occurrences};
    const Stretches own = stretches_single(&stretch), whole = stretches_single(&whole_run);
    double time_s = 0, expected_s = 0;
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        double effort = stretches_amount(signature, i, signature_phase_effort, &whole);
        time_s += stretches_amount(signature, i, signature_phase_time_s, &own);
        if (effort > 0)
            expected_s += stretches_amount(signature, i, signature_phase_effort, &own) *
                          (stretches_amount(signature, i, signature_phase_time_s, &whole) / effort);
    }
    return expected_s > 0 ? time_s / expected_s : 0;
}
