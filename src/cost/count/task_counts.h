/* SPDX-License-Identifier: BSD-3-Clause */
/* What was counted in runs of an application's tasks: values of parameters of their models, at one or several sizes.
 * `firma cost run --count` makes them; prediction uses them. JSON form: docs/FORMATS.md. */
#pragma once

#include "cost/lang/pasl.h"
#include "cost/lang/task_size.h"
#include "cost/source/analyse.h"

typedef struct TaskCountsValue {
    const char *name, *place;
    CountKind kind;
    double value;   /* NAN: its place wasn't reached */
    double reached; /* how often the place was: the number under the value */
} TaskCountsValue;

typedef struct TaskCountsRun {
    size_t n_sizes, n_values;
    const TaskSize *sizes;
    uint64_t n_tasks;
    const TaskCountsValue *values;
} TaskCountsRun;

/* A parameter that can't be counted. */
typedef struct TaskCountsMissing {
    const char *name, *place, *why;
} TaskCountsMissing;

/* A source, or what it includes but the system's headers. */
typedef struct TaskCountsFile {
    const char *file, *hash;
} TaskCountsFile;

typedef struct TaskCountsBatch {
    const char *batch, *entry;
    const char *definitions; /* of the compiler's options, those that change what the source says */
    size_t n_files, n_runs, n_missing;
    const TaskCountsFile *files;
    const TaskCountsRun *runs;
    const TaskCountsMissing *missing;
} TaskCountsBatch;

typedef struct TaskCounts {
    size_t count;
    const TaskCountsBatch *items;
} TaskCounts;

#define TASK_COUNTS_VERSION 1
extern const FieldList task_counts_batch_fields;
DOCUMENT(task_counts, TaskCounts);

/* NULL: the batch isn't there. */
const TaskCountsBatch *task_counts_find(const TaskCounts *counts, const char *batch);

/* The part of the compiler's options that changes what the source says. */
const char *task_counts_definitions(const char *options, Arena *arena);
/* A file's contents as a hash. */
bool task_counts_hash(const char *file, Arena *arena, const char **hash, Err *err);

/* ERR_INPUT: the batch has another source, entry or definitions than what was counted, or a source has changed since.
 * path: of the counts. */
bool task_counts_check(const TaskCountsBatch *counted, const char *path, const PaslBatch *batch, Arena *arena,
                       Err *err);

/* Adds a batch's run to what is known of the batch; one at the same sizes is replaced. */
TaskCountsBatch task_counts_with_run(const TaskCountsBatch *known, const TaskCountsBatch *batch,
                                     const TaskCountsRun *run, Arena *arena);
/* Adds a batch, or replaces it. */
void task_counts_put(TaskCounts *counts, const TaskCountsBatch *batch, Arena *arena);
