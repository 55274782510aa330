/* SPDX-License-Identifier: BSD-3-Clause */
/* See runs_rows.h and runs.h: the JSON form. */
#include "model/runs_rows.h"

#include "base/json.h"

static bool check_positive(double value, double most, const char *key, const JsonPlace *place, Err *err)
{
    if (value > 0 && value <= most)
        return true;
    return err_set(err, ERR_INPUT, "%s: %s.%s: %g is not above 0, or more than there can be", place->file, place->path,
                   key, value);
}

static bool read_times(const json_t *point, const JsonPlace *place, RunRow row, RunRows *rows, Err *err)
{
    json_t *times;
    if (!json_get_array(point, "times_s", place, SIZE_MAX, &times, err))
        return false;
    if (json_array_size(times) == 0)
        return err_set(err, ERR_INPUT, "%s: %s.times_s: is empty", place->file, place->path);
    for (size_t i = 0; i < json_array_size(times); i++) {
        const json_t *time = json_array_get(times, i);
        if (!json_is_number(time))
            return err_set(err, ERR_INPUT, "%s: %s.times_s[%zu]: not a number", place->file, place->path, i);
        row.time_s = json_number_value(time);
        if (!check_positive(row.time_s, SECONDS_LIMIT, "times_s", place, err))
            return false;
        if (rows->rows.count == RUNS_LIMIT)
            return err_set(err, ERR_INPUT, "%s: %s: more than %d runs", place->file, place->path, RUNS_LIMIT);
        *vec_push(&rows->rows) = row;
    }
    return true;
}

static bool read_point(const json_t *point, const JsonPlace *place, bool has_size, RunRows *rows, Err *err)
{
    RunRow row = {.n = 1};
    uint64_t p;
    if (!json_is_object(point))
        return err_set(err, ERR_INPUT, "%s: %s: not an object", place->file, place->path);
    if (!json_get_uint(point, "p", place, RUNS_PROCESSES_LIMIT, &p, err) ||
        !check_positive((double)p, RUNS_PROCESSES_LIMIT, "p", place, err))
        return false;
    if (!has_size && json_object_get(point, "n"))
        return err_set(err, ERR_INPUT, "%s: %s.n: the first point has none", place->file, place->path);
    if (has_size &&
        (!json_get_real(point, "n", place, &row.n, err) || !check_positive(row.n, RUNS_SIZE_LIMIT, "n", place, err)))
        return false;
    if (json_object_get(point, "sequential_s") &&
        (!json_get_real(point, "sequential_s", place, &row.sequential_s, err) ||
         !check_positive(row.sequential_s, SECONDS_LIMIT, "sequential_s", place, err)))
        return false;
    row.p = (uint32_t)p;
    return read_times(point, place, row, rows, err);
}

bool runs_read_json(const char *file, RunRows *rows, Err *err)
{
    json_t *root, *points;
    if (!json_load_document(file, RUNS_FORMAT, RUNS_VERSION, &root, err))
        return false;
    JsonPlace place = json_place(file, "%s", "");
    bool ok = json_get_array(root, "points", &place, SIZE_MAX, &points, err);
    rows->has_sizes = ok && json_object_get(json_array_get(points, 0), "n");
    for (size_t i = 0; ok && i < json_array_size(points); i++) {
        place = json_place(file, "points[%zu]", i);
        ok = read_point(json_array_get(points, i), &place, rows->has_sizes, rows, err);
    }
    json_decref(root);
    return ok;
}

json_t *runs_to_json(const Runs *runs)
{
    json_t *points = json_array();
    for (uint32_t i = 0; i < runs->n_points; i++) {
        const RunPoint *point = &runs->points[i];
        json_t *item = json_object();
        if (runs->has_sizes)
            json_object_set_new(item, "n", json_real(point->n));
        json_object_set_new(item, "p", json_integer(point->p));
        json_object_set_new(item, "times_s", json_from_reals(point->times_s, point->n_times));
        for (uint32_t k = 0; k < runs->n_sequential; k++)
            if (runs->sequential[k].n == point->n)
                json_object_set_new(item, "sequential_s", json_real(runs->sequential[k].time_s));
        json_array_append_new(points, item);
    }
    return json_pack("{s:s, s:i, s:o}", "format", RUNS_FORMAT, "version", RUNS_VERSION, "points", points);
}
