/* SPDX-License-Identifier: BSD-3-Clause */
/* See measured.h. */
#include "cost/predict/measured.h"

#include "base/files.h"
#include "base/json.h"
#include "base/vec.h"
#include <math.h>
#include <string.h>

#define COLUMNS_LIMIT 64

typedef struct Columns {
    int workers, time;
} Columns;

/* Splits a line at its commas. Returns the number of cells. */
static int cut(char *line, char *cells[COLUMNS_LIMIT])
{
    int n = 0;
    for (char *cell; n < COLUMNS_LIMIT && (cell = strsep(&line, ","));) {
        cell += strspn(cell, " \t");
        for (size_t end = strlen(cell); end && strchr(" \t\r", cell[end - 1]);)
            cell[--end] = '\0';
        cells[n++] = cell;
    }
    return n;
}

static bool read_header(char *line, const char *path, Columns *columns, Err *err)
{
    char *cells[COLUMNS_LIMIT];
    int n = cut(line, cells);
    *columns = (Columns){-1, -1};
    for (int i = 0; i < n; i++) {
        columns->workers = strcmp(cells[i], "workers") == 0 ? i : columns->workers;
        columns->time = strcmp(cells[i], "time") == 0 ? i : columns->time;
    }
    return (columns->workers >= 0 && columns->time >= 0) ||
           err_set(err, ERR_INPUT, "%s:1: expected names of columns that include `workers` and `time`", path);
}

static bool read_number(const char *cell, double *value)
{
    char *end;
    *value = strtod(cell, &end);
    return end != cell && *end == '\0' && isfinite(*value);
}

static bool read_run(char *line, const char *path, unsigned number, const Columns *columns, TaskRun *run, Err *err)
{
    char *cells[COLUMNS_LIMIT];
    double workers;
    int n = cut(line, cells);
    if (n <= columns->workers || n <= columns->time)
        return err_set(err, ERR_INPUT, "%s:%u: a column is missing", path, number);
    if (!read_number(cells[columns->workers], &workers) || workers < 1 || workers > 1e9 || workers != floor(workers))
        return err_set(err, ERR_INPUT, "%s:%u: `%s` isn't a number of workers", path, number, cells[columns->workers]);
    if (!read_number(cells[columns->time], &run->time_s) || run->time_s < 0)
        return err_set(err, ERR_INPUT, "%s:%u: `%s` isn't a time in seconds", path, number, cells[columns->time]);
    run->n_workers = (uint64_t)workers;
    return true;
}

typedef VEC(TaskRun) ReadRuns;

static bool read_lines(char *text, const char *path, ReadRuns *runs, Err *err)
{
    Columns columns = {-1, -1};
    unsigned number = 0;
    for (char *line; (line = strsep(&text, "\n"));) {
        TaskRun run;
        number++;
        if (number == 1 && !read_header(line, path, &columns, err))
            return false;
        if (number == 1 || line[strspn(line, " \t\r")] == '\0')
            continue;
        if (!read_run(line, path, number, &columns, &run, err))
            return false;
        *vec_push(runs) = run;
    }
    return true;
}

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
    ReadRuns runs = {0};
    if (!files_load_text(path, arena, &text, err))
        return false;
    if (text[strspn(text, " \t\r\n")] == '{')
        return read_task_runs(path, arena, result, err);
    bool ok = read_lines(arena_strdup(arena, text), path, &runs, err);
    if (ok)
        *result = (TaskRuns){NULL, runs.count, vec_copy(&runs, arena)};
    vec_free(&runs);
    return ok;
}
