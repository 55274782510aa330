/* SPDX-License-Identifier: BSD-3-Clause */
/* See runs.h. Rows are sorted; those with equal size and number of processes become one point. */
#include "model/runs.h"

#include "base/files.h"
#include "base/median.h"
#include "base/text.h"
#include "model/runs_rows.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_reals(double a, double b)
{
    return a < b ? -1 : a > b;
}

static int compare_rows(const void *left, const void *right)
{
    const RunRow *a = left, *b = right;
    int order = compare_reals(a->n, b->n);
    if (order == 0)
        order = a->p < b->p ? -1 : a->p > b->p;
    return order ? order : compare_reals(a->time_s, b->time_s);
}

static RunPoint make_point(const RunRow *rows, uint32_t n, Arena *arena)
{
    double *times_s = arena_new_array(arena, double, n);
    for (uint32_t i = 0; i < n; i++)
        times_s[i] = rows[i].time_s;
    RunPoint point = {.n = rows->n, .p = rows->p, .n_times = n, .times_s = times_s, .slowdown = 1};
    for (uint32_t i = 0; i < n; i++)
        point.slowdown = fmax(point.slowdown, rows[i].slowdown);
    size_t low = 0, high = n - 1;
    if (!median_bounds(n, &low, &high)) {
        low = 0;
        high = n - 1;
    }
    assert(low <= high && high < n);
    point.median_s = (times_s[(n - 1) / 2] + times_s[n / 2]) / 2;
    point.low_s = times_s[low];
    point.high_s = times_s[high];
    return point;
}

static bool add_sequential(const char *file, const RunRow *row, SequentialTime *times, uint32_t *n, Err *err)
{
    if (row->sequential_s == 0)
        return true;
    if (*n > 0 && times[*n - 1].n == row->n) {
        if (times[*n - 1].time_s == row->sequential_s)
            return true;
        return err_set(err, ERR_INPUT, "%s: the size %g has two sequential times, %g and %g", file, row->n,
                       times[*n - 1].time_s, row->sequential_s) ||
               err_hint(err, "`sequential` is the time of the best sequential program; give one time for each size");
    }
    times[(*n)++] = (SequentialTime){row->n, row->sequential_s};
    return true;
}

static bool make_runs(const char *file, RunRows *rows, Arena *arena, Runs **runs, Err *err)
{
    uint32_t n_rows = (uint32_t)rows->rows.count, n_points = 0, n_sequential = 0;
    RunRow *row = rows->rows.items;
    if (n_rows == 0)
        return err_set(err, ERR_INPUT, "%s: holds no runs", file);
    qsort(row, n_rows, sizeof *row, compare_rows);
    RunPoint *points = arena_new_array(arena, RunPoint, RUNS_POINTS_LIMIT);
    SequentialTime *sequential = arena_new_array(arena, SequentialTime, n_rows);
    for (uint32_t i = 0; i < n_rows; i++)
        if (!add_sequential(file, &row[i], sequential, &n_sequential, err))
            return false;
    for (uint32_t from = 0, to; from < n_rows; from = to) {
        for (to = from + 1; to < n_rows && row[to].n == row[from].n && row[to].p == row[from].p; to++)
            continue;
        if (n_points == RUNS_POINTS_LIMIT)
            return err_set(err, ERR_INPUT, "%s: more than the limit of %d pairs of n and p", file, RUNS_POINTS_LIMIT);
        points[n_points++] = make_point(&row[from], to - from, arena);
    }
    *runs = arena_alloc(arena, sizeof **runs);
    **runs = (Runs){.file = arena_strdup(arena, file),
                    .has_sizes = rows->has_sizes,
                    .n_points = n_points,
                    .points = points,
                    .n_sequential = n_sequential,
                    .sequential = sequential};
    return true;
}

bool runs_load(const char *path, Arena *arena, Runs **runs, Err *err)
{
    const char *text;
    RunRows rows = {0};
    if (!files_load_text(path, arena, &text, err))
        return false;
    bool is_json = text[strspn(text, " \t\r\n")] == '{';
    bool ok = (is_json ? runs_read_json(path, &rows, err) : runs_read_csv(path, text, &rows, err)) &&
              make_runs(path, &rows, arena, runs, err);
    vec_free(&rows.rows);
    return ok;
}

/* Returns 0 if the size has no sequential time. */
static double sequential_of(const Runs *runs, double n)
{
    for (uint32_t i = 0; i < runs->n_sequential; i++)
        if (runs->sequential[i].n == n)
            return runs->sequential[i].time_s;
    return 0;
}

static void add_line(Text *text, const Runs *runs, const RunPoint *point, double time_s)
{
    double sequential_s = sequential_of(runs, point->n);
    if (runs->has_sizes)
        text_add(text, "%.12g,", point->n);
    text_add(text, "%u,%.12g", point->p, time_s);
    if (sequential_s > 0)
        text_add(text, ",%.12g", sequential_s);
    else if (runs->n_sequential)
        text_add(text, ",");
    text_add(text, "\n");
}

bool runs_save_csv(const Runs *runs, const char *path, Err *err)
{
    Text text = {0};
    Arena *arena = arena_new();
    text_add(&text, "%sp,time%s\n", runs->has_sizes ? "n," : "", runs->n_sequential ? ",sequential" : "");
    for (uint32_t i = 0; i < runs->n_points; i++)
        for (uint32_t k = 0; k < runs->points[i].n_times; k++)
            add_line(&text, runs, &runs->points[i], runs->points[i].times_s[k]);
    bool ok = files_save_text(path, text_take(&text, arena), err);
    arena_free(arena);
    return ok;
}
