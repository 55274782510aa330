/* SPDX-License-Identifier: BSD-3-Clause */
/* See cost_runs.h. */
#include "verbs/cost/run_text.h"

#include "base/json.h"
#include "base/text.h"
#include "cost/predict/measured.h"
#include "report/format.h"
#include "report/table.h"
#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *span(Interval interval, Arena *arena)
{
    const char *low = format_seconds(arena, interval.low), *high = format_seconds(arena, interval.high);
    return strcmp(low, high) == 0 ? low : arena_printf(arena, "%s … %s", low, high);
}

static double *times_of(const CostRunChoice *choice, Arena *arena)
{
    double *times_s = arena_new_array(arena, double, choice->n_runs);
    for (size_t i = 0; i < choice->n_runs; i++)
        times_s[i] = choice->runs[i].time_s;
    gsl_sort(times_s, 1, choice->n_runs);
    return times_s;
}

/* Of a run, what its busiest worker didn't spend in tasks. */
static double share_beside_tasks(const CostRunChoice *choice)
{
    double sum_s = 0, beside_s = 0;
    for (size_t i = 0; i < choice->n_runs; i++) {
        const RunTimes *run = &choice->runs[i];
        double busiest_s = 0;
        for (uint64_t worker = 0; worker < choice->n_workers; worker++)
            busiest_s = fmax(busiest_s, run->workers[worker].busy_s);
        sum_s += run->time_s;
        beside_s += run->time_s - busiest_s;
    }
    return sum_s > 0 ? beside_s / sum_s : 0;
}

static size_t count_inside(const CostRunChoice *choice)
{
    size_t n = 0;
    for (size_t i = 0; i < choice->n_runs; i++)
        n += choice->predicted_s.low <= choice->runs[i].time_s && choice->runs[i].time_s <= choice->predicted_s.high;
    return n;
}

static bool has_prediction(const CostRunsReport *report)
{
    return report->n_choices && report->choices[0].is_predicted;
}

static void add_runs(Text *text, const CostRunsReport *report, bool color, Arena *arena)
{
    Table *table = table_new(arena);
    table_columns(table, ">workers|>runs|>median|all|>beside tasks");
    if (has_prediction(report)) {
        table_column(table, report->choices[0].is_calibrated ? "predicted, calibrated" : "predicted", TABLE_LEFT);
        table_columns(table, ">inside|machines");
    }
    for (size_t i = 0; i < report->n_choices; i++) {
        const CostRunChoice *choice = &report->choices[i];
        const double *times_s = times_of(choice, arena);
        table_cells(table, "%" PRIu64 "|%zu|%s|%s|%s", choice->n_workers, choice->n_runs,
                    format_seconds(arena, gsl_stats_median_from_sorted_data(times_s, 1, choice->n_runs)),
                    span((Interval){times_s[0], times_s[choice->n_runs - 1]}, arena),
                    format_percent(arena, share_beside_tasks(choice)));
        if (!has_prediction(report))
            continue;
        table_cells(table, "%s|%zu of %zu|%s", span(choice->predicted_s, arena), count_inside(choice), choice->n_runs,
                    choice->machines);
    }
    text_add(text, "%s", table_text(table, color));
}

typedef struct BatchSummary {
    Interval task_s;
    double mean_s, value; /* NAN: some task returned no number, or runs differ */
} BatchSummary;

static BatchSummary summarise(const CostRunChoice *choice, size_t batch)
{
    BatchSummary summary = {.task_s = {INFINITY, 0}};
    double sum_s = 0;
    uint64_t n = 0;
    for (size_t i = 0; i < choice->n_runs; i++) {
        const RunBatchTimes *times = &choice->runs[i].batches[batch];
        double value = 0;
        for (uint64_t k = 0; k < times->n_tasks; k++, n++) {
            summary.task_s.low = fmin(summary.task_s.low, times->task_s[k]);
            summary.task_s.high = fmax(summary.task_s.high, times->task_s[k]);
            sum_s += times->task_s[k];
            value += times->value[k];
        }
        summary.value = i == 0 || summary.value == value ? value : NAN;
    }
    summary.mean_s = n ? sum_s / (double)n : 0;
    return summary;
}

static void add_batches(Text *text, const CostRunsReport *report, bool color, Arena *arena)
{
    Table *table = table_new(arena);
    table_columns(table, ">workers|batch|>tasks|>a task|all|>sum of what they returned");
    for (size_t i = 0; i < report->n_choices; i++)
        for (size_t k = 0; k < report->application->n_batches; k++) {
            const CostRunChoice *choice = &report->choices[i];
            const BatchSummary summary = summarise(choice, k);
            table_cells(table, "%" PRIu64 "|%s|%" PRIu64 "|%s|%s|%s", choice->n_workers,
                        report->application->batches[k].name, choice->runs[0].batches[k].n_tasks,
                        format_seconds(arena, summary.mean_s),
                        choice->runs[0].batches[k].n_tasks ? span(summary.task_s, arena) : "",
                        isfinite(summary.value) ? arena_printf(arena, "%.15g", summary.value) : "");
        }
    text_add(text, "\n%s", table_text(table, color));
}

const char *cost_runs_text(const CostRunsReport *report, bool color, Arena *arena)
{
    Text text = {0};
    text_add(&text, "%s, measured with %s\n\n", report->application->name, report->library);
    add_runs(&text, report, color, arena);
    add_batches(&text, report, color, arena);
    return text_take(&text, arena);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------ */

static json_t *numbers_or_null(const double *values, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, isfinite(values[i]) ? json_real(values[i]) : json_null());
    return list;
}

static json_t *batch_json(const char *name, const RunBatchTimes *times)
{
    return json_pack("{s:o, s:f, s:f, s:o, s:o, s:o}", "name", json_from_text(name), "begin_s", times->begin_s, "end_s",
                     times->end_s, "tasks", json_from_uints(times->numbers, times->n_tasks), "task_s",
                     json_from_reals(times->task_s, times->n_tasks), "value",
                     numbers_or_null(times->value, times->n_tasks));
}

static json_t *run_json(const CostRunsReport *report, const CostRunChoice *choice, const RunTimes *run)
{
    json_t *workers = json_array(), *batches = json_array();
    for (uint64_t i = 0; i < choice->n_workers; i++)
        json_array_append_new(workers, json_pack("{s:o, s:f, s:f}", "host", json_from_text(run->workers[i].host),
                                                 "end_s", run->workers[i].end_s, "busy_s", run->workers[i].busy_s));
    for (size_t i = 0; i < report->application->n_batches; i++)
        json_array_append_new(batches, batch_json(report->application->batches[i].name, &run->batches[i]));
    json_t *object = json_pack("{s:I, s:f}", "workers", (json_int_t)choice->n_workers, "time_s", run->time_s);
    if (choice->machines)
        json_object_set_new(object, "machines", json_from_text(choice->machines));
    if (choice->is_predicted) {
        json_object_set_new(object, "predicted_s",
                            json_from_reals(&(double[]){choice->predicted_s.low, choice->predicted_s.high}[0], 2));
        json_object_set_new(object, "is_calibrated", json_boolean(choice->is_calibrated));
    }
    json_object_set_new(object, "each_worker", workers);
    json_object_set_new(object, "batches", batches);
    return object;
}

json_t *cost_runs_json(const CostRunsReport *report)
{
    json_t *runs = json_array();
    for (size_t i = 0; i < report->n_choices; i++)
        for (size_t k = 0; k < report->choices[i].n_runs; k++)
            json_array_append_new(runs, run_json(report, &report->choices[i], &report->choices[i].runs[k]));
    return json_pack("{s:s, s:i, s:o, s:o, s:o}", "format", MEASURED_FORMAT, "version", MEASURED_VERSION, "application",
                     json_from_text(report->application->name), "library", json_from_text(report->library), "runs",
                     runs);
}
