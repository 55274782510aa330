/* SPDX-License-Identifier: BSD-3-Clause */
/* See placement.h. A launcher's start-up is in both times and cancels in their difference: so what was saved is what
 * prediction and measurement are compared by. */
#include "verbs/map/placement.h"

#include "base/json.h"
#include "base/median.h"
#include "base/text.h"
#include "report/format.h"
#include "report/table.h"
#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

typedef struct Middle {
    double median_s, low_s, high_s; /* 95 % interval of the median, or, of less than six runs, the extremes */
    bool is_interval;
} Middle;

static Middle middle_of(const double *times_s, uint32_t n, Arena *arena)
{
    double *sorted = arena_new_array(arena, double, n);
    size_t low = 0, high = n - 1;
    memcpy(sorted, times_s, n * sizeof *sorted);
    gsl_sort(sorted, 1, n);
    bool is_interval = median_bounds(n, &low, &high);
    if (!is_interval) {
        low = 0;
        high = n - 1;
    }
    return (Middle){gsl_stats_median_from_sorted_data(sorted, 1, n), sorted[low], sorted[high], is_interval};
}

static Middle saved_of(const PlacementRuns *runs, Arena *arena)
{
    double *saved_s = arena_new_array(arena, double, runs->n);
    for (uint32_t i = 0; i < runs->n; i++)
        saved_s[i] = runs->usual_s[i] - runs->mapped_s[i];
    return middle_of(saved_s, runs->n, arena);
}

static double predicted_saving_s(const PlacementRuns *runs)
{
    return runs->usual->completion_s - runs->mapped->completion_s;
}

/* 1: the mapping is to be faster, -1: slower, 0: by less than any two runs differ. */
static int predicted_sign(const PlacementRuns *runs)
{
    double least_s = MAPPING_LEAST_GAIN * runs->usual->completion_s, saved_s = predicted_saving_s(runs);
    return (saved_s >= least_s) - (saved_s <= -least_s);
}

static const char *verdict(const PlacementRuns *runs, const Middle *saved)
{
    static const char *const verdicts[3][3] = {{"the mapping is slower, as predicted",
                                                "no difference can be told from how runs differ; a loss was predicted",
                                                "the mapping is faster, against the prediction"},
                                               {"the mapping is slower, which was not predicted",
                                                "no difference can be told from how runs differ, as predicted",
                                                "the mapping is faster, which was not predicted"},
                                               {"the mapping is slower, against the prediction",
                                                "no difference can be told from how runs differ; a gain was predicted",
                                                "the mapping is faster, as predicted"}};
    int measured = (saved->low_s > 0) - (saved->high_s < 0);
    return saved->is_interval ? verdicts[predicted_sign(runs) + 1][measured + 1]
                              : "too few runs to tell a difference from chance: --repeats 6 is the least";
}

static const char *signed_seconds(double seconds, Arena *arena)
{
    return arena_printf(arena, "%s%s", seconds < 0 ? "-" : "", format_seconds(arena, fabs(seconds)));
}

static void add_row(Table *table, const char *what, double predicted_s, const Middle *middle, Arena *arena)
{
    table_cells(table, "%s|%s|%s|%s to %s", what, signed_seconds(predicted_s, arena),
                signed_seconds(middle->median_s, arena), signed_seconds(middle->low_s, arena),
                signed_seconds(middle->high_s, arena));
}

const char *placement_runs_text(const PlacementRuns *runs, bool color, Arena *arena)
{
    Middle usual = middle_of(runs->usual_s, runs->n, arena), mapped = middle_of(runs->mapped_s, runs->n, arena);
    Middle saved = saved_of(runs, arena);
    Table *table = table_new(arena);
    table_columns(table, "run|>predicted|>measured");
    table_column(table, saved.is_interval ? "95 % interval" : "from, to", TABLE_LEFT);
    add_row(table, "as given", runs->usual->completion_s, &usual, arena);
    add_row(table, runs->mapped->mapper, runs->mapped->completion_s, &mapped, arena);
    add_row(table, "saved", predicted_saving_s(runs), &saved, arena);
    return arena_printf(arena, "%u run%s of each, in turn; measured are launchers' times, start-up included\n%s%s\n",
                        runs->n, runs->n == 1 ? "" : "s", table_text(table, color), verdict(runs, &saved));
}

static json_t *times_json(const double *times_s, uint32_t n)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < n; i++)
        json_array_append_new(array, json_real(times_s[i]));
    return array;
}

static json_t *side_json(double predicted_s, const Middle *middle)
{
    json_t *object = json_object();
    json_object_set_new(object, "predicted_s", json_real(predicted_s));
    json_object_set_new(object, "median_s", json_real(middle->median_s));
    json_object_set_new(object, "low_s", json_real(middle->low_s));
    json_object_set_new(object, "high_s", json_real(middle->high_s));
    return object;
}

json_t *placement_runs_json(const PlacementRuns *runs)
{
    Arena *arena = arena_new();
    json_t *root = json_object();
    Middle usual = middle_of(runs->usual_s, runs->n, arena), mapped = middle_of(runs->mapped_s, runs->n, arena);
    Middle saved = saved_of(runs, arena);
    json_t *as_given = side_json(runs->usual->completion_s, &usual);
    json_t *as_mapped = side_json(runs->mapped->completion_s, &mapped);
    json_object_set_new(as_given, "times_s", times_json(runs->usual_s, runs->n));
    json_object_set_new(as_mapped, "times_s", times_json(runs->mapped_s, runs->n));
    json_object_set_new(as_mapped, "mapper", json_string(runs->mapped->mapper));
    json_object_set_new(root, "repeats", json_integer(runs->n));
    json_object_set_new(root, "is_95_percent_interval", json_boolean(saved.is_interval));
    json_object_set_new(root, "as_given", as_given);
    json_object_set_new(root, "mapped", as_mapped);
    json_object_set_new(root, "saved", side_json(predicted_saving_s(runs), &saved));
    json_object_set_new(root, "verdict", json_string(verdict(runs, &saved)));
    arena_free(arena);
    return root;
}

const char *launch_files_describe(const LaunchFiles *files, Arena *arena)
{
    Text text = {0};
    for (int i = 0; i < N_LAUNCHERS; i++) {
        const LaunchWay *way = &files->ways[i];
        text_add(&text, "%-10s%s%s\n", way->launcher, way->line,
                 way->binds ? "" : "   # nodes alone: the processors' numbers aren't known");
        if (i == LAUNCHER_OPENMPI)
            text_add(&text, "%-10s%s\n", "", way->same ? way->same : "(none of its --map-by policies places ranks so)");
    }
    return text_take(&text, arena);
}

json_t *launch_files_json(const LaunchFiles *files)
{
    json_t *list = json_array();
    for (int i = 0; i < N_LAUNCHERS; i++) {
        const LaunchWay *way = &files->ways[i];
        json_t *object = json_object();
        json_object_set_new(object, "launcher", json_string(way->launcher));
        json_object_set_new(object, "file", json_from_text(way->file));
        json_object_set_new(object, "command", json_from_text(way->line));
        if (way->same)
            json_object_set_new(object, "same_command", json_from_text(way->same));
        json_object_set_new(object, "binds", json_boolean(way->binds));
        json_array_append_new(list, object);
    }
    return list;
}
