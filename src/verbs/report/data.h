/* SPDX-License-Identifier: BSD-3-Clause */
/* Members of documents, for sections. Documents of --json may come from anywhere: a member that is absent, or of
 * another type, is a value that isn't known. */
#pragma once

#include "base/arena.h"
#include <jansson.h>
#include <stdbool.h>

/* NAN: not known. */
double data_real(const json_t *object, const char *key);

/* A whole number >= 0; 0: not known. */
size_t data_count(const json_t *object, const char *key);

/* "": not known. */
const char *data_text(const json_t *object, const char *key, Arena *arena);

/* A number of a list; 0: not known. */
double data_at(const json_t *list, size_t index);

/* An end, 0 or 1, of an interval that is a member. */
double data_end(const json_t *object, const char *key, size_t end);

/* The last item of a list that is a member. NULL: there is none. */
const json_t *data_last(const json_t *object, const char *key);

/* Whether two runs of tasks had the same machines. */
bool data_are_alike(const json_t *run, const json_t *other, Arena *arena);

/* The sum of a member over the objects of a list. */
double data_sum(const json_t *list, const char *key);

/* The mean of a list of numbers. */
double data_mean_of(const json_t *list);

/* A member of each object in a list, and of the object that each of them has as another member. */
const double *data_column(const json_t *list, const char *key, Arena *arena);
const double *data_column_of(const json_t *list, const char *object, const char *key, Arena *arena);

/* The ends of the estimated value that each object has as a member. An end that isn't known, or is infinite, is the value
 * itself; the lower one stays above 0 for a logarithmic axis. */
void data_ends_of(const json_t *list, const char *object, Arena *arena, const double **low, const double **high);

/* What makes a law doubtful: "few points, noisy". */
const char *data_doubts(const json_t *law);

/* Of a prediction: "extrapolated 4 ×", or "predicted". */
const char *data_distance(const json_t *prediction, Arena *arena);

/* The mean duration of a phase in the traced run, of the document "phases". NAN: not known. */
double data_phase_mean_s(const json_t *documents, size_t id);

/* Adds a sentence to the document "warnings". */
void report_warn(json_t *documents, const char *sentence);

/* What a section shows of a document of task runs. */
json_t *report_runs(const json_t *runs);

/* Of very many phases, only the relevant ones stay. */
void report_shorten_phases(json_t *phases);

/* The processes of a row that stands for several neighbours: "32–63", or "32". */
const char *block_name(size_t row, size_t per_row, size_t n_processes, Arena *arena);
