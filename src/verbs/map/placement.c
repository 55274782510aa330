/* SPDX-License-Identifier: BSD-3-Clause */
/* See placement.h. All times contain the launcher's start-up, which cancels in a difference. So
 * prediction and measurement are compared by the time saved. */
#include "verbs/map/placement.h"

#include "base/median.h"
#include "base/text.h"
#include "report/format.h"
#include "report/table.h"
#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

typedef struct Middle {
    double median_s, low_s, high_s; /* 95 % interval of the median; with less than six runs, the extremes */
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

static const char *verdict(const PlacementRuns *runs, const Middle *saved)
{
    static const char *const verdicts[3][3] = {
        {"the mapping is slower, as predicted", "the runs vary too much to show a difference; a loss was predicted",
         "the mapping is faster, against the prediction"},
        {"the mapping is slower, which was not predicted", "the runs show no difference, as predicted",
         "the mapping is faster, which was not predicted"},
        {"the mapping is slower, against the prediction",
         "the runs vary too much to show a difference; a gain was predicted", "the mapping is faster, as predicted"}};
    int measured = (saved->low_s > 0) - (saved->high_s < 0);
    return saved->is_interval ? verdicts[mapping_sign(runs->mapped) + 1][measured + 1]
                              : "too few runs to tell a difference from chance: use --repeat 6 or more";
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
    return arena_printf(arena,
                        "%u run%s of each, in turn; measured times are the launcher's, start-up included\n%s%s\n",
                        runs->n, text_plural(runs->n), table_text(table, color), verdict(runs, &saved));
}

/* ---- JSON ---- */

/* Prediction and measurement of the default, of the mapping, or of their difference. */
typedef struct SideView {
    double predicted_s;
    Middle measured;
    const double *times_s;
    uint32_t n;
    const char *mapper;
} SideView;

typedef struct RunsView {
    const char *verdict;
    uint32_t repeats;
    SideView as_given, mapped, saved;
} RunsView;

static const FieldList side_fields = FIELDS(
    SideView, FIELD(SideView, predicted_s, "what was predicted"),
    FIELD_AS(SideView, measured.median_s, "median_s", "median of what was measured"),
    FIELD_AS(SideView, measured.low_s, "low_s", "lower end of its 95 % interval; with less than six runs the least"),
    FIELD_AS(SideView, measured.high_s, "high_s", "upper end of that interval; with less than six runs the largest"),
    FIELD_LIST(SideView, times_s, n, "times_s", "launcher's times, from its start to its end", .flags = FIELD_ABSENT),
    FIELD(SideView, mapper, "of the mapping", .flags = FIELD_ABSENT));

const FieldList placement_runs_fields =
    FIELDS(RunsView, FIELD(RunsView, repeats, "runs of each"),
           FIELD_AS(RunsView, saved.measured.is_interval, "is_95_percent_interval",
                    "false: with less than six runs, `low_s` and `high_s` are the extremes"),
           FIELD(RunsView, as_given, "the default", .of = &side_fields),
           FIELD(RunsView, mapped, "the mapping", .of = &side_fields),
           FIELD(RunsView, saved, "as given minus mapped, run by run", .of = &side_fields),
           FIELD(RunsView, verdict, "one sentence"));

json_t *placement_runs_json(const PlacementRuns *runs)
{
    Arena *arena = arena_new();
    Middle usual = middle_of(runs->usual_s, runs->n, arena), mapped = middle_of(runs->mapped_s, runs->n, arena);
    Middle saved = saved_of(runs, arena);
    const RunsView view = {
        .repeats = runs->n,
        .as_given = {runs->usual->completion_s, usual, runs->usual_s, runs->n, NULL},
        .mapped = {runs->mapped->completion_s, mapped, runs->mapped_s, runs->n, runs->mapped->mapper},
        .saved = {.predicted_s = predicted_saving_s(runs), .measured = saved},
        .verdict = verdict(runs, &saved)};
    json_t *json = fields_to_json(&placement_runs_fields, &view, 0);
    arena_free(arena);
    return json;
}

static void add_order(Text *text, const LaunchOrder *order, Arena *arena)
{
    text_add(text, "%-10s%s\n", "Cray",
             order->cray_line ? order->cray_line : "(nodes hold different numbers of ranks)");
    text_add(text, "%-10sline r of %s, counted from 0, names the task of the launcher's rank r on %s\n", "program",
             text_as_line(order->file, arena), order->counts);
    if (order->line)
        text_add(text, "%-10s%s\n", "", order->line);
}

const char *launch_files_describe(const LaunchFiles *files, Arena *arena)
{
    Text text = {0};
    for (int i = 0; i < N_LAUNCHERS; i++) {
        const LaunchWay *way = &files->ways[i];
        text_add(&text, "%-10s%s%s\n", way->launcher, way->line,
                 way->binds ? "" : "   # only nodes: the processors' numbers aren't known");
        if (way->newer_line)
            text_add(&text, "%-10s%s   # from version 5 on\n", "", way->newer_line);
        if (i == LAUNCHER_OPENMPI)
            text_add(&text, "%-10s%s\n", "", way->same ? way->same : "(none of its --map-by policies places ranks so)");
    }
    add_order(&text, &files->order, arena);
    return text_take(&text, arena);
}

const FieldList launch_way_fields =
    FIELDS(LaunchWay, FIELD(LaunchWay, launcher, "`Open MPI` …"), FIELD(LaunchWay, file, "what the launcher reads"),
           FIELD_AS(LaunchWay, line, "command", "for a shell; `./app` stands for the program"),
           FIELD_AS(LaunchWay, newer_line, "newer_command", "that of Open MPI 5 and later", .flags = FIELD_ABSENT),
           FIELD_AS(LaunchWay, same, "same_command", "of Open MPI, if one of its `--map-by` policies places ranks so",
                    .flags = FIELD_ABSENT),
           FIELD(LaunchWay, binds, "false: processors' numbers aren't known, so the launcher is told only the nodes"));

const FieldList launch_order_fields =
    FIELDS(LaunchOrder, FIELD(LaunchOrder, file, "line r names the task of the launcher's rank r, both counted from 0"),
           FIELD(LaunchOrder, counts, "the numbers of ranks on each node that fit the file, such as `a:2,b:1`"),
           FIELD_AS(LaunchOrder, line, "command",
                    "of Open MPI, if its default order places ranks so, with `--map-by core`", .flags = FIELD_ABSENT),
           FIELD(LaunchOrder, cray_file, "the same tasks for Cray's MPI library"),
           FIELD_AS(LaunchOrder, cray_line, "cray_command", "if all nodes have the same number of ranks",
                    .flags = FIELD_ABSENT));

json_t *launch_order_json(const LaunchFiles *files)
{
    return fields_to_json(&launch_order_fields, &files->order, 0);
}

json_t *launch_files_json(const LaunchFiles *files)
{
    return fields_to_json_array(&launch_way_fields, files->ways, N_LAUNCHERS, 0);
}
