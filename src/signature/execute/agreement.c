/* SPDX-License-Identifier: BSD-3-Clause */
/* Judges whether the executed communication is the signature's (cuts.h). */
#include "signature/execute/cuts.h"

#include "base/map.h"
#include <math.h>

/* With a lower share of common events than this, the program is another one. */
static const double EVENTS_NEEDED = 0.5;

/* [n_phases] whether the phase has a send-like event. Phases of blocks may consist of receives
 * alone; these can't be found in another run. */
static bool *phases_with_sends(const Signature *signature, Arena *scratch)
{
    bool *found = arena_new_array(scratch, bool, signature->n_phases);
    for (uint32_t i = 0; i < signature->n_phases; i++)
        for (uint32_t k = 0; k < signature->phases[i].n_events && !found[i]; k++)
            found[i] = comm_type_kind(signature->phases[i].events[k].type) != TYPE_RECV;
    return found;
}

/* Share of the occurrences between two milestones that the signature has there, too, in whatever
 * order. */
static double agreement(const Cuts *cuts, uint32_t from_milestone, uint32_t to_milestone, Arena *scratch)
{
    const Signature *signature = cuts->signature;
    const Milestone *from = &signature->milestones[from_milestone], *to = &signature->milestones[to_milestone];
    uint64_t n_expected = 0, common = 0, last = UINT64_MAX;
    uint64_t *expected = arena_new_array(scratch, uint64_t, signature->n_phases + 1);
    const bool *has_sends = phases_with_sends(signature, scratch);
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        expected[i] = has_sends[i] ? (uint64_t)fmax(0, to->phase_weight[i] - from->phase_weight[i]) : 0;
        n_expected += expected[i];
    }
    for (size_t i = 0; i < cuts->run->n_starts && cuts->run->starts[i].occurrence < to->occurrence; i++) {
        const OccurrenceStart *start = &cuts->run->starts[i];
        if (start->occurrence == last || start->occurrence < from->occurrence)
            continue;
        last = start->occurrence;
        uint32_t at = signature_find_phase(signature, start->phase);
        if (at < signature->n_phases && expected[at]) {
            expected[at]--;
            common++;
        }
    }
    return n_expected ? (double)common / (double)n_expected : 0;
}

/* The volumes that the signature knows for a process's communication of one type. */
typedef struct VolumeRange {
    uint64_t least, most;
} VolumeRange;

static MapKey place_of(const PhaseEvent *event)
{
    return (MapKey){event->process, event->type};
}

static bool is_near(double bytes, double known, double tolerance)
{
    return fabs(bytes - known) <= tolerance * fmax(bytes, known);
}

/* Shares of the executed events that the signature has in the same process, in any phase, with the same partner: and
 * the same volume, or whatever volume. */
static void find_event_agreement(const Cuts *cuts, PhaseTimes *times)
{
    const Signature *signature = cuts->signature, *executed = cuts->run->executed;
    Map places = {0};
    VEC(VolumeRange) ranges = {0};
    for (uint32_t i = 0; i < signature->n_phases; i++)
        for (uint32_t k = 0; k < signature->phases[i].n_events; k++) {
            const PhaseEvent *event = &signature->phases[i].events[k];
            size_t at = map_number(&places, place_of(event), ranges.count);
            if (at == ranges.count)
                *vec_push(&ranges) = (VolumeRange){event->bytes, event->bytes};
            VolumeRange *range = &ranges.items[at];
            range->least = event->bytes < range->least ? event->bytes : range->least;
            range->most = event->bytes > range->most ? event->bytes : range->most;
        }
    double known = 0, with_partners = 0, all = 0, tolerance = signature->parameters.volume_tolerance;
    for (uint32_t i = 0; i < executed->n_phases; i++)
        for (uint32_t k = 0; k < executed->phases[i].n_events; k++) {
            const PhaseEvent *event = &executed->phases[i].events[k];
            const uint64_t *at = map_get(&places, place_of(event));
            const VolumeRange *range = at ? &ranges.items[*at] : NULL;
            double bytes = (double)event->bytes, weight = (double)executed->phases[i].weight;
            bool fits = range && ((event->bytes >= range->least && event->bytes <= range->most) ||
                                  is_near(bytes, (double)range->least, tolerance) ||
                                  is_near(bytes, (double)range->most, tolerance));
            known += fits ? weight : 0;
            with_partners += range ? weight : 0;
            all += weight;
        }
    map_free(&places);
    vec_free(&ranges);
    times->event_agreement = all > 0 ? known / all : 0;
    times->partner_agreement = all > 0 ? with_partners / all : 0;
}

bool agreement_judge(Cuts *cuts, uint32_t from_milestone, uint32_t to_milestone, PhaseTimes *times, Err *err)
{
    Arena *scratch = arena_new();
    times->agreement = agreement(cuts, from_milestone, to_milestone, scratch);
    arena_free(scratch);
    find_event_agreement(cuts, times);
    if (times->agreement >= AGREEMENT_NEEDED)
        return true;
    if (times->event_agreement >= EVENTS_NEEDED) {
        cuts_go_by_events(cuts);
        return true;
    }
    if (times->partner_agreement >= EVENTS_NEEDED)
        return err_set(
                   err, ERR_INPUT,
                   "the program communicates differently from the signature: with the same partners, but only %.0f %% of "
                   "its events have the same volumes",
                   100 * times->event_agreement) ||
               err_hint(err, "trace this problem size, too; firma phases --like shows both side by side");
    err_set(err, ERR_INPUT,
            "the program communicates differently from the signature: only %.0f %% of its events are the same",
            100 * times->event_agreement);
    return err_hint(err, "make a new signature: firma trace, firma phases");
}
