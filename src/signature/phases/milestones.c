/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the cuts that become milestones (milestones.h). Places are shares of the run, by a clock
 * that gives each occurrence its phase's mean duration. So an interruption of the traced run moves
 * no place. */
#include "signature/phases/milestones.h"

#include <math.h>

enum { ALONG_LIMIT = 512, PLACES = 20 };
/* Cuts up to this share of the run before and after each place become milestones. */
static const double PLACE_REACH = 0.004;
/* A phase with at most SELDOM occurrences is a place by itself. SELDOM_CUTS cuts on either side of
 * its first occurrence become milestones. */
enum { SELDOM = 3, SELDOM_CUTS = 4 };

static size_t count_chosen(const bool *chosen, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += chosen[i];
    return count;
}

/* Drops cuts in the way of durations.c until few enough are left. Keeps the first and the last. */
static void choose_along(const Durations *durations, bool *chosen)
{
    static const Loops no_loops;
    const Loops *loops = durations->loops ? durations->loops : &no_loops;
    Grid grid = durations->grid;
    size_t n = durations->cuts.count;
    while (count_chosen(chosen, n) > ALONG_LIMIT) {
        uint64_t kept_from;
        size_t nth = 0;
        grid = grid_coarser(&grid, loops, &kept_from);
        for (size_t i = 0; i + 1 < n; i++) {
            uint64_t occurrence = durations->cuts.items[i].occurrence;
            if (chosen[i])
                chosen[i] = occurrence >= kept_from ? grid_next(&grid, occurrence) == occurrence : nth++ % 2 == 0;
        }
    }
}

/* Time of each cut by the clock of mean durations, 0..1. */
static double *make_clock(const Durations *durations)
{
    size_t n = durations->cuts.count;
    double *clock = memory_zeroed(n, sizeof *clock);
    for (size_t i = 0; i < n; i++) {
        const Cut *cut = &durations->cuts.items[i];
        for (size_t k = 0; k < cut->n_phases; k++) {
            const PhaseDurations *phase = &durations->phases.items[k];
            if (phase->weight)
                clock[i] += (double)cut->phase_weight[k] / (double)phase->weight * (double)phase->total_ns;
        }
    }
    for (size_t i = 0; i < n && clock[n - 1] > 0; i++)
        clock[i] /= clock[n - 1];
    return clock;
}

static void choose_places(const Durations *durations, bool *chosen)
{
    double *clock = make_clock(durations);
    for (size_t i = 0; i < durations->cuts.count; i++) {
        double nearest = round(clock[i] * PLACES) / PLACES;
        chosen[i] |= nearest > 0 && nearest < 1 && fabs(clock[i] - nearest) <= PLACE_REACH;
    }
    free(clock);
}

/* The last cut at or before the occurrence. */
static size_t cut_before(const Durations *durations, uint64_t occurrence)
{
    size_t at = 1;
    vec_bisect(at, durations->cuts.count, durations->cuts.items[at].occurrence <= occurrence);
    return at - 1;
}

/* Chooses cuts around relevant phases that occur seldom. */
static void choose_seldom_phases(const Durations *durations, const Phase *phases, bool *chosen)
{
    for (size_t i = 0; i < durations->phases.count; i++) {
        if (!phases[i].relevant || phases[i].weight > SELDOM)
            continue;
        size_t at = cut_before(durations, phases[i].first_occurrence);
        size_t from = at > SELDOM_CUTS ? at - SELDOM_CUTS : 0;
        for (size_t k = from; k < durations->cuts.count && k <= at + SELDOM_CUTS; k++)
            chosen[k] = true;
    }
}

bool *milestones_choose(const Durations *durations, const Phase *phases, size_t *count)
{
    size_t n = durations->cuts.count;
    bool *chosen = memory_zeroed(n + 1, sizeof *chosen);
    for (size_t i = 0; i < n; i++)
        chosen[i] = true;
    if (n > ALONG_LIMIT) {
        choose_along(durations, chosen);
        choose_places(durations, chosen);
        choose_seldom_phases(durations, phases, chosen);
    }
    *count = count_chosen(chosen, n);
    return chosen;
}
