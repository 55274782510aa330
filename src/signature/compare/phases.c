/* SPDX-License-Identifier: BSD-3-Clause */
/* Recognises A's phases in B, with the finder that measuring uses. A phase is the same if it
 * communicates alike, in whatever order the phases come. */
#include "signature/phases/phases.h"
#include "signature/compare/compare.h"
#include "signature/compare/structure.h"
#include <math.h>

static bool loops_are_same(const Loop *a, const Loop *b)
{
    if (a->count != b->count || a->phase != b->phase || a->n_body != b->n_body)
        return false;
    for (uint32_t i = 0; i < a->n_body; i++)
        if (!loops_are_same(&a->body[i], &b->body[i]))
            return false;
    return true;
}

static const Phase *find_phase(const Signature *signature, uint32_t id)
{
    uint32_t at = signature_find_phase(signature, id);
    return at < signature->n_phases ? &signature->phases[at] : NULL;
}

static double mean_s(const Signature *signature, const Phase *phase)
{
    return phase && phase->weight ? structure_duration_s(phase, signature->application.n_processes) : NAN;
}

static PhaseDifference difference_of(const Signature *const found[2], const Phase *b)
{
    const Phase *a = find_phase(found[0], b->id);
    return (PhaseDifference){.id = b->id,
                             .n_ticks = b->n_ticks,
                             .weight = {a ? a->weight : 0, b->weight},
                             .share = {a ? a->share : 0, b->share},
                             .mean_s = {mean_s(found[0], a), mean_s(found[1], b)},
                             .volume_factor = NAN};
}

/* Of the phases that only one of both has, joins those that differ only in their volumes. */
static void join_resized(const Signature *const found[2], Arena *arena, PhaseDifference *phases,
                         PhasesDifference *difference)
{
    const Phase **only[2];
    uint32_t n_only[2] = {0}, *rows[2], *partners = arena_new_array(arena, uint32_t, difference->n_phases);
    for (int side = 0; side < 2; side++) {
        only[side] = arena_new_array(arena, const Phase *, difference->n_phases);
        rows[side] = arena_new_array(arena, uint32_t, difference->n_phases);
        for (uint32_t i = 0; i < difference->n_phases; i++)
            if (!phases[i].weight[!side]) {
                rows[side][n_only[side]] = i;
                only[side][n_only[side]++] = find_phase(found[side], phases[i].id);
            }
    }
    structure_pairs(only[0], n_only[0], only[1], n_only[1], found[0]->parameters.least_match, partners);
    for (uint32_t i = 0; i < n_only[0]; i++) {
        if (partners[i] == NO_PARTNER)
            continue;
        PhaseDifference *a = &phases[rows[0][i]], *b = &phases[rows[1][partners[i]]];
        a->weight[1] = b->weight[1];
        a->share[1] = b->share[1];
        a->mean_s[1] = b->mean_s[1];
        a->resized_id = b->id;
        a->volume_factor = structure_volume_factor(only[0][i], only[1][partners[i]]);
        b->weight[1] = 0; /* the row goes */
        difference->n_resized++;
    }
}

/* B's phases begin with A's, which keep their ids. Their weight is 0 if B doesn't have them. */
static void fill(const Signature *const found[2], Arena *arena, PhasesDifference *difference)
{
    uint32_t n = 0;
    PhaseDifference *phases = arena_new_array(arena, PhaseDifference, found[1]->n_phases);
    uint64_t common = 0;
    difference->n_phases = found[1]->n_phases;
    for (uint32_t i = 0; i < difference->n_phases; i++) {
        phases[i] = difference_of(found, &found[1]->phases[i]);
        const uint64_t *weight = phases[i].weight;
        common += weight[0] < weight[1] ? weight[0] : weight[1];
    }
    join_resized(found, arena, phases, difference);
    for (uint32_t i = 0; i < difference->n_phases; i++) {
        if (!phases[i].weight[0] && !phases[i].weight[1])
            continue;
        phases[n++] = phases[i];
        difference->n_only[0] += !phases[i].weight[1];
        difference->n_only[1] += !phases[i].weight[0];
    }
    difference->n_phases = n;
    difference->phases = phases;
    for (int side = 0; side < 2; side++)
        difference->n_occurrences[side] = found[side]->n_occurrences;
    uint64_t more =
        found[0]->n_occurrences > found[1]->n_occurrences ? found[0]->n_occurrences : found[1]->n_occurrences;
    difference->common = more ? (double)common / (double)more : 1;
    difference->same_sequence = loops_are_same(&found[0]->sequence, &found[1]->sequence);
}

/* If both traces do the same in the same order, the finder gives B the same phases as A by itself.
 * If it knew A's phases from the start, it could recognise a stretch earlier than it did in A. */
bool compare_phases(EventSource *const sources[2], const TraceDifference *events, const PhaseParameters *parameters,
                    const OrderOptions *options, const Progress *progress, Arena *arena, PhasesDifference *difference,
                    Err *err)
{
    Signature *found[2];
    OrderReport report;
    if (!phases_find(sources[0], parameters, options, progress, arena, &found[0], &report, err))
        return err_prefix(err, "trace A");
    const Signature *known = events->sends == LIKENESS_SAME ? NULL : found[0];
    if (!phases_find_watched(sources[1], parameters, options, known, NULL, progress, arena, &found[1], &report, err))
        return err_prefix(err, "trace B");
    *difference = (PhasesDifference){0};
    fill((const Signature *const *)found, arena, difference);
    return true;
}
