/* SPDX-License-Identifier: BSD-3-Clause */
/* See task_runs.h. */
#include "model/task_runs.h"

#include "base/fields.h"

#define WORKERS_LIMIT 1000000000

static const FieldList run_fields =
    FIELDS(TaskRun, FIELD_AS(TaskRun, n_workers, "workers", "how many", .limit = WORKERS_LIMIT),
           FIELD(TaskRun, time_s, "of the whole run"));

static const FieldList runs_fields =
    FIELDS(TaskRuns, FIELD(TaskRuns, application, "its name", .flags = FIELD_ABSENT),
           FIELD_LIST(TaskRuns, items, count, "runs", "in any order", .of = &run_fields));

static const Document document = {.format = TASK_RUNS_FORMAT, .version = TASK_RUNS_VERSION, .fields = &runs_fields};

bool task_runs_read(const json_t *root, const char *file, Arena *arena, TaskRuns **runs, Err *err)
{
    return json_check_format(root, file, TASK_RUNS_FORMAT, TASK_RUNS_VERSION, err) &&
           document_read(&document, root, file, arena, runs, err);
}
