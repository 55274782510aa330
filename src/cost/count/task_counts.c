/* SPDX-License-Identifier: BSD-3-Clause */
/* See task_counts.h. */
#include "cost/count/task_counts.h"

#include "base/files.h"
#include "base/sha256.h"
#include "base/text.h"
#include "base/words.h"
#include <string.h>

static bool is_same_size(const TaskCountsRun *a, const TaskCountsRun *b)
{
    if (a->n_sizes != b->n_sizes)
        return false;
    for (size_t i = 0; i < a->n_sizes; i++)
        if (strcmp(a->sizes[i].name, b->sizes[i].name) != 0 || a->sizes[i].value != b->sizes[i].value)
            return false;
    return true;
}

/* ---- The file ---- */

static const char *const KINDS[] = {[COUNT_TRUE] = "condition",
                                    [COUNT_EXITS] = "exit",
                                    [COUNT_CASES] = "case",
                                    [COUNT_CASE_EXITS] = "case exit",
                                    [COUNT_ITERATIONS] = "iterations",
                                    [COUNT_SHARE] = "share",
                                    [COUNT_CALLS] = "calls",
                                    [COUNT_MEAN] = "mean",
                                    NULL};

/* How often something was, of all times that it was asked. (An exit may be taken several times after its loop was reached:
 * after longjmp().) */
static bool is_part_of_all(CountKind kind)
{
    return kind == COUNT_TRUE || kind == COUNT_CASES;
}

static bool check_value(const FieldContext *context, const JsonPlace *place, void *record, Err *err)
{
    const TaskCountsValue *value = record;
    (void)context;
    if (value->kind != COUNT_MEAN && value->value < 0)
        return json_refuse(place, "value", err, "is below 0");
    return !is_part_of_all(value->kind) || !(value->value > 1) || json_refuse(place, "value", err, "is above 1");
}

static bool check_batch(const FieldContext *context, const JsonPlace *place, void *record, Err *err)
{
    const TaskCountsBatch *batch = record;
    (void)context;
    for (size_t i = 0; i < batch->n_runs; i++)
        for (size_t k = 0; k < i; k++)
            if (is_same_size(&batch->runs[k], &batch->runs[i]))
                return json_refuse(place, "runs", err, "has two at the same sizes");
    return true;
}

static const FieldList value_fields = FIELDS_CHECKED(
    TaskCountsValue, check_value, FIELD(TaskCountsValue, name, "of the parameter in the model", .flags = FIELD_LINE),
    FIELD(TaskCountsValue, place, "in the source"),
    FIELD(TaskCountsValue, kind,
          "what was counted: how often a `condition` held; how often an `exit` or a `case exit` "
          "left its loop, each time the loop was reached; the share of a `case`; `iterations` "
          "each time a loop was reached; the `share` of those that the loop's condition allows; "
          "`calls` of a function each time it was called from elsewhere; the `mean` of an argument, "
          "of a field that it leads to, or of a length",
          .choices = KINDS),
    FIELD(TaskCountsValue, value, "its value; absent if its place wasn't reached", .flags = FIELD_ABSENT),
    FIELD(TaskCountsValue, reached, "the number of which the value is a mean", .flags = FIELD_NOT_NEGATIVE));

static const FieldList run_fields =
    FIELDS(TaskCountsRun,
           FIELD_LIST(TaskCountsRun, sizes, n_sizes, "sizes", "parameters of the application", .of = &task_size_fields),
           FIELD_AS(TaskCountsRun, n_tasks, "tasks", "how many ran"),
           FIELD_LIST(TaskCountsRun, values, n_values, "values", "of the model's parameters", .of = &value_fields));

static const FieldList missing_fields =
    FIELDS(TaskCountsMissing, FIELD(TaskCountsMissing, name, "of the parameter in the model"),
           FIELD(TaskCountsMissing, place, "in the source"), FIELD(TaskCountsMissing, why, "it isn't counted"));

static const FieldList file_fields =
    FIELDS(TaskCountsFile, FIELD(TaskCountsFile, file, "its path"), FIELD(TaskCountsFile, hash, "SHA-256 of its text"));

const FieldList task_counts_batch_fields =
    FIELDS_CHECKED(TaskCountsBatch, check_batch, FIELD(TaskCountsBatch, batch, "its name"),
                   FIELD(TaskCountsBatch, entry, "the function that a task is"),
                   FIELD(TaskCountsBatch, definitions, "options of the compiler that change what the source says"),
                   FIELD_LIST(TaskCountsBatch, files, n_files, "files",
                              "the source, and what it includes but the system's headers", .of = &file_fields),
                   FIELD_LIST(TaskCountsBatch, runs, n_runs, "runs", "by size", .of = &run_fields),
                   FIELD_LIST(TaskCountsBatch, missing, n_missing, "missing", "parameters that can't be counted",
                              .of = &missing_fields));

static const FieldList task_counts_fields =
    FIELDS(TaskCounts,
           FIELD_LIST(TaskCounts, items, count, "batches", "those with tasks in C", .of = &task_counts_batch_fields));

const Document task_counts_document = {"firma counts", TASK_COUNTS_VERSION, &task_counts_fields, .is_checked = true};

const TaskCountsBatch *task_counts_find(const TaskCounts *counts, const char *batch)
{
    for (size_t i = 0; i < counts->count; i++)
        if (strcmp(counts->items[i].batch, batch) == 0)
            return &counts->items[i];
    return NULL;
}

/* ---- To what counts belong ---- */

const char *task_counts_definitions(const char *options, Arena *arena)
{
    static const char *const alone[] = {"-D", "-U", "-I", "-include", "-iquote", "-isystem"};
    const char *const *words;
    size_t n = 0;
    Text text = {0};
    if (words_split(options, arena, &words, &n))
        return options;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < sizeof alone / sizeof *alone; k++)
            if (strncmp(words[i], alone[k], strlen(alone[k])) == 0) {
                text_add(&text, "%s%s", text.bytes.count ? " " : "", words[i]);
                if (strcmp(words[i], alone[k]) == 0 && i + 1 < n)
                    text_add(&text, " %s", words[++i]);
                break;
            }
    return text_take(&text, arena);
}

bool task_counts_hash(const char *file, Arena *arena, const char **hash, Err *err)
{
    uint8_t digest[SHA256_BYTES];
    const char *contents;
    if (!files_load_text(file, arena, &contents, err))
        return false;
    sha256(contents, strlen(contents), digest);
    *hash = text_hexadecimal(digest, SHA256_BYTES, arena);
    return true;
}

static bool refuse(const TaskCountsBatch *batch, const char *path, const char *what, Err *err)
{
    return err_set(err, ERR_INPUT, "%s: batch `%s`: %s", path, batch->batch, what) ||
           err_hint(err, "count again with `firma cost run --count`, or predict without these counts");
}

static bool has_hash(const TaskCountsBatch *counted, const char *hash)
{
    for (size_t i = 0; i < counted->n_files; i++)
        if (strcmp(counted->files[i].hash, hash) == 0)
            return true;
    return false;
}

static bool check_files(const TaskCountsBatch *counted, const char *path, const char *source, Arena *arena, Err *err)
{
    const char *hash;
    for (size_t i = 0; i < counted->n_files; i++) {
        const char *file = counted->files[i].file;
        if (!task_counts_hash(file, arena, &hash, err))
            return err_prefix(err, "%s: batch `%s` was counted in a source that can't be read now", path,
                              counted->batch);
        if (strcmp(hash, counted->files[i].hash) != 0)
            return refuse(counted, path, arena_printf(arena, "%s has changed since it was counted", file), err);
    }
    return task_counts_hash(source, arena, &hash, err) &&
           (has_hash(counted, hash) ||
            refuse(counted, path, arena_printf(arena, "it was counted in another source than %s", source), err));
}

bool task_counts_check(const TaskCountsBatch *counted, const char *path, const PaslBatch *batch, Arena *arena, Err *err)
{
    const char *definitions = task_counts_definitions(batch->options, arena);
    if (!check_files(counted, path, batch->source, arena, err))
        return false;
    if (strcmp(batch->entry, counted->entry) != 0)
        return refuse(counted, path,
                      arena_printf(arena, "the entry was `%s` instead of `%s`", counted->entry, batch->entry), err);
    return strcmp(definitions, counted->definitions) == 0 ||
           refuse(counted, path,
                  arena_printf(arena, "it was counted with the options `%s` instead of `%s`", counted->definitions,
                               definitions),
                  err);
}

/* ---- Adding ---- */

TaskCountsBatch task_counts_with_run(const TaskCountsBatch *known, const TaskCountsBatch *batch,
                                     const TaskCountsRun *run, Arena *arena)
{
    TaskCountsBatch made = *batch;
    TaskCountsRun *runs = arena_new_array(arena, TaskCountsRun, (known ? known->n_runs : 0) + 1);
    made.n_runs = 0;
    for (size_t i = 0; known && i < known->n_runs; i++)
        if (!is_same_size(&known->runs[i], run))
            runs[made.n_runs++] = known->runs[i];
    runs[made.n_runs++] = *run;
    made.runs = runs;
    return made;
}

void task_counts_put(TaskCounts *counts, const TaskCountsBatch *batch, Arena *arena)
{
    TaskCountsBatch *items = arena_new_array(arena, TaskCountsBatch, counts->count + 1);
    size_t n = 0;
    for (size_t i = 0; i < counts->count; i++)
        if (strcmp(counts->items[i].batch, batch->batch) != 0)
            items[n++] = counts->items[i];
    items[n++] = *batch;
    *counts = (TaskCounts){n, items};
}
