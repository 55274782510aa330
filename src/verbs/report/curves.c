/* SPDX-License-Identifier: BSD-3-Clause */
/* Curves: scaling, messages. */
#include "verbs/report/page.h"

#include "report/chart.h"
#include "report/format.h"
#include <math.h>
#include <string.h>

enum { CHART_HEIGHT = 320, CURVES_LIMIT = 24 };

/* Members of the objects in a list. */
static const double *column(const json_t *list, const char *key, Arena *arena)
{
    size_t n = json_array_size(list);
    double *values = arena_new_array(arena, double, n);
    for (size_t i = 0; i < n; i++)
        values[i] = data_real(json_array_get(list, i), key);
    return values;
}

/* The same of objects `value`, `low`, `high` in each of them. */
static const double *column_of(const json_t *list, const char *object, const char *key, Arena *arena)
{
    size_t n = json_array_size(list);
    double *values = arena_new_array(arena, double, n);
    for (size_t i = 0; i < n; i++)
        values[i] = data_real(json_object_get(json_array_get(list, i), object), key);
    return values;
}

/* ---- scaling ---- */

/* The speedup at one end of the predicted time's interval. */
static const double *speedup_if(const json_t *predictions, const char *end, Arena *arena)
{
    size_t n = json_array_size(predictions);
    double *values = arena_new_array(arena, double, n);
    for (size_t i = 0; i < n; i++) {
        const json_t *prediction = json_array_get(predictions, i), *time = json_object_get(prediction, "time_s");
        values[i] = data_real(prediction, "speedup") * data_real(time, "value") / data_real(time, end);
    }
    return values;
}

static void draw_speedup(Page *page, const json_t *size)
{
    Arena *arena = page->arena;
    const json_t *points = json_object_get(size, "points"), *predictions = json_object_get(size, "predictions");
    const double *p = column(points, "p", arena);
    Curve curves[3];
    size_t n = 0;
    curves[n++] =
        (Curve){.name = "ideal", .n = json_array_size(points), .x = p, .y = p, .is_line = true, .colour = 4, .dash = 1};
    curves[n++] = (Curve){.name = "measured",
                          .n = json_array_size(points),
                          .x = p,
                          .y = column_of(points, "speedup", "value", arena),
                          .low = column_of(points, "speedup", "low", arena),
                          .high = column_of(points, "speedup", "high", arena),
                          .is_line = true,
                          .is_points = true};
    if (json_array_size(predictions))
        curves[n++] = (Curve){.name = "by the best law",
                              .n = json_array_size(predictions),
                              .x = column(predictions, "p", arena),
                              .y = column(predictions, "speedup", arena),
                              .low = speedup_if(predictions, "high", arena),
                              .high = speedup_if(predictions, "low", arena),
                              .is_points = true,
                              .colour = 1};
    svg_chart(&page->text,
              (Chart){.title = "speedup over processes",
                      .height = CHART_HEIGHT,
                      .x = {.is_logarithmic = true, .format = format_plain, .title = "processes"},
                      .y = {.is_logarithmic = true, .format = format_plain, .title = "speedup"},
                      .n_curves = n,
                      .curves = curves},
              arena);
}

static const char *number_text(double value, Arena *arena)
{
    return isfinite(value) ? arena_printf(arena, "%.3g", value) : "–";
}

static const char *interval_text(const json_t *object, Arena *arena)
{
    return arena_printf(arena, "%s (%s to %s)", number_text(data_real(object, "value"), arena),
                        number_text(data_real(object, "low"), arena), number_text(data_real(object, "high"), arena));
}

static void add_laws(Page *page, const json_t *laws)
{
    Arena *arena = page->arena;
    json_t *law, *parameter;
    size_t i;
    const char *name;
    Table *table = table_new(arena);
    table_columns(table, "law|time|>error|>when left out|parameters");
    json_array_foreach(laws, i, law)
    {
        const char *parameters = "";
        json_object_foreach(json_object_get(law, "parameters"), name, parameter) parameters = arena_printf(
            arena, "%s%s%s = %s", parameters, *parameters ? ", " : "", name, interval_text(parameter, arena));
        table_cells(table, "%s|%s|%s|%s|%s", data_text(law, "law", arena), data_text(law, "formula", arena),
                    format_percent(arena, data_real(law, "error")),
                    format_percent(arena, data_real(law, "predictive_error")), parameters);
        if (!json_is_true(json_object_get(law, "plausible")))
            table_row_style(table, TABLE_DIM);
    }
    html_element(&page->text, "h3", "Laws, best first", arena);
    html_table(&page->text, table);
}

static void add_points(Page *page, const json_t *size)
{
    Arena *arena = page->arena;
    const json_t *point;
    size_t i;
    Table *table = table_new(arena);
    table_columns(table, ">processes|>runs|>time|>speedup|>efficiency|>Karp–Flatt");
    json_array_foreach(json_object_get(size, "points"), i, point) table_cells(
        table, "%zu|%zu|%s|%s|%s|%s", data_count(point, "p"), data_count(point, "runs"),
        format_seconds(arena, data_real(point, "median_s")), interval_text(json_object_get(point, "speedup"), arena),
        format_percent(arena, data_real(point, "efficiency")), number_text(data_real(point, "karp_flatt"), arena));
    json_array_foreach(json_object_get(size, "predictions"), i, point)
    {
        table_cells(table, "%s|predicted|%s|%s|%s|", number_text(data_real(point, "p"), arena),
                    format_seconds(arena, data_real(json_object_get(point, "time_s"), "value")),
                    number_text(data_real(point, "speedup"), arena),
                    format_percent(arena, data_real(point, "efficiency")));
        table_row_style(table, TABLE_DIM);
    }
    html_details(&page->text, "as a table", table);
}

void section_scaling(Page *page, const json_t *scaling)
{
    const json_t *sizes = json_object_get(scaling, "sizes"), *size, *warning;
    size_t i, n = json_array_size(sizes);
    json_array_foreach(sizes, i, size)
    {
        if (n > 1)
            html_element(&page->text, "h3",
                         arena_printf(page->arena, "Size %s", number_text(data_real(size, "n"), page->arena)),
                         page->arena);
        draw_speedup(page, size);
        add_points(page, size);
        add_laws(page, json_object_get(size, "laws"));
    }
    json_array_foreach(json_object_get(scaling, "warnings"), i, warning) html_element(
        &page->text, "p class=caption", json_is_string(warning) ? json_string_value(warning) : "", page->arena);
}

/* ---- messages ---- */

static const struct {
    const char *middleware;
    size_t colour;
} middlewares[] = {{"openmpi", 0}, {"mpich", 1}, {"pvm", 2}, {"os", 4}};

static size_t colour_of(const char *middleware)
{
    for (size_t i = 0; i < sizeof middlewares / sizeof *middlewares; i++)
        if (strcmp(middlewares[i].middleware, middleware) == 0)
            return middlewares[i].colour;
    return 3;
}

static const char *series_name(const json_t *communication, const json_t *series, Arena *arena)
{
    const json_t *configuration =
        json_array_get(json_object_get(communication, "configurations"), data_count(series, "configuration"));
    const json_t *hosts = json_object_get(communication, "hosts");
    const char *packing = data_text(configuration, "packing", arena), *between = "",
               *level = data_text(series, "level", arena);
    if (json_array_size(hosts) > 1)
        between = arena_printf(arena, ", %s–%s",
                               data_text(json_array_get(hosts, data_count(series, "from_host")), "name", arena),
                               data_text(json_array_get(hosts, data_count(series, "to_host")), "name", arena));
    return arena_printf(arena, "%s %s%s%s%s%s%s", data_text(configuration, "middleware", arena),
                        data_text(configuration, "transport", arena), *packing ? " " : "", packing, *level ? ", " : "",
                        level, between);
}

static bool is_pingpong(const json_t *series)
{
    const char *operation = json_string_value(json_object_get(series, "operation"));
    return operation && strcmp(operation, "pingpong") == 0;
}

typedef struct Messages {
    Curve times[CURVES_LIMIT], rates[CURVES_LIMIT];
    size_t n, left_out;
} Messages;

static void add_curve(Page *page, const json_t *communication, const json_t *series, Messages *messages)
{
    Arena *arena = page->arena;
    const json_t *points = json_object_get(series, "points");
    size_t n = json_array_size(points), dash = 0;
    if (messages->n == CURVES_LIMIT) {
        messages->left_out++;
        return;
    }
    const json_t *configuration =
        json_array_get(json_object_get(communication, "configurations"), data_count(series, "configuration"));
    size_t colour = colour_of(data_text(configuration, "middleware", arena));
    for (size_t i = 0; i < messages->n; i++)
        dash += messages->times[i].colour == colour;
    double *rates = arena_new_array(arena, double, n);
    Curve *time = &messages->times[messages->n], *rate = &messages->rates[messages->n];
    *time = (Curve){.name = series_name(communication, series, arena),
                    .n = n,
                    .x = column(points, "bytes", arena),
                    .y = column(points, "median_s", arena),
                    .is_line = true,
                    .is_points = true,
                    .colour = colour,
                    .dash = dash % CHART_DASHES};
    for (size_t i = 0; i < n; i++)
        rates[i] = time->x[i] / time->y[i];
    *rate = *time;
    rate->y = rates;
    messages->n++;
}

static const char *format_bandwidth(Arena *arena, double bytes_per_s)
{
    return arena_printf(arena, "%s/s", format_bytes(arena, bytes_per_s));
}

static void draw_messages(Page *page, const Messages *messages)
{
    const Axis sizes = {.is_logarithmic = true, .format = format_bytes, .title = "size of the message"};
    svg_chart(&page->text,
              (Chart){.title = "time of messages",
                      .height = CHART_HEIGHT,
                      .x = sizes,
                      .y = {.is_logarithmic = true, .format = format_seconds, .title = "time"},
                      .n_curves = messages->n,
                      .curves = messages->times},
              page->arena);
    svg_chart(&page->text,
              (Chart){.title = "bandwidth of messages",
                      .height = CHART_HEIGHT,
                      .x = sizes,
                      .y = {.is_logarithmic = true, .format = format_bandwidth, .title = "bandwidth"},
                      .n_curves = messages->n,
                      .curves = messages->rates},
              page->arena);
}

static void add_series(Page *page, const json_t *communication, bool pingpong, Table *table)
{
    Arena *arena = page->arena;
    const json_t *series;
    size_t i;
    json_array_foreach(json_object_get(communication, "series"), i, series)
    {
        const json_t *points = json_object_get(series, "points");
        const json_t *first = json_array_get(points, 0), *last = json_array_get(points, json_array_size(points) - 1);
        if (!first || is_pingpong(series) != pingpong)
            continue;
        table_cells(table, "%s|%s|%zu|%s|%s|%s|%s", data_text(series, "operation", arena),
                    series_name(communication, series, arena), data_count(series, "ranks"),
                    format_bytes(arena, data_real(first, "bytes")), format_seconds(arena, data_real(first, "median_s")),
                    format_bytes(arena, data_real(last, "bytes")), format_seconds(arena, data_real(last, "median_s")));
    }
}

static void add_series_table(Page *page, const json_t *communication, bool pingpong, const char *summary)
{
    Table *table = table_new(page->arena);
    table_columns(table, "operation|how|>processes|>smallest|>time|>largest|>time");
    add_series(page, communication, pingpong, table);
    html_details(&page->text, summary, table);
}

void section_communication(Page *page, const json_t *communication)
{
    const json_t *series, *problem;
    Messages messages = {.n = 0};
    size_t i;
    json_array_foreach(json_object_get(communication, "series"), i, series) if (is_pingpong(series))
        add_curve(page, communication, series, &messages);
    draw_messages(page, &messages);
    if (messages.left_out)
        html_element(&page->text, "p class=caption",
                     arena_printf(page->arena, "%zu further ways are in the table alone.", messages.left_out),
                     page->arena);
    add_series_table(page, communication, true, "messages, as a table");
    add_series_table(page, communication, false, "collectives and other operations");
    json_array_foreach(json_object_get(communication, "problems"), i, problem)
        html_element(&page->text, "p class=caption", data_text(problem, "message", page->arena), page->arena);
}
