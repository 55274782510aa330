/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes how far a run has come, and what lies before milestones (milestones.h, spread.h). */
#include "signature/execute/milestones.h"

#include "signature/execute/spread.h"
#include <math.h>

/* If a program's order varies from run to run, each process has another number of events. Then the
 * sum over processes decides. */
static const double EVENTS_BEYOND = 1.1;

/* Send-like events that the process must have done before its cut at the milestone is known: one
 * more than those before the milestone, if it has one more. */
static uint64_t events_needed(const Signature *signature, const Milestone *milestone, uint32_t rank)
{
    const Milestone *end = &signature->milestones[signature->n_milestones - 1];
    uint64_t before = milestone->send_events[rank];
    return before < end->send_events[rank] ? before + 1 : before;
}

double milestone_advance(const Signature *signature, uint32_t from_milestone, uint32_t to_milestone,
                         const uint64_t *done, uint32_t count)
{
    const Milestone *from = &signature->milestones[from_milestone], *to = &signature->milestones[to_milestone];
    uint32_t n = signature->application.n_processes;
    double least = count < n ? 0 : 1, sum = 0, needed_sum = 0;
    for (uint32_t rank = 0; rank < count && rank < n; rank++) {
        uint64_t needed_events = events_needed(signature, to, rank);
        double before = (double)from->send_events[rank], needed = (double)needed_events - before,
               own = (double)done[rank] - before;
        double part = done[rank] >= needed_events ? 1 : own > 0 ? own / needed : 0;
        least = part < least ? part : least;
        sum += own;
        needed_sum += needed;
    }
    return count && sum >= EVENTS_BEYOND * needed_sum ? 1 : least;
}

double milestone_effort(const Signature *signature, uint32_t milestone, uint32_t phase)
{
    const Milestone *at = &signature->milestones[milestone];
    return signature->phases[phase].n_strata ? signature_phase_effort(signature, phase, (double)at->occurrence)
                                             : at->phase_weight[phase];
}

uint64_t milestone_stratum(const Signature *signature, uint32_t milestone, uint32_t phase, uint32_t stratum)
{
    const Phase *of = &signature->phases[phase];
    double before = signature->milestones[milestone].phase_weight[phase];
    return strata_count(of->strata, of->n_strata, stratum, (uint64_t)fmax(0, before));
}

/* This many occurrences of a phase give a mean, if it has as many. */
static const double ENOUGH_OCCURRENCES = 3;

double occurrences_needed(const Phase *phase)
{
    return fmin(ENOUGH_OCCURRENCES, ceil((double)phase->weight / 10));
}
