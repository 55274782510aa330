/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of what is compared over the runs: a phase, or a kind of call. Private to the folder. */
#pragma once

#include "scaling/counts/counts.h"

/* What is added up for a row, run by run. */
typedef struct Sums {
    uint32_t *ids, *n_ids;
    double *weights, *volumes, *parts[COUNT_PARTS];
} Sums;

/* All 0. */
Sums sums_new(uint32_t n_runs, Arena *arena);

/* The laws of these sums, and where they stop scaling. */
CountPhase row_make(const char *name, const Sums *sums, const Counts *counts, Arena *arena);

/* The time on p processes of what takes so long in the first run, if it scaled as it should. */
double row_ideal_s(const Counts *counts, double time_s, double p);

/* By the best laws, without an interval. */
double count_series_best(const CountSeries *series, double p);
double row_best_s(const CountPhase *row, double p);

/* Adds the parts that together take this time on p processes, in proportion to their own laws. */
void row_divide(const CountPhase *row, double together_s, double p, double *parts_s);

/* Sets the warnings, when all rows are there. */
void counts_warn(Counts *counts, Arena *arena);

/* The kinds of calls, the longest at x first. */
void calls_find(Counts *counts, double x, Arena *arena);
