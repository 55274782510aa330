/* SPDX-License-Identifier: BSD-3-Clause */
/* Recognises A's phases in B, with the finder that measuring uses. A phase is the same if it
 * communicates alike, in whatever order the phases come. */
#include "signature/phases/phases.h"
#include "signature/compare/compare.h"

static bool loops_are_same(const Loop *a, const Loop *b)
{
    if (a->count != b->count || a->phase != b->phase || a->n_body != b->n_body)
        return false;
    for (uint32_t i = 0; i < a->n_body; i++)
        if (!loops_are_same(&a->body[i], &b->body[i]))
            return false;
    return true;
}

/* B's phases begin with A's, which keep their ids. Their weight is 0 if B doesn't have them. */
static void fill(const Signature *const found[2], Arena *arena, PhasesDifference *difference)
{
    uint32_t n = found[1]->n_phases;
    PhaseDifference *phases = arena_new_array(arena, PhaseDifference, n);
    uint64_t common = 0;
    for (uint32_t i = 0; i < n; i++) {
        const Phase *b = &found[1]->phases[i];
        phases[i] =
            (PhaseDifference){.id = b->id, .n_ticks = b->n_ticks, .weight = {0, b->weight}, .share = {0, b->share}};
        uint32_t at = signature_find_phase(found[0], b->id);
        if (at < found[0]->n_phases) {
            phases[i].weight[0] = found[0]->phases[at].weight;
            phases[i].share[0] = found[0]->phases[at].share;
        }
        const uint64_t *weight = phases[i].weight;
        common += weight[0] < weight[1] ? weight[0] : weight[1];
        difference->n_only[0] += weight[1] == 0;
        difference->n_only[1] += weight[0] == 0;
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
