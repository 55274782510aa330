/* SPDX-License-Identifier: BSD-3-Clause */
/* Costs from source: predicted intervals, and runs of the tasks. */
#include "verbs/report/answer.h"
#include "verbs/report/page.h"
#include "verbs/report/pictures.h"

#include "report/format.h"
#include "report/svg.h"
#include <math.h>
#include <string.h>

enum { N_SERIES = SVG_COLOURS - 1 }; /* one colour is for measured times */

/* What is known of a choice of machines. Earlier predictions for the same machines follow it as further ones. */
typedef struct Choice {
    const char *name;
    size_t series; /* 0: the prediction itself; k: the k-th one beside it */
    size_t workers;
    const json_t *predicted; /* [least, most]; NULL: not predicted */
    size_t n_runs;
    const double *runs_s;
} Choice;

enum { LEFT = 190, RIGHT = SVG_WIDTH - 30, TOP = 6, LINE = 26, THICK = 12, NAME_ROOM = 26 };

static double end_s(const Choice *choice, size_t end)
{
    return data_at(choice->predicted, end);
}

static double longest_s(const Choice *choices, size_t n)
{
    double most_s = 0;
    for (size_t i = 0; i < n; i++) {
        most_s = fmax(most_s, end_s(&choices[i], 1));
        for (size_t k = 0; k < choices[i].n_runs; k++)
            most_s = fmax(most_s, choices[i].runs_s[k]);
    }
    return most_s;
}

static const char *const series_classes[N_SERIES] = {"s2", "s0", "s1", "s3"};

/* Names of what is drawn. */
typedef struct Legend {
    size_t n_series;
    const char *series[N_SERIES];
} Legend;

static const Legend one_prediction = {1, {"predicted, least to most"}};

/* Returns the y below. */
static double draw_legend(Text *body, const Legend *legend, const Choice *choices, size_t n, double y, Arena *arena)
{
    const char *classes[N_SERIES + 1], *names[N_SERIES + 1];
    size_t n_names = 0;
    bool has_predictions = false, has_runs = false;
    for (size_t i = 0; i < n; i++) {
        has_predictions |= choices[i].predicted != NULL;
        has_runs |= choices[i].n_runs > 0;
    }
    for (size_t k = 0; has_predictions && k < legend->n_series; k++) {
        classes[n_names] = series_classes[k];
        names[n_names++] = legend->series[k];
    }
    if (has_runs) {
        classes[n_names] = "s4";
        names[n_names++] = "measured";
    }
    return svg_legend(body, LEFT, y, classes, names, n_names, arena);
}

static void draw_choice(Text *body, const Choice *choice, const Axis *axis, double y, Arena *arena)
{
    enum { MARK = 5 };
    svg_label(body, LEFT - 8, y + 16, "e", format_name(arena, choice->name, NAME_ROOM), arena);
    if (choice->predicted)
        svg_box(body, axis_at(axis, end_s(choice, 0)), y + 6,
                fmax(1, axis_at(axis, end_s(choice, 1)) - axis_at(axis, end_s(choice, 0))), THICK,
                series_classes[choice->series],
                arena_printf(arena, "%s: %s to %s", choice->name, format_seconds(arena, end_s(choice, 0)),
                             format_seconds(arena, end_s(choice, 1))),
                arena);
    for (size_t k = 0; k < choice->n_runs; k++)
        svg_box(body, axis_at(axis, choice->runs_s[k]) - MARK / 2.0, y + 3, MARK, THICK + 6, "s4",
                arena_printf(arena, "measured: %s", format_seconds(arena, choice->runs_s[k])), arena);
}

/* The predicted interval of each choice, with the measured times on it. Returns the height; 0: nothing is drawn. */
static double draw_choices(Text *body, const Legend *legend, const Choice *choices, size_t n, double top, Arena *arena)
{
    Axis axis = {.most = longest_s(choices, n), .from = LEFT, .to = RIGHT, .format = format_seconds, .title = "time"};
    double below = top + TOP + LINE * (double)n;
    if (!(axis.most > 0))
        return 0;
    axis_round(&axis);
    svg_axis_below(body, &axis, below, top + TOP, arena);
    for (size_t i = 0; i < n; i++)
        draw_choice(body, &choices[i], &axis, top + TOP + LINE * (double)i, arena);
    return draw_legend(body, legend, choices, n, below + 44, arena);
}

static void draw_page(Page *page, const Legend *legend, const Choice *choices, size_t n)
{
    Text body = {0};
    double height = draw_choices(&body, legend, choices, n, 0, page->arena);
    if (height > 0)
        svg_insert(&page->text, &body, height, "predicted and measured times", page->arena);
}

/* ---- predictions ---- */

static const char *choice_name(const json_t *of, Arena *arena)
{
    const char *machines = data_text(of, "machines", arena);
    size_t workers = data_count(of, "workers");
    return *machines ? machines : arena_printf(arena, "%zu worker%s", workers, text_plural(workers));
}

/* Runs of `firma cost run` with as many workers. */
static void add_runs(Choice *choice, const json_t *runs, Arena *arena)
{
    double *runs_s = arena_new_array(arena, double, json_array_size(runs));
    const json_t *run;
    size_t i;
    json_array_foreach(runs, i, run)
        if (data_count(run, "workers") == choice->workers)
            runs_s[choice->n_runs++] = data_real(run, "time_s");
    choice->runs_s = runs_s;
}

/* Several predictions have the applications' names if these differ, and else their files'. */
static Legend legend_of(const json_t *cost, Arena *arena)
{
    const json_t *beside = json_object_get(cost, "beside"), *other;
    Legend legend = one_prediction;
    bool is_same = false;
    size_t k;
    if (!json_array_size(beside))
        return legend;
    legend.series[0] = data_text(cost, "application", arena);
    json_array_foreach(beside, k, other) {
        if (legend.n_series == N_SERIES)
            break;
        const char *name = data_text(other, "application", arena);
        for (size_t i = 0; i < legend.n_series; i++)
            is_same |= strcmp(name, legend.series[i]) == 0;
        legend.series[legend.n_series++] = name;
    }
    for (size_t i = 1; is_same && i < legend.n_series; i++)
        legend.series[i] = data_text(json_array_get(beside, i - 1), "name", arena);
    return legend;
}

static const json_t *time_on(const json_t *predictions, const json_t *machines, const json_t *workers)
{
    const json_t *prediction;
    size_t i;
    json_array_foreach(predictions, i, prediction)
        if (json_equal(json_object_get(prediction, "machines"), machines) &&
            json_equal(json_object_get(prediction, "workers"), workers))
            return json_object_get(prediction, "time_s");
    return NULL;
}

/* Sets *n. With the runs that the prediction was compared with, or others. */
static const Choice *predicted_choices(const json_t *cost, const json_t *other_runs, size_t *n, Arena *arena)
{
    const json_t *predictions = json_object_get(cost, "predictions"), *prediction;
    const json_t *beside = json_object_get(cost, "beside"), *other;
    Choice *choices = arena_new_array(arena, Choice, N_SERIES * json_array_size(predictions));
    size_t i, k;
    *n = 0;
    json_array_foreach(predictions, i, prediction) {
        const json_t *measured = json_object_get(prediction, "measured");
        Choice *choice = &choices[(*n)++];
        *choice = (Choice){.name = choice_name(prediction, arena),
                           .workers = data_count(prediction, "workers"),
                           .predicted = json_object_get(prediction, "time_s"),
                           .n_runs = json_array_size(measured),
                           .runs_s = data_column(measured, "time_s", arena)};
        if (!choice->n_runs)
            add_runs(choice, other_runs, arena);
        json_array_foreach(beside, k, other)
            if (k + 1 < N_SERIES)
                choices[(*n)++] = (Choice){.name = "",
                                           .series = k + 1,
                                           .predicted = time_on(json_object_get(other, "predictions"),
                                                                json_object_get(prediction, "machines"),
                                                                json_object_get(prediction, "workers"))};
    }
    return choices;
}

const char *costs_file(const json_t *cost, Arena *arena)
{
    Text body = {0};
    size_t n;
    const Legend legend = legend_of(cost, arena);
    const Choice *choices = predicted_choices(cost, NULL, &n, arena);
    double top = svg_heading(&body, arena_printf(arena, "Predicted times of %s", data_text(cost, "application", arena)),
                             NULL, arena);
    double height = draw_choices(&body, &legend, choices, n, top, arena);
    const char *file = svg_file(&body, SVG_WIDTH, fmax(height, top), "predicted and measured times", arena);
    return height > 0 ? file : NULL;
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
    const json_t *runs = json_object_get(json_object_get(page->documents, "runs"), "runs");
    const Legend legend = legend_of(cost, arena);
    size_t n_choices;
    const Choice *choices = predicted_choices(cost, runs, &n_choices, arena);
    draw_page(page, &legend, choices, n_choices);
    table_columns(table, ">workers|machines|>least|>most|limited by");
    json_array_foreach(predictions, i, prediction) {
        table_cells(table, "%zu|%s|%s|%s|%s", data_count(prediction, "workers"),
                    data_text(prediction, "machines", arena), format_seconds(arena, data_end(prediction, "time_s", 0)),
                    format_seconds(arena, data_end(prediction, "time_s", 1)),
                    data_text(prediction, "bottleneck", arena));
    }
    html_details(&page->text, "as a table", table);
}

/* ---- runs ---- */

/* Runs of one choice follow one another. */
static void draw_runs(Page *page, const json_t *runs)
{
    const double *times_s = data_column(runs, "time_s", page->arena);
    size_t n = json_array_size(runs), n_choices = 0;
    Choice *choices = arena_new_array(page->arena, Choice, n);
    for (size_t from = 0, to; from < n; from = to) {
        const json_t *first = json_array_get(runs, from);
        for (to = from + 1; to < n && data_are_alike(first, json_array_get(runs, to), page->arena);)
            to++;
        choices[n_choices++] = (Choice){.name = choice_name(first, page->arena),
                                        .predicted = json_object_get(first, "predicted_s"),
                                        .n_runs = to - from,
                                        .runs_s = times_s + from};
    }
    draw_page(page, &one_prediction, choices, n_choices);
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
    json_array_foreach(runs, i, run) {
        const json_t *predicted = json_object_get(run, "predicted_s");
        table_cells(table, "%zu|%s|%s|%s|%s", data_count(run, "workers"),
                    format_seconds(arena, data_real(run, "time_s")),
                    predicted ? format_seconds(arena, data_at(predicted, 0)) : "",
                    predicted ? format_seconds(arena, data_at(predicted, 1)) : "", data_text(run, "machines", arena));
    }
    html_details(&page->text, "as a table", table);
}

/* ---- one program on several machines, or with several mappings ---- */

static void add_comparison(Page *page, const json_t *predictions, bool has_actual)
{
    Arena *arena = page->arena;
    const json_t *prediction;
    size_t i;
    Table *table = table_new(arena);
    table_columns(table, "times|host|>predicted|>at least|>at most");
    if (has_actual)
        table_column(table, "actual", TABLE_RIGHT);
    json_array_foreach(predictions, i, prediction) {
        table_cells(table, "%s|%s|%s|%s|%s", comparison_name(prediction, arena), data_text(prediction, "host", arena),
                    format_seconds(arena, data_real(prediction, "predicted_s")),
                    format_seconds(arena, data_end(prediction, "interval_s", 0)),
                    format_seconds(arena, data_end(prediction, "interval_s", 1)));
        if (has_actual)
            table_cells(table, "%s", format_seconds(arena, data_real(prediction, "actual_s")));
    }
    html_table(&page->text, table);
}

void section_comparison(Page *page, const json_t *document)
{
    Arena *arena = page->arena;
    const json_t *predictions = json_object_get(document, "predictions"), *prediction;
    size_t n = json_array_size(predictions), i;
    Choice *choices = arena_new_array(arena, Choice, n);
    const double *actual_s = data_column(predictions, "actual_s", arena);
    bool has_actual = false;
    json_array_foreach(predictions, i, prediction) {
        choices[i] = (Choice){.name = comparison_name(prediction, arena),
                              .predicted = json_object_get(prediction, "interval_s"),
                              .n_runs = actual_s[i] > 0,
                              .runs_s = &actual_s[i]};
        has_actual |= actual_s[i] > 0;
    }
    draw_page(page, &one_prediction, choices, n);
    add_comparison(page, predictions, has_actual);
}
