/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes the JSON form of run times; see runs_rows.h and runs.h. */
#include "model/runs_rows.h"

#include "base/fields.h"
#include "model/task_runs.h"
#include <math.h>

typedef struct PointTimes {
    double n; /* not finite: the file has no sizes */
    uint32_t p, n_times;
    const double *times_s;
    double sequential_s; /* not finite: not known */
    double slowdown;     /* not finite: the same */
} PointTimes;

typedef struct PointList {
    uint32_t n_points;
    const PointTimes *points;
} PointList;

static bool check_time(double seconds, const char *key, const JsonPlace *place, Err *err)
{
    return (seconds >= SECONDS_LEAST && seconds <= SECONDS_LIMIT) || !isfinite(seconds) ||
           json_refuse(place, key, err, "expected a number from %g to %g; found %g", SECONDS_LEAST, SECONDS_LIMIT,
                       seconds);
}

static bool check_positive(double value, double most, const char *key, const JsonPlace *place, Err *err)
{
    return (value > 0 && value <= most) || !isfinite(value) ||
           json_refuse(place, key, err, "expected a number above 0, at most %g; found %g", most, value);
}

static bool check_point(const FieldContext *context, const JsonPlace *place, void *record, Err *err)
{
    const PointTimes *point = record;
    (void)context;
    if (!check_positive(point->p, RUNS_PROCESSES_LIMIT, "p", place, err) ||
        !check_positive(point->n, RUNS_SIZE_LIMIT, "n", place, err) ||
        !check_time(point->sequential_s, "sequential_s", place, err) ||
        !check_positive(point->slowdown, RUNS_SLOWDOWN_LIMIT, "slowdown", place, err))
        return false;
    for (uint32_t i = 0; i < point->n_times; i++)
        if (!check_time(point->times_s[i], "times_s", place, err))
            return false;
    return point->n_times > 0 || json_refuse(place, "times_s", err, "expected at least one time");
}

static const FieldList point_fields = FIELDS_CHECKED(
    PointTimes, check_point,
    FIELD(PointTimes, n, "problem size; absent if all runs have the same", .flags = FIELD_ABSENT),
    FIELD(PointTimes, p, "number of processes", .limit = RUNS_PROCESSES_LIMIT),
    FIELD_LIST(PointTimes, times_s, n_times, "times_s", "one for each run, above 0", .limit = RUNS_LIMIT),
    FIELD(PointTimes, sequential_s, "the best sequential program's time for this size", .flags = FIELD_ABSENT),
    FIELD(PointTimes, slowdown, "factor by which other programs may have slowed some run down; absent: not known",
          .flags = FIELD_ABSENT));

static const FieldList list_fields =
    FIELDS(PointList, FIELD_LIST(PointList, points, n_points, "points", "one for each size and number of processes",
                                 .of = &point_fields));

const Document runs_document = {.format = RUNS_FORMAT, .version = RUNS_VERSION, .fields = &list_fields};

static bool add_rows(const PointTimes *point, const JsonPlace *place, RunRows *rows, Err *err)
{
    if (rows->has_sizes != isfinite(point->n))
        return json_refuse(place, "n", err,
                           rows->has_sizes ? "expected a number"
                                           : "must be absent, because the first point has no `n`");
    for (uint32_t i = 0; i < point->n_times; i++) {
        if (rows->rows.count == RUNS_LIMIT)
            return json_refuse(place, "", err, "more than the limit of %d runs", RUNS_LIMIT);
        *vec_push(&rows->rows) = (RunRow){.n = rows->has_sizes ? point->n : 1,
                                          .p = point->p,
                                          .time_s = point->times_s[i],
                                          .sequential_s = isfinite(point->sequential_s) ? point->sequential_s : 0,
                                          .slowdown = isfinite(point->slowdown) ? point->slowdown : 0};
    }
    return true;
}

/* ---- runs of tasks, as `firma cost run` writes them ---- */

/* Workers are processes that compute; the master isn't counted. */
static bool read_task_runs(const json_t *root, const char *file, Arena *arena, RunRows *rows, Err *err)
{
    TaskRuns *list;
    bool ok = task_runs_read(root, file, arena, &list, err);
    for (uint32_t i = 0; ok && i < list->count; i++) {
        const TaskRun *run = &list->items[i];
        const JsonPlace place = json_place(file, "runs[%u]", i);
        if (i == RUNS_LIMIT)
            return json_refuse(&place, "", err, "more than the limit of %d runs", RUNS_LIMIT);
        ok = check_positive((double)run->n_workers, RUNS_PROCESSES_LIMIT, "workers", &place, err) &&
             check_time(run->time_s, "time_s", &place, err);
        *vec_push(&rows->rows) = (RunRow){.n = 1, .p = (uint32_t)run->n_workers, .time_s = run->time_s};
    }
    return ok;
}

static bool read_points(const json_t *root, const char *file, Arena *arena, RunRows *rows, Err *err)
{
    PointList *list;
    bool ok = json_check_format(root, file, RUNS_FORMAT, RUNS_VERSION, err) &&
              document_read(&runs_document, root, file, arena, &list, err);
    rows->has_sizes = ok && list->n_points && isfinite(list->points[0].n);
    for (uint32_t i = 0; ok && i < list->n_points; i++) {
        const JsonPlace place = json_place(file, "points[%u]", i);
        ok = add_rows(&list->points[i], &place, rows, err);
    }
    return ok;
}

bool runs_read_json(const char *file, RunRows *rows, Err *err)
{
    Arena *arena = arena_new();
    json_t *root = NULL;
    bool ok = json_load_root(file, RUNS_FORMAT, &root, err) &&
              (json_has_format(root, TASK_RUNS_FORMAT) ? read_task_runs(root, file, arena, rows, err)
                                                       : read_points(root, file, arena, rows, err));
    json_decref(root);
    arena_free(arena);
    return ok;
}

json_t *runs_to_json(const Runs *runs)
{
    Arena *arena = arena_new();
    PointTimes *points = arena_new_array(arena, PointTimes, runs->n_points);
    for (uint32_t i = 0; i < runs->n_points; i++) {
        const RunPoint *point = &runs->points[i];
        points[i] = (PointTimes){.n = runs->has_sizes ? point->n : NAN,
                                 .p = point->p,
                                 .n_times = point->n_times,
                                 .times_s = point->times_s,
                                 .sequential_s = NAN,
                                 .slowdown = point->slowdown > 1 ? point->slowdown : NAN};
        for (uint32_t k = 0; k < runs->n_sequential; k++)
            if (runs->sequential[k].n == point->n)
                points[i].sequential_s = runs->sequential[k].time_s;
    }
    json_t *root = document_to_json(&runs_document, &(PointList){runs->n_points, points});
    arena_free(arena);
    return root;
}
