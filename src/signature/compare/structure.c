/* SPDX-License-Identifier: BSD-3-Clause */
/* See structure.h. */
#include "signature/compare/structure.h"

#include <math.h>
#include <stdlib.h>

static bool comes_before(const PhaseEvent *a, const PhaseEvent *b)
{
    return a->tick != b->tick ? a->tick < b->tick : a->process < b->process;
}

/* The share of events that both phases have in the same tick and process, of the same type, whatever their volumes. */
static double similarity_of(const Phase *a, const Phase *b)
{
    uint32_t i = 0, k = 0, n_same = 0, more = a->n_events > b->n_events ? a->n_events : b->n_events;
    while (i < a->n_events && k < b->n_events) {
        const PhaseEvent *left = &a->events[i], *right = &b->events[k];
        bool is_left = comes_before(left, right), is_right = comes_before(right, left);
        n_same += !is_left && !is_right && left->type == right->type;
        i += !is_right;
        k += !is_left;
    }
    return more ? (double)n_same / more : a->n_ticks == b->n_ticks;
}

void structure_pairs(const Phase *const *a, uint32_t n_a, const Phase *const *b, uint32_t n_b, double least_match,
                     uint32_t *partners)
{
    bool *is_taken = memory_zeroed(n_b + 1, sizeof *is_taken);
    for (uint32_t i = 0; i < n_a; i++) {
        double most = 0;
        partners[i] = NO_PARTNER;
        for (uint32_t k = 0; k < n_b; k++) {
            double similarity = is_taken[k] ? 0 : similarity_of(a[i], b[k]);
            if (similarity < least_match || similarity <= most)
                continue;
            most = similarity;
            partners[i] = k;
        }
        if (partners[i] != NO_PARTNER)
            is_taken[partners[i]] = true;
    }
    free(is_taken);
}

static double bytes_sent(const Phase *phase)
{
    double sum = 0;
    for (uint32_t i = 0; i < phase->n_events; i++)
        sum += (double)phase->events[i].bytes;
    return sum;
}

double structure_volume_factor(const Phase *a, const Phase *b)
{
    double bytes = bytes_sent(a);
    return bytes > 0 ? bytes_sent(b) / bytes : NAN;
}

double structure_duration_s(const Phase *phase, uint32_t n_processes)
{
    double total_s = 0, count = 0;
    for (uint32_t i = 0; i < n_processes; i++) {
        total_s += phase->processes[i].total_s;
        count += (double)phase->processes[i].count;
    }
    return count > 0 ? total_s / count : 0;
}
