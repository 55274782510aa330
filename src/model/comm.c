/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON form of what `firma comm` measured (docs/FORMATS.md). */
#include "model/comm.h"

#include "base/json.h"
#include "model/comm_json.h"
#include <string.h>

#define COMM_FORMAT "firma communication"

bool comm_configuration_is_same(const CommConfiguration *one, const CommConfiguration *other)
{
    return strcmp(one->middleware, other->middleware) == 0 && strcmp(one->transport, other->transport) == 0 &&
           strcmp(one->packing, other->packing) == 0;
}

const char *comm_configuration_name(const CommConfiguration *configuration, Arena *arena)
{
    const char *words[] = {configuration->middleware, configuration->transport, configuration->packing};
    return arena_join(arena, words, configuration->packing[0] ? 3 : 2);
}

static const struct {
    const char *key;
    size_t offset;
} point_times[] = {
    {"minimum_s", offsetof(CommPoint, minimum_s)}, {"median_s", offsetof(CommPoint, median_s)},
    {"mean_s", offsetof(CommPoint, mean_s)},       {"low_s", offsetof(CommPoint, low_s)},
    {"high_s", offsetof(CommPoint, high_s)},       {"p5_s", offsetof(CommPoint, p5_s)},
    {"p95_s", offsetof(CommPoint, p95_s)},         {"p99_s", offsetof(CommPoint, p99_s)},
    {"skew_s", offsetof(CommPoint, skew_s)},
};
enum { N_POINT_TIMES = sizeof point_times / sizeof *point_times };

static json_t *launches_to_json(const CommPoint *point)
{
    json_t *array = json_array();
    for (uint64_t i = 0; i < point->n_samples; i++)
        json_array_append_new(array, json_integer(point->launches[i]));
    return array;
}

static json_t *point_to_json(const CommPoint *point)
{
    json_t *object = json_object();
    json_object_set_new(object, "bytes", json_integer((json_int_t)point->bytes));
    json_object_set_new(object, "samples", json_integer((json_int_t)point->n_samples));
    for (size_t i = 0; i < N_POINT_TIMES; i++)
        json_set_real(object, point_times[i].key,
                      *(const double *)(const void *)((const char *)point + point_times[i].offset));
    json_object_set_new(object, "reached", json_boolean(point->reached));
    json_object_set_new(object, "late", json_integer((json_int_t)point->late));
    json_object_set_new(object, "batch", json_integer(point->batch));
    if (point->samples_s)
        json_object_set_new(object, "samples_s", json_from_reals(point->samples_s, point->n_samples));
    if (point->launches)
        json_object_set_new(object, "launches", launches_to_json(point));
    return object;
}

static json_t *series_to_json(const CommSeries *series)
{
    json_t *object = json_object(), *points = json_array();
    json_object_set_new(object, "configuration", json_integer(series->configuration));
    json_object_set_new(object, "operation", json_from_text(series->operation));
    json_object_set_new(object, "method", json_from_text(series->method));
    json_object_set_new(object, "path", json_from_text(series->path ? series->path : ""));
    json_object_set_new(object, "ranks", json_integer(series->n_ranks));
    json_object_set_new(object, "from_host", json_integer(series->from_host));
    json_object_set_new(object, "to_host", json_integer(series->to_host));
    for (uint32_t i = 0; i < series->n_points; i++)
        json_array_append_new(points, point_to_json(&series->points[i]));
    json_object_set_new(object, "points", points);
    return object;
}

static json_t *problem_to_json(const CommProblem *problem)
{
    json_t *object = json_object();
    json_object_set_new(object, "configuration",
                        problem->configuration == UINT32_MAX ? json_null() : json_integer(problem->configuration));
    json_object_set_new(object, "message", json_from_text(problem->message));
    return object;
}

json_t *comm_to_json(const CommMeasurement *measurement)
{
    json_t *root = json_object();
    json_object_set_new(root, "format", json_string(COMM_FORMAT));
    json_object_set_new(root, "version", json_integer(COMM_VERSION));
    json_object_set_new(root, "date", json_from_text(measurement->date));
    json_object_set_new(root, "command", json_from_text(measurement->command));
    json_set_real(root, "elapsed_s", measurement->elapsed_s);
    json_object_set_new(root, "hosts", hosts_to_json(measurement->hosts, measurement->n_hosts));
    json_t *configurations = json_array(), *series = json_array(), *problems = json_array();
    for (uint32_t i = 0; i < measurement->n_configurations; i++) {
        json_t *object = json_object();
        configuration_to_json(object, &measurement->configurations[i]);
        json_array_append_new(configurations, object);
    }
    for (uint32_t i = 0; i < measurement->n_series; i++)
        json_array_append_new(series, series_to_json(&measurement->series[i]));
    for (uint32_t i = 0; i < measurement->n_problems; i++)
        json_array_append_new(problems, problem_to_json(&measurement->problems[i]));
    json_object_set_new(root, "configurations", configurations);
    json_object_set_new(root, "series", series);
    json_object_set_new(root, "problems", problems);
    return root;
}

static bool samples_from_json(const json_t *object, const JsonPlace *place, Arena *arena, CommPoint *point, Err *err)
{
    json_t *array;
    size_t n = (size_t)point->n_samples;
    if (json_object_get(object, "samples_s")) {
        if (!json_get_array(object, "samples_s", place, n, &array, err))
            return false;
        double *samples_s = arena_new_array(arena, double, n);
        if (!json_get_seconds_list(object, "samples_s", place, n, samples_s, err))
            return false;
        point->samples_s = samples_s;
    }
    if (json_object_get(object, "launches")) {
        if (!json_get_array(object, "launches", place, n, &array, err))
            return false;
        uint64_t *numbers = arena_new_array(arena, uint64_t, n);
        uint32_t *launches = arena_new_array(arena, uint32_t, n);
        if (!json_get_uints(object, "launches", place, n, numbers, err))
            return false;
        for (size_t i = 0; i < n; i++) {
            if (numbers[i] > UINT32_MAX)
                return err_set(err, ERR_INPUT, "%s: %s.launches[%zu]: larger than the limit of %u", place->file,
                               place->path, i, UINT32_MAX);
            launches[i] = (uint32_t)numbers[i];
        }
        point->launches = launches;
    }
    return true;
}

static bool point_from_json(const json_t *object, const JsonPlace *place, Arena *arena, CommPoint *point, Err *err)
{
    if (!json_get_uint(object, "bytes", place, INT64_MAX, &point->bytes, err) ||
        !json_get_uint(object, "samples", place, INT64_MAX, &point->n_samples, err) ||
        !json_get_bool(object, "reached", place, &point->reached, err) ||
        !json_get_uint(object, "late", place, INT64_MAX, &point->late, err) ||
        !json_get_uint32(object, "batch", place, UINT32_MAX, &point->batch, err))
        return false;
    for (size_t i = 0; i < N_POINT_TIMES; i++)
        if (!json_get_seconds(object, point_times[i].key, place,
                              (double *)(void *)((char *)point + point_times[i].offset), err))
            return false;
    return samples_from_json(object, place, arena, point, err);
}

static bool series_from_json(const json_t *object, const JsonPlace *place, const CommMeasurement *measurement,
                             Arena *arena, CommSeries *series, Err *err)
{
    json_t *array;
    if (!json_get_index(object, "configuration", place, measurement->n_configurations, &series->configuration, err) ||
        !json_get_text(object, "operation", place, arena, &series->operation, err) ||
        !json_get_text(object, "method", place, arena, &series->method, err) ||
        !json_get_text(object, "path", place, arena, &series->path, err) ||
        !json_get_uint32(object, "ranks", place, UINT32_MAX, &series->n_ranks, err) ||
        !json_get_index(object, "from_host", place, measurement->n_hosts, &series->from_host, err) ||
        !json_get_index(object, "to_host", place, measurement->n_hosts, &series->to_host, err) ||
        !json_get_array(object, "points", place, SIZE_MAX, &array, err))
        return false;
    size_t n = json_array_size(array);
    CommPoint *points = arena_new_array(arena, CommPoint, n);
    for (size_t i = 0; i < n; i++) {
        const JsonPlace at = json_place(place->file, "%s.points[%zu]", place->path, i);
        if (!point_from_json(json_array_get(array, i), &at, arena, &points[i], err))
            return false;
        if (i && points[i].bytes <= points[i - 1].bytes)
            return err_set(err, ERR_INPUT, "%s: %s.bytes: not larger than the point before it", at.file, at.path);
    }
    series->points = points;
    series->n_points = (uint32_t)n;
    return true;
}

static bool problem_from_json(const json_t *object, const JsonPlace *place, uint32_t n_configurations, Arena *arena,
                              CommProblem *problem, Err *err)
{
    problem->configuration = UINT32_MAX;
    return (json_is_null(json_object_get(object, "configuration")) ||
            json_get_index(object, "configuration", place, n_configurations, &problem->configuration, err)) &&
           json_get_text(object, "message", place, arena, &problem->message, err);
}

static bool lists_from_json(const json_t *root, const JsonPlace *place, Arena *arena, CommMeasurement *measurement,
                            Err *err)
{
    json_t *configurations, *series, *problems;
    if (!json_get_array(root, "configurations", place, SIZE_MAX, &configurations, err) ||
        !json_get_array(root, "series", place, SIZE_MAX, &series, err) ||
        !json_get_array(root, "problems", place, SIZE_MAX, &problems, err))
        return false;
    measurement->n_configurations = (uint32_t)json_array_size(configurations);
    measurement->n_series = (uint32_t)json_array_size(series);
    measurement->n_problems = (uint32_t)json_array_size(problems);
    CommConfiguration *configuration = arena_new_array(arena, CommConfiguration, measurement->n_configurations);
    CommSeries *one = arena_new_array(arena, CommSeries, measurement->n_series);
    CommProblem *problem = arena_new_array(arena, CommProblem, measurement->n_problems);
    for (uint32_t i = 0; i < measurement->n_configurations; i++) {
        const JsonPlace at = json_place(place->file, "configurations[%u]", i);
        if (!configuration_from_json(json_array_get(configurations, i), &at, arena, &configuration[i], err))
            return false;
    }
    for (uint32_t i = 0; i < measurement->n_series; i++) {
        const JsonPlace at = json_place(place->file, "series[%u]", i);
        if (!series_from_json(json_array_get(series, i), &at, measurement, arena, &one[i], err))
            return false;
    }
    for (uint32_t i = 0; i < measurement->n_problems; i++) {
        const JsonPlace at = json_place(place->file, "problems[%u]", i);
        if (!problem_from_json(json_array_get(problems, i), &at, measurement->n_configurations, arena, &problem[i],
                               err))
            return false;
    }
    measurement->configurations = configuration;
    measurement->series = one;
    measurement->problems = problem;
    return true;
}

static bool measurement_from_json(const json_t *root, const char *file, Arena *arena, void *result, Err *err)
{
    const JsonPlace place = json_place(file, "%s", "");
    CommMeasurement *measurement = arena_new_array(arena, CommMeasurement, 1);
    if (!json_get_text(root, "date", &place, arena, &measurement->date, err) ||
        !json_get_text(root, "command", &place, arena, &measurement->command, err) ||
        !json_get_seconds(root, "elapsed_s", &place, &measurement->elapsed_s, err) ||
        !hosts_from_json(root, &place, arena, &measurement->hosts, &measurement->n_hosts, err) ||
        !lists_from_json(root, &place, arena, measurement, err))
        return false;
    *(CommMeasurement **)result = measurement;
    return true;
}

bool comm_save(const CommMeasurement *measurement, const char *path, Err *err)
{
    json_t *root = comm_to_json(measurement);
    bool saved = save_readable_document(root, path, measurement_from_json, err);
    json_decref(root);
    return saved;
}

bool comm_load(const char *path, Arena *arena, CommMeasurement **measurement, Err *err)
{
    return load_document(path, COMM_FORMAT, COMM_VERSION, measurement_from_json, arena, measurement, err);
}
