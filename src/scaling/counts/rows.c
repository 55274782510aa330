/* SPDX-License-Identifier: BSD-3-Clause */
/* See rows.h. */
#include "scaling/counts/rows.h"

#include <math.h>
#include <string.h>

static const double PROCESSES_MOST = 1 << 20;

Sums sums_new(uint32_t n_runs, Arena *arena)
{
    Sums sums = {arena_new_array(arena, uint32_t, n_runs),
                 arena_new_array(arena, uint32_t, n_runs),
                 arena_new_array(arena, double, n_runs),
                 arena_new_array(arena, double, n_runs),
                 {NULL}};
    for (int part = 0; part < COUNT_PARTS; part++)
        sums.parts[part] = arena_new_array(arena, double, n_runs);
    return sums;
}

/* ---- what stops scaling first ---- */

double row_best_s(const CountPhase *row, double p)
{
    double sum = count_series_best(&row->together, p);
    for (int part = 0; part < (int)row->together_from; part++)
        sum += count_series_best(&row->parts[part], p);
    return sum;
}

void row_divide(const CountPhase *row, double together_s, double p, double *parts_s)
{
    double sum = 0;
    for (int part = row->together_from; part < COUNT_PARTS; part++)
        sum += count_series_best(&row->parts[part], p);
    if (!(sum > 0)) /* their own laws say nothing */
        parts_s[COUNT_PARTS - 1] += together_s;
    for (int part = row->together_from; part < COUNT_PARTS && sum > 0; part++)
        parts_s[part] += together_s * count_series_best(&row->parts[part], p) / sum;
}

static void best_parts(const CountPhase *row, double p, double *parts_s)
{
    memset(parts_s, 0, COUNT_PARTS * sizeof *parts_s);
    for (int part = 0; part < (int)row->together_from; part++)
        parts_s[part] = count_series_best(&row->parts[part], p);
    row_divide(row, count_series_best(&row->together, p), p, parts_s);
}

/* The time on p processes, if it scaled from the fewest ones as it should. */
double row_ideal_s(const Counts *counts, double time_s, double p)
{
    return counts->scaling == COUNT_WEAK ? time_s : time_s * counts->runs[0].p / p;
}

static bool is_efficient(const Counts *counts, const CountPhase *row, double p)
{
    double first_s = row_best_s(row, counts->runs[0].p);
    return row_ideal_s(counts, first_s, p) >= counts->efficiency_limit * row_best_s(row, p);
}

static void find_stop(const Counts *counts, CountPhase *row)
{
    double first_p = counts->runs[0].p, inside = first_p, outside = first_p, most = 0;
    if (!counts_have_efficiency(counts))
        return;
    while (outside <= PROCESSES_MOST && is_efficient(counts, row, outside)) {
        inside = outside;
        outside *= 2;
    }
    if (outside > PROCESSES_MOST)
        return;
    while (outside - inside > 1) {
        double middle = floor((inside + outside) / 2);
        if (is_efficient(counts, row, middle))
            inside = middle;
        else
            outside = middle;
    }
    double first_s[COUNT_PARTS], there_s[COUNT_PARTS];
    best_parts(row, first_p, first_s);
    best_parts(row, outside, there_s);
    row->stops_p = outside;
    for (int part = 0; part < COUNT_PARTS; part++) {
        double lost_s = there_s[part] - row_ideal_s(counts, first_s[part], outside);
        if (lost_s > most) {
            most = lost_s;
            row->because = (CountPart)part;
        }
    }
}

/* With weak scaling, computation is constant. In the sum with it, communication may begin below 0, as that of a tree
 * does: b (log2 p - 1). A law of communication alone can't. */
static void put_together(CountPhase *row, const Counts *counts, const double *x, double *const *parts, Arena *arena)
{
    double *sums = arena_new_array(arena, double, counts->n_runs);
    row->together_from = counts->scaling == COUNT_WEAK ? COUNT_COMPUTATION : COUNT_TRANSFER;
    for (uint32_t i = 0; i < counts->n_runs; i++)
        for (int part = row->together_from; part < COUNT_PARTS; part++)
            sums[i] += parts[part][i];
    row->together = count_series(x, sums, counts->n_runs, counts->scaling, arena);
}

CountPhase row_make(const char *name, const Sums *sums, const Counts *counts, Arena *arena)
{
    uint32_t n = counts->n_runs;
    double *x = arena_new_array(arena, double, n);
    CountPhase row = {.structure = name, .ids = sums->ids, .n_ids = sums->n_ids, .stops_p = INFINITY};
    for (uint32_t i = 0; i < n; i++)
        x[i] = counts->runs[i].x;
    row.weight = count_series(x, sums->weights, n, counts->scaling, arena);
    row.volume_bytes = count_series(x, sums->volumes, n, counts->scaling, arena);
    for (int part = 0; part < COUNT_PARTS; part++) {
        row.parts[part] = (part == COUNT_COMPUTATION ? count_computation : count_series)(x, sums->parts[part], n,
                                                                                         counts->scaling, arena);
        row.share += sums->parts[part][n - 1] / counts->runs[n - 1].time_s;
    }
    put_together(&row, counts, x, sums->parts, arena);
    find_stop(counts, &row);
    return row;
}
