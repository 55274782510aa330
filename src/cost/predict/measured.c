/* SPDX-License-Identifier: BSD-3-Clause */
/* See measured.h. */
#include "cost/predict/measured.h"

#include "base/files.h"
#include "base/vec.h"
#include "model/members.h"
#include <math.h>
#include <string.h>

#define COLUMNS_LIMIT 64

typedef struct Columns {
    int workers, time;
} Columns;

/* Cuts a line at its commas; the number of cells. */
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
           err_set(err, ERR_INPUT, "%s:1: expected the names of columns, `workers` and `time` among them", path);
}

static bool read_number(const char *cell, double *value)
{
    char *end;
    *value = strtod(cell, &end);
    return end != cell && *end == '\0' && isfinite(*value);
}

static bool read_run(char *line, const char *path, unsigned number, const Columns *columns, MeasuredRun *run, Err *err)
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

typedef VEC(MeasuredRun) Runs;

static bool read_lines(char *text, const char *path, Runs *runs, Err *err)
{
    Columns columns = {-1, -1};
    unsigned number = 0;
    for (char *line; (line = strsep(&text, "\n"));) {
        MeasuredRun run;
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

#define WORKERS_LIMIT 1000000000

static bool read_document(const json_t *root, const char *file, Arena *arena, void *result, Err *err)
{
    const JsonPlace place = json_place(file, "%s", "");
    const char *application = NULL;
    json_t *list;
    if (json_object_get(root, "application") && !json_get_text(root, "application", &place, arena, &application, err))
        return false;
    if (!json_get_array(root, "runs", &place, SIZE_MAX, &list, err))
        return false;
    size_t n = json_array_size(list);
    MeasuredRun *items = arena_new_array(arena, MeasuredRun, n);
    for (size_t i = 0; i < n; i++) {
        const JsonPlace at = json_place(file, "runs[%zu]", i);
        const json_t *object = json_array_get(list, i);
        if (!json_get_uint(object, "workers", &at, WORKERS_LIMIT, &items[i].n_workers, err) ||
            !json_get_seconds(object, "time_s", &at, &items[i].time_s, err))
            return false;
    }
    *(MeasuredRuns *)result = (MeasuredRuns){application, n, items};
    return true;
}

bool measured_load(const char *path, Arena *arena, MeasuredRuns *result, Err *err)
{
    const char *text;
    Runs runs = {0};
    if (!files_load_text(path, arena, &text, err))
        return false;
    if (text[strspn(text, " \t\r\n")] == '{')
        return load_document(path, MEASURED_FORMAT, MEASURED_VERSION, read_document, arena, result, err);
    bool ok = read_lines(arena_strdup(arena, text), path, &runs, err);
    if (ok) {
        MeasuredRun *items = arena_new_array(arena, MeasuredRun, runs.count);
        if (runs.count)
            memcpy(items, runs.items, runs.count * sizeof *items);
        *result = (MeasuredRuns){NULL, runs.count, items};
    }
    vec_free(&runs);
    return ok;
}
