/* SPDX-License-Identifier: BSD-3-Clause */
/* See run_text.h. */
#include "verbs/cost/run_text.h"

#include "verbs/cost/cost.h"

#include "base/text.h"
#include "cost/predict/measured.h"
#include "model/task_runs.h"
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

/* The share of a run in which its busiest worker computes no task. */
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
    table_columns(table, ">workers|>runs|>median|all|>outside tasks");
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
    table_columns(table, ">workers|batch|>tasks|>a task|all|>sum of values");
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
    text_add(&text, "%s, measured with %s%s\n\n", report->application->name, report->library,
             report->is_dynamic ? "; a free worker gets the next task" : "");
    add_runs(&text, report, color, arena);
    add_batches(&text, report, color, arena);
    return text_take(&text, arena);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------ */

typedef struct BatchRow {
    const char *name;
    const RunBatchTimes *times;
} BatchRow;

typedef struct RunRow {
    uint64_t n_workers;
    double time_s;
    const char *machines;
    const CostRunChoice *predicted; /* NULL: there is no prediction */
    const RunWorkerTimes *workers;
    const BatchRow *batches;
    size_t n_batches;
} RunRow;

typedef struct RunsDocument {
    const char *application, *library, *allocation;
    const RunRow *runs;
    size_t n_runs;
} RunsDocument;

static const FieldList worker_fields = FIELDS(RunWorkerTimes, FIELD(RunWorkerTimes, host, "where it ran"),
                                              FIELD(RunWorkerTimes, end_s, "when its last result arrived"),
                                              FIELD(RunWorkerTimes, busy_s, "the sum of its tasks' times"));

static const FieldList times_fields =
    FIELDS(RunBatchTimes, FIELD(RunBatchTimes, begin_s, "when the batch began"),
           FIELD(RunBatchTimes, end_s, "when it had ended"),
           FIELD_LIST(RunBatchTimes, numbers, n_tasks, "tasks", "numbers of its tasks"),
           FIELD_SAME(RunBatchTimes, worker, n_tasks, "worker", "which worker had each, from 1"),
           FIELD_SAME(RunBatchTimes, task_s, n_tasks, "task_s", "what each took"),
           FIELD_SAME(RunBatchTimes, value, n_tasks, "value", "what each returned; null: no number"));

static const FieldList batch_fields =
    FIELDS(BatchRow, FIELD(BatchRow, name, "as in the flow file"), FIELD_INLINE_POINTED(BatchRow, times, times_fields));

static const FieldList predicted_fields =
    FIELDS(CostRunChoice, FIELD_REALS(CostRunChoice, predicted_s, "predicted_s", "[least, most]; with a machine model"),
           FIELD(CostRunChoice, is_calibrated, "whether measured runs scaled that prediction; with a machine model"));

static const FieldList run_fields =
    FIELDS(RunRow, FIELD_AS(RunRow, n_workers, "workers", "how many"),
           FIELD(RunRow, time_s, "from the master's first message to the last one that it receives"),
           FIELD(RunRow, machines, "`old:3,fast:2`; with a machine model", .flags = FIELD_ABSENT),
           FIELD_INLINE_POINTED(RunRow, predicted, predicted_fields),
           FIELD_SAME(RunRow, workers, n_workers, "each_worker", "times since the run began", .of = &worker_fields),
           FIELD_LIST(RunRow, batches, n_batches, "batches", "times since the run began", .of = &batch_fields));

static const FieldList runs_fields = FIELDS(
    RunsDocument, FIELD(RunsDocument, application, "its name"), FIELD(RunsDocument, library, "MPI and its version"),
    FIELD(RunsDocument, allocation, "how workers get their tasks: `static` or `dynamic`"),
    FIELD_LIST(RunsDocument, runs, n_runs, "runs", "one by one", .of = &run_fields));

const Document task_runs_document = {.format = TASK_RUNS_FORMAT, .version = TASK_RUNS_VERSION, .fields = &runs_fields};

static RunRow run_row(const CostRunsReport *report, const CostRunChoice *choice, const RunTimes *run, Arena *arena)
{
    size_t n = report->application->n_batches;
    BatchRow *batches = arena_new_array(arena, BatchRow, n);
    for (size_t i = 0; i < n; i++)
        batches[i] = (BatchRow){report->application->batches[i].name, &run->batches[i]};
    return (RunRow){.n_workers = choice->n_workers,
                    .time_s = run->time_s,
                    .machines = choice->machines,
                    .predicted = choice->is_predicted ? choice : NULL,
                    .workers = run->workers,
                    .batches = batches,
                    .n_batches = n};
}

json_t *cost_runs_json(const CostRunsReport *report, Arena *arena)
{
    RunsDocument document = {.application = report->application->name,
                             .library = report->library,
                             .allocation = cost_allocations[report->is_dynamic]};
    for (size_t i = 0; i < report->n_choices; i++)
        document.n_runs += report->choices[i].n_runs;
    RunRow *runs = arena_new_array(arena, RunRow, document.n_runs), *row = runs;
    for (size_t i = 0; i < report->n_choices; i++)
        for (size_t k = 0; k < report->choices[i].n_runs; k++)
            *row++ = run_row(report, &report->choices[i], &report->choices[i].runs[k], arena);
    document.runs = runs;
    return document_to_json(&task_runs_document, &document);
}
