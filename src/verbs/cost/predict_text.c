/* SPDX-License-Identifier: BSD-3-Clause */
/* See predict_views.h: text. One choice of machines is shown in full, several in a table. */
#include "verbs/cost/predict_views.h"

#include "base/text.h"
#include "report/format.h"
#include "report/table.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define SHORT_EXPRESSIONS 1000 /* longer expressions need --expressions */
#define NOTE_COLUMNS 60

double cost_half_width(Interval interval)
{
    double sum = interval.low + interval.high;
    return sum > 0 ? (interval.high - interval.low) / sum : 0;
}

bool cost_is_inside(const CostPrediction *prediction, const TaskRun *run)
{
    return prediction->time_s.low <= run->time_s && run->time_s <= prediction->time_s.high;
}

static const char *span(Arena *arena, Interval interval)
{
    const char *low = format_seconds(arena, interval.low), *high = format_seconds(arena, interval.high);
    return strcmp(low, high) == 0 ? low : arena_printf(arena, "%s … %s", low, high);
}

/* Times in units of time, other numbers as they are. */
static const char *value_text(Arena *arena, const PredictionNumber *number)
{
    bool is_time = strchr(number->name, '[') && strncmp(number->name, "beta", 4) != 0;
    if (is_time)
        return span(arena, number->value);
    if (number->value.low == number->value.high)
        return arena_printf(arena, "%.12g", number->value.low);
    return arena_printf(arena, "%.4g … %.4g", number->value.low, number->value.high);
}

static void add_bounds(Text *text, const CostPrediction *prediction, bool color, Arena *arena)
{
    const CostStage *whole = &prediction->expressions->whole;
    Table *table = table_new(arena);
    table_columns(table, "|what|time");
    table_cells(table, "T0|without contention|%s", span(arena, prediction->without_contention_s));
    for (size_t i = 0; i < whole->n_resources; i++) {
        table_cells(table, "T%zu|%s|%s", i + 1, whole->resources[i].name, span(arena, prediction->resource_s[i]));
    }
    table_cells(table, "T|the largest of them|%s", span(arena, prediction->paper_s));
    text_add(text, "\n%s", table_text(table, color));
}

static void add_stages(Text *text, const CostPrediction *prediction, bool color, Arena *arena)
{
    const CostExpressions *expressions = prediction->expressions;
    Table *table = table_new(arena);
    if (expressions->n_stages < 2)
        return;
    table_columns(table, "stage|time");
    for (size_t i = 0; i < expressions->n_stages; i++) {
        const char *name = expressions->stages[i].name;
        table_cells(table, "%s|%s", name ? name : arena_printf(arena, "part %zu", i + 1),
                    span(arena, prediction->stage_s[i]));
    }
    table_cells(table, "all|%s", span(arena, prediction->time_s));
    text_add(text, "\n%s", table_text(table, color));
}

static void add_tasks(Text *text, const CostReport *report, const CostPrediction *prediction)
{
    if (prediction->is_dynamic)
        text_add(text, "\nA free worker gets the next task. With costs in the middle of their intervals:\n");
    for (size_t i = 0; i < prediction->n_batches; i++) {
        const uint64_t *counts = prediction->counts[i];
        text_add(text, "\n%s: ", report->batches[i]);
        for (uint64_t first = 0, end; first < prediction->n_workers; first = end) {
            for (end = first + 1; end < prediction->n_workers && counts[end] == counts[first];)
                end++;
            text_add(text, "%s%" PRIu64 " task%s on worker%s %" PRIu64, first ? ", " : "", counts[first],
                     counts[first] == 1 ? "" : "s", end - first > 1 ? "s" : "", first + 1);
            if (end - first > 1)
                text_add(text, "–%" PRIu64 " each", end);
        }
    }
    if (prediction->n_batches)
        text_add(text, "\n");
}

static void add_numbers(Text *text, const CostPrediction *prediction, bool color, Arena *arena)
{
    Table *table = table_new(arena);
    table_columns(table, "number|>value|from|");
    for (size_t i = 0; i < prediction->n_numbers; i++) {
        const PredictionNumber *number = &prediction->numbers[i];
        size_t length = strcspn(number->note, "\n");
        table_cells(table, "%s|%s|%s|%.*s%s", number->name, value_text(arena, number),
                    number_origin_names[number->origin], (int)(length < NOTE_COLUMNS ? length : NOTE_COLUMNS),
                    number->note, length > NOTE_COLUMNS ? "…" : "");
    }
    if (prediction->n_numbers)
        text_add(text, "\n%s", table_text(table, color));
}

static void add_expressions(Text *text, const CostReport *report, const CostPrediction *prediction, Arena *arena)
{
    const CostStage *whole = &prediction->expressions->whole;
    Text lines = {0};
    text_add(&lines, "T0 = %s\n", expr_text(whole->without_contention, arena));
    for (size_t i = 0; i < whole->n_resources; i++)
        text_add(&lines, "T%zu = %s\n", i + 1, expr_text(whole->resources[i].load, arena));
    text_add(&lines, "T = max(T0");
    for (size_t i = 0; i < whole->n_resources; i++)
        text_add(&lines, ", T%zu", i + 1);
    text_add(&lines, ")\n");
    if (prediction->expressions->n_stages > 1)
        text_add(&lines, "%s = %s\n", prediction->is_bounded ? "lower bound" : "predicted",
                 expr_text(prediction->expressions->time, arena));
    bool is_short = lines.bytes.count <= SHORT_EXPRESSIONS;
    const char *all = text_take(&lines, arena);
    if (report->with_expressions || is_short)
        text_add(text, "\n%s", all);
    else
        text_add(text, "\nThe expressions are long: --expressions prints them.\n");
}

static unsigned count_assumed(const CostPrediction *prediction)
{
    unsigned n = 0;
    for (size_t i = 0; i < prediction->n_numbers; i++)
        n += prediction->numbers[i].origin == NUMBER_ASSUMED;
    return n;
}

/* Of all choices of machines. */
static void add_sharing(Text *text, const CostReport *report)
{
    double most = 0;
    for (size_t i = 0; i < report->n_predictions; i++)
        most = fmax(most, report->predictions[i]->workers_a_processor);
    if (most > 1)
        text_add(text, "Up to %.3g workers share a processor. %s.\n", most,
                 report->n_batches
                     ? "They are taken to progress equally, and to cost each other nothing"
                     : "The time is a lower bound: how they share it isn't followed in a model written by hand");
}

static void add_remarks(Text *text, const CostReport *report, const CostPrediction *prediction)
{
    unsigned n_assumed = count_assumed(prediction);
    text_add(text, "\n");
    if (prediction->is_calibrated)
        text_add(
            text,
            "Calibrated: a short run gives the scale of these times, and the model extends it to these parameters.\n");
    else if (prediction->has_context)
        text_add(text, "Not calibrated: operations cost what they do in kernels that are compiled in the same way%s.\n",
                 prediction->has_single ? ", some what they cost one by one" : "");
    else
        text_add(text,
                 "Not calibrated: operations cost what they do one by one, which compiled code hardly does.\n"
                 "`firma machine cpu` measures them in code that is compiled like this one (C: --compiler-options).\n");
    if (prediction->is_dynamic)
        text_add(text, "T is a lower bound. The predicted time is that of a run, task by task, with these costs.\n");
    else if (prediction->is_bounded)
        text_add(text, "T is a lower bound. The predicted time is longer if workers have differently much to do.\n");
    add_sharing(text, report);
    if (report->without_messages)
        text_add(text, "Messages are left out.\n");
    if (n_assumed)
        text_add(
            text,
            "%u number%s assumed, since no value was given; an unknown Q is taken as 1/2. --set NAME=VALUE gives %s.\n",
            n_assumed, n_assumed == 1 ? " is" : "s are", n_assumed == 1 ? "it" : "values");
    if (n_assumed && report->n_batches)
        text_add(text, "`firma cost run --count` counts them in a run of tasks in C, which narrows intervals.\n");
    if (prediction->is_approximated)
        text_add(text, "A sum has too many terms to be added up exactly, so its interval is wider than necessary.\n");
}

static void add_runs(Text *text, const CostReport *report, const CostPrediction *prediction, Arena *arena)
{
    for (size_t i = 0; i < report->runs.count; i++) {
        const TaskRun *run = &report->runs.items[i];
        if (run->n_workers == prediction->n_workers)
            text_add(text, "measured: %s, %s the interval\n", format_seconds(arena, run->time_s),
                     cost_is_inside(prediction, run)        ? "inside"
                     : run->time_s < prediction->time_s.low ? "below"
                                                            : "above");
    }
}

/* A line for each earlier prediction. */
static void add_beside(Text *text, const CostReport *report, const CostPrediction *prediction, Arena *arena)
{
    for (uint32_t i = 0; i < report->beside.count; i++) {
        const BesidePrediction *other = &report->beside.items[i];
        const Interval *time_s = beside_time_s(other, prediction->machines, prediction->n_workers);
        text_add(text, "beside, %s: %s\n", text_as_line(other->name, arena),
                 time_s ? span(arena, *time_s) : "not predicted on these machines");
    }
}

static const char *bottleneck_text(const CostPrediction *prediction)
{
    return prediction->bottleneck   ? prediction->bottleneck
           : prediction->is_dynamic ? "the longest task"
                                    : "the longest worker";
}

static const char *one_choice(const CostReport *report, bool color, Arena *arena)
{
    const CostPrediction *prediction = report->predictions[0];
    Text text = {0};
    text_add(&text, "%s on %s: %s (± %s)\n", text_as_line(report->name, arena),
             text_as_line(prediction->machines, arena), span(arena, prediction->time_s),
             format_percent(arena, cost_half_width(prediction->time_s)));
    text_add(&text, "Limited by: %s\n",
             prediction->bottleneck || prediction->is_dynamic ? bottleneck_text(prediction)
                                                              : "the longest worker's own work, no contention");
    add_runs(&text, report, prediction, arena);
    add_beside(&text, report, prediction, arena);
    add_tasks(&text, report, prediction);
    add_bounds(&text, prediction, color, arena);
    add_stages(&text, prediction, color, arena);
    add_expressions(&text, report, prediction, arena);
    add_numbers(&text, prediction, color, arena);
    add_remarks(&text, report, prediction);
    return text_take(&text, arena);
}

/* "12.1 s 12.4 s (2 of 2 inside)" */
static const char *runs_cell(const CostReport *report, const CostPrediction *prediction, Arena *arena)
{
    Text text = {0};
    unsigned n = 0, inside = 0;
    for (size_t i = 0; i < report->runs.count; i++) {
        const TaskRun *run = &report->runs.items[i];
        if (run->n_workers != prediction->n_workers)
            continue;
        text_add(&text, "%s, ", format_seconds(arena, run->time_s));
        inside += cost_is_inside(prediction, run);
        n++;
    }
    text_add(&text, n ? "%u of %u inside" : "–", inside, n);
    return text_take(&text, arena);
}

static const char *several_choices(const CostReport *report, bool color, Arena *arena)
{
    Table *table = table_new(arena);
    Text text = {0};
    const double first = report->predictions[0]->time_s.low + report->predictions[0]->time_s.high;
    table_columns(table, ">workers|machines|predicted|>±|>speedup|limited by");
    if (report->runs.count)
        table_column(table, "measured", TABLE_LEFT);
    for (uint32_t k = 0; k < report->beside.count; k++)
        table_column(table, report->beside.items[k].name, TABLE_LEFT);
    for (size_t i = 0; i < report->n_predictions; i++) {
        const CostPrediction *prediction = report->predictions[i];
        double sum = prediction->time_s.low + prediction->time_s.high;
        table_cells(table, "%" PRIu64 "|%s|%s|%s|%.2f|%s", prediction->n_workers, prediction->machines,
                    span(arena, prediction->time_s), format_percent(arena, cost_half_width(prediction->time_s)),
                    sum > 0 ? first / sum : 1.0, bottleneck_text(prediction));
        if (report->runs.count)
            table_cells(table, "%s", runs_cell(report, prediction, arena));
        for (uint32_t k = 0; k < report->beside.count; k++) {
            const Interval *time_s =
                beside_time_s(&report->beside.items[k], prediction->machines, prediction->n_workers);
            table_cells(table, "%s", time_s ? span(arena, *time_s) : "–");
        }
    }
    text_add(&text, "%s\n\n%s", text_as_line(report->name, arena), table_text(table, color));
    add_numbers(&text, report->predictions[0], color, arena);
    add_remarks(&text, report, report->predictions[0]);
    return text_take(&text, arena);
}

const char *cost_text(const CostReport *report, bool color, Arena *arena)
{
    return report->n_predictions == 1 ? one_choice(report, color, arena) : several_choices(report, color, arena);
}
