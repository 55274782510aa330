/* SPDX-License-Identifier: BSD-3-Clause */
/* Costs from source: predicted intervals, and runs of the tasks. */
#include "verbs/report/page.h"

#include "report/chart.h"
#include "report/format.h"
#include <string.h>

/* Predicted intervals and measured times, each over a number of workers. */
typedef struct Times {
    size_t n_predicted, n_runs;
    double *workers, *low_s, *high_s, *middle_s; /* [n_predicted] */
    double *run_workers, *run_s;                 /* [n_runs] */
} Times;

static Times times_new(size_t most_predicted, size_t most_runs, Arena *arena)
{
    return (Times){.workers = arena_new_array(arena, double, most_predicted),
                   .low_s = arena_new_array(arena, double, most_predicted),
                   .high_s = arena_new_array(arena, double, most_predicted),
                   .middle_s = arena_new_array(arena, double, most_predicted),
                   .run_workers = arena_new_array(arena, double, most_runs),
                   .run_s = arena_new_array(arena, double, most_runs)};
}

static void add_interval(Times *times, double workers, const json_t *interval)
{
    size_t i = times->n_predicted++;
    times->workers[i] = workers;
    times->low_s[i] = json_number_value(json_array_get(interval, 0));
    times->high_s[i] = json_number_value(json_array_get(interval, 1));
    times->middle_s[i] = (times->low_s[i] + times->high_s[i]) / 2;
}

static void add_run(Times *times, double workers, double time_s)
{
    times->run_workers[times->n_runs] = workers;
    times->run_s[times->n_runs++] = time_s;
}

/* An interval for each number of workers, over measured runs. */
static void draw_times(Page *page, const Times *times)
{
    Curve curves[2];
    size_t n = 0;
    if (times->n_predicted)
        curves[n++] = (Curve){.name = "predicted: least to most, and their middle",
                              .n = times->n_predicted,
                              .x = times->workers,
                              .y = times->middle_s,
                              .low = times->low_s,
                              .high = times->high_s,
                              .is_points = true};
    if (times->n_runs)
        curves[n++] = (Curve){.name = "measured",
                              .n = times->n_runs,
                              .x = times->run_workers,
                              .y = times->run_s,
                              .is_points = true,
                              .colour = 1};
    svg_chart(&page->text,
              (Chart){.title = "time over workers",
                      .height = 280,
                      .x = {.is_whole = true, .format = format_plain, .title = "workers"},
                      .y = {.format = format_seconds, .title = "time"},
                      .n_curves = n,
                      .curves = curves},
              page->arena);
}

/* ---- predictions ---- */

/* Runs of `firma cost run`, or those that the prediction was compared with. */
static void draw_predictions(Page *page, const json_t *predictions)
{
    const json_t *runs = json_object_get(json_object_get(page->documents, "runs"), "runs"), *prediction, *run;
    size_t n_runs = json_array_size(runs), i, k;
    json_array_foreach(predictions, i, prediction) n_runs += json_array_size(json_object_get(prediction, "measured"));
    Times times = times_new(json_array_size(predictions), n_runs, page->arena);
    json_array_foreach(predictions, i, prediction)
    {
        double workers = data_real(prediction, "workers");
        add_interval(&times, workers, json_object_get(prediction, "time_s"));
        json_array_foreach(json_object_get(prediction, "measured"), k, run)
            add_run(&times, workers, data_real(run, "time_s"));
    }
    bool has_own = times.n_runs;
    if (!has_own)
        json_array_foreach(runs, k, run) add_run(&times, data_real(run, "workers"), data_real(run, "time_s"));
    draw_times(page, &times);
}

void section_cost(Page *page, const json_t *cost)
{
    Arena *arena = page->arena;
    const json_t *predictions = json_object_get(cost, "predictions"), *prediction;
    size_t i;
    Table *table = table_new(arena);
    html_element(&page->text, "p",
                 arena_printf(arena, "%s%s%s", data_text(cost, "application", arena),
                              json_is_true(json_object_get(cost, "calibrated")) ? ", calibrated by measured runs" : "",
                              json_is_false(json_object_get(cost, "messages")) ? ", without messages" : ""),
                 arena);
    draw_predictions(page, predictions);
    table_columns(table, ">workers|machines|>least|>most|limited by");
    json_array_foreach(predictions, i, prediction)
    {
        const json_t *time = json_object_get(prediction, "time_s");
        table_cells(table, "%zu|%s|%s|%s|%s", data_count(prediction, "workers"),
                    data_text(prediction, "machines", arena),
                    format_seconds(arena, json_number_value(json_array_get(time, 0))),
                    format_seconds(arena, json_number_value(json_array_get(time, 1))),
                    data_text(prediction, "bottleneck", arena));
    }
    html_details(&page->text, "as a table", table);
}

/* ---- runs ---- */

/* Runs of one choice of machines follow one another. */
static bool is_same_choice(const json_t *one, const json_t *other, Arena *arena)
{
    return data_count(one, "workers") == data_count(other, "workers") &&
           strcmp(data_text(one, "machines", arena), data_text(other, "machines", arena)) == 0;
}

static void draw_runs(Page *page, const json_t *runs)
{
    const json_t *run;
    size_t i;
    Times times = times_new(json_array_size(runs), json_array_size(runs), page->arena);
    json_array_foreach(runs, i, run)
    {
        const json_t *predicted = json_object_get(run, "predicted_s");
        add_run(&times, data_real(run, "workers"), data_real(run, "time_s"));
        if (predicted && (!i || !is_same_choice(json_array_get(runs, i - 1), run, page->arena)))
            add_interval(&times, data_real(run, "workers"), predicted);
    }
    draw_times(page, &times);
}

void section_runs(Page *page, const json_t *document)
{
    Arena *arena = page->arena;
    const json_t *runs = json_object_get(document, "runs"), *run;
    size_t i;
    Table *table = table_new(arena);
    html_element(&page->text, "p",
                 arena_printf(arena, "%s, with %s", data_text(document, "application", arena),
                              data_text(document, "library", arena)),
                 arena);
    draw_runs(page, runs);
    table_columns(table, ">workers|>time|>predicted, least|>most|machines");
    json_array_foreach(runs, i, run)
    {
        const json_t *predicted = json_object_get(run, "predicted_s");
        const json_t *least = json_array_get(predicted, 0), *most = json_array_get(predicted, 1);
        table_cells(table, "%zu|%s|%s|%s|%s", data_count(run, "workers"),
                    format_seconds(arena, data_real(run, "time_s")),
                    predicted ? format_seconds(arena, json_number_value(least)) : "",
                    predicted ? format_seconds(arena, json_number_value(most)) : "", data_text(run, "machines", arena));
    }
    html_details(&page->text, "as a table", table);
}
