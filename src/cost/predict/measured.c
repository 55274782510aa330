/* SPDX-License-Identifier: BSD-3-Clause */
/* See measured.h. */
#include "cost/predict/measured.h"

#include "base/files.h"
#include "base/json.h"
#include "base/vec.h"
#include "model/runs.h"
#include <string.h>

static bool read_task_runs(const char *path, Arena *arena, TaskRuns *result, Err *err)
{
    TaskRuns *read;
    json_t *root;
    if (!json_load_root(path, TASK_RUNS_FORMAT, &root, err))
        return false;
    bool ok = task_runs_read(root, path, arena, &read, err);
    if (ok)
        *result = *read;
    json_decref(root);
    return ok;
}

bool measured_load(const char *path, Arena *arena, TaskRuns *result, Err *err)
{
    const char *text;
    Runs *runs;
    VEC(TaskRun) all = {0};
    if (!files_load_text(path, arena, &text, err))
        return false;
    if (text[strspn(text, " \t\r\n")] == '{')
        return read_task_runs(path, arena, result, err);
    if (!runs_load(path, arena, &runs, err))
        return false;
    for (const RunPoint *point = runs->points; point < runs->points + runs->n_points; point++)
        for (uint32_t i = 0; i < point->n_times; i++)
            *vec_push(&all) = (TaskRun){.n_workers = point->p, .time_s = point->times_s[i]};
    *result = (TaskRuns){.count = all.count, .items = vec_copy(&all, arena)};
    vec_free(&all);
    return true;
}
