/* SPDX-License-Identifier: BSD-3-Clause */
/* See data.h. */
#include "verbs/report/data.h"

#include "base/json.h"
#include <math.h>
#include <string.h>

enum { PHASES_KEPT = 200 };

double data_real(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

size_t data_count(const json_t *object, const char *key)
{
    json_int_t count = json_integer_value(json_object_get(object, key));
    return count > 0 ? (size_t)count : 0;
}

const char *data_text(const json_t *object, const char *key, Arena *arena)
{
    const char *text = json_to_text(json_object_get(object, key), arena);
    return text ? text : "";
}

double data_at(const json_t *list, size_t index)
{
    return json_number_value(json_array_get(list, index));
}

double data_end(const json_t *object, const char *key, size_t end)
{
    return data_at(json_object_get(object, key), end);
}

const json_t *data_last(const json_t *object, const char *key)
{
    const json_t *list = json_object_get(object, key);
    return json_array_get(list, json_array_size(list) - 1);
}

bool data_are_alike(const json_t *run, const json_t *other, Arena *arena)
{
    return data_count(run, "workers") == data_count(other, "workers") &&
           strcmp(data_text(run, "machines", arena), data_text(other, "machines", arena)) == 0;
}

double data_sum(const json_t *list, const char *key)
{
    double sum = 0;
    const json_t *item;
    size_t i;
    json_array_foreach(list, i, item)
        sum += json_number_value(json_object_get(item, key));
    return sum;
}

double data_mean_of(const json_t *list)
{
    double sum = 0;
    const json_t *item;
    size_t i;
    json_array_foreach(list, i, item)
        sum += json_number_value(item);
    return sum / (double)json_array_size(list);
}

double data_phase_mean_s(const json_t *documents, size_t id)
{
    const json_t *phases = json_object_get(json_object_get(documents, "phases"), "phases"), *phase;
    size_t i;
    json_array_foreach(phases, i, phase)
        if (data_count(phase, "id") == id)
            return data_real(phase, "mean_duration_s");
    return NAN;
}

const char *data_doubts(const json_t *law)
{
    bool has_few_points = json_is_true(json_object_get(law, "few_points"));
    bool is_noisy = json_is_true(json_object_get(law, "noisy"));
    return has_few_points ? is_noisy ? "few points, noisy" : "few points" : is_noisy ? "noisy" : "";
}

const char *data_distance(const json_t *prediction, Arena *arena)
{
    return json_is_true(json_object_get(prediction, "extrapolated"))
               ? arena_printf(arena, "extrapolated %.3g ×", data_real(prediction, "times_beyond"))
               : "predicted";
}

void report_warn(json_t *documents, const char *sentence)
{
    json_t *warnings = json_object_get(documents, "warnings");
    if (!warnings)
        json_object_set_new(documents, "warnings", warnings = json_array());
    json_array_append_new(warnings, json_from_text(sentence));
}

json_t *report_runs(const json_t *runs)
{
    json_t *document = json_deep_copy(runs), *run;
    size_t i;
    json_array_foreach(json_object_get(document, "runs"), i, run) {
        json_object_del(run, "batches");
        json_object_del(run, "each_worker");
    }
    return document;
}

void report_shorten_phases(json_t *phases)
{
    if (json_array_size(phases) <= PHASES_KEPT)
        return;
    for (size_t i = json_array_size(phases); i-- > 0;)
        if (json_is_false(json_object_get(json_array_get(phases, i), "relevant")))
            json_array_remove(phases, i);
}

const char *block_name(size_t row, size_t per_row, size_t n_processes, Arena *arena)
{
    size_t first = row * per_row, end = first + per_row < n_processes ? first + per_row : n_processes;
    return end > first + 1 ? arena_printf(arena, "%zu–%zu", first, end - 1) : arena_printf(arena, "%zu", first);
}

const double *data_column(const json_t *list, const char *key, Arena *arena)
{
    return data_column_of(list, NULL, key, arena);
}

const double *data_column_of(const json_t *list, const char *object, const char *key, Arena *arena)
{
    size_t n = json_array_size(list);
    double *values = arena_new_array(arena, double, n);
    for (size_t i = 0; i < n; i++) {
        const json_t *item = json_array_get(list, i);
        values[i] = data_real(object ? json_object_get(item, object) : item, key);
    }
    return values;
}

void data_ends_of(const json_t *list, const char *object, Arena *arena, const double **low, const double **high)
{
    size_t n = json_array_size(list);
    double *lows = arena_new_array(arena, double, n), *highs = arena_new_array(arena, double, n);
    for (size_t i = 0; i < n; i++) {
        const json_t *estimated = json_object_get(json_array_get(list, i), object);
        double value = data_real(estimated, "value");
        lows[i] = fmax(fmin(data_real(estimated, "low"), value), value / 1000);
        highs[i] = fmax(data_real(estimated, "high"), value);
    }
    *low = lows;
    *high = highs;
}
