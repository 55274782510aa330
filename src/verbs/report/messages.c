/* SPDX-License-Identifier: BSD-3-Clause */
/* What messages cost: curves over their size, and what libraries cost over the system. */
#include "verbs/report/bars.h"
#include "verbs/report/page.h"
#include "verbs/report/pictures.h"

#include "report/chart.h"
#include "report/format.h"
#include <math.h>
#include <string.h>

enum { CHART_HEIGHT = 320, COLLECTIVE_HEIGHT = 200, CURVES_LIMIT = 24, OVERHEADS_SHOWN = 12 };

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

static const json_t *configuration_of(const json_t *communication, const json_t *series)
{
    return json_array_get(json_object_get(communication, "configurations"), data_count(series, "configuration"));
}

static const char *series_name(const json_t *communication, const json_t *series, Arena *arena)
{
    const json_t *configuration = configuration_of(communication, series);
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

static bool has_operation(const json_t *series, const char *operation)
{
    const char *own = json_string_value(json_object_get(series, "operation"));
    return own && strcmp(own, operation) == 0;
}

typedef struct Messages {
    Curve times[CURVES_LIMIT], rates[CURVES_LIMIT];
    size_t n, left_out;
} Messages;

static size_t colour_of_series(const json_t *communication, const json_t *series, Arena *arena)
{
    return colour_of(data_text(configuration_of(communication, series), "middleware", arena));
}

/* Curves of one colour are told apart by their dashes. */
static size_t next_dash(const Curve *curves, size_t n, size_t colour)
{
    size_t dash = 0;
    for (size_t i = 0; i < n; i++)
        dash += curves[i].colour == colour;
    return dash % CHART_DASHES;
}

/* Whether the time isn't that of a line α + β·bytes through the point before: the library communicates otherwise. */
static bool is_jump(double bytes_before, double s_before, double bytes, double s)
{
    const double grows = 1.25, falls = 0.8;
    return bytes_before > 0 && (s > grows * s_before * bytes / bytes_before || s < falls * s_before);
}

/* Whether another curve has a size between these, so that this one lacks it. */
static bool has_size_between(const Curve *curves, size_t n, double from, double to)
{
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < curves[k].n; i++)
            if (curves[k].x[i] > from && curves[k].x[i] < to)
                return true;
    return false;
}

/* From point to point, broken at jumps, and where a size wasn't measured. */
static void join_points(Curve *curve, const Curve *all, size_t n_all, Arena *arena)
{
    double *x = arena_new_array(arena, double, 2 * curve->n), *y = arena_new_array(arena, double, 2 * curve->n);
    size_t n = 0;
    for (size_t i = 0; i < curve->n; i++) {
        if (i && (is_jump(curve->x[i - 1], curve->y[i - 1], curve->x[i], curve->y[i]) ||
                  has_size_between(all, n_all, curve->x[i - 1], curve->x[i]))) {
            x[n] = curve->x[i];
            y[n++] = NAN;
        }
        x[n] = curve->x[i];
        y[n++] = curve->y[i];
    }
    curve->line_x = x;
    curve->line_y = y;
    curve->n_line = n;
}

/* Of curves without a model. */
static void join_all(Curve *curves, size_t n, Arena *arena)
{
    for (size_t i = 0; i < n; i++)
        if (!curves[i].n_line)
            join_points(&curves[i], curves, n, arena);
}

static Curve time_curve(const json_t *communication, const json_t *series, const char *name, const Curve *others,
                        size_t n_others, Arena *arena)
{
    const json_t *points = json_object_get(series, "points"), *fit = json_object_get(series, "fit");
    size_t colour = colour_of_series(communication, series, arena);
    return (Curve){.name = name,
                   .n = json_array_size(points),
                   .x = data_column(points, "bytes", arena),
                   .y = data_column(points, "median_s", arena),
                   .low = data_column(points, "low_s", arena),
                   .high = data_column(points, "high_s", arena),
                   .is_line = true,
                   .is_points = true,
                   .n_line = json_array_size(fit),
                   .line_x = data_column(fit, "bytes", arena),
                   .line_y = data_column(fit, "time_s", arena),
                   .colour = colour,
                   .dash = next_dash(others, n_others, colour)};
}

static const double *rates_of(const double *bytes, const double *times_s, size_t n, Arena *arena)
{
    double *rates = arena_new_array(arena, double, n);
    for (size_t i = 0; i < n; i++)
        rates[i] = bytes[i] / times_s[i];
    return rates;
}

static Curve rate_curve(const Curve *time, Arena *arena)
{
    Curve rate = *time;
    rate.y = rates_of(time->x, time->y, time->n, arena);
    rate.low = rates_of(time->x, time->high, time->n, arena);
    rate.high = rates_of(time->x, time->low, time->n, arena);
    rate.line_y = rates_of(time->line_x, time->line_y, time->n_line, arena);
    return rate;
}

static void find_messages(const json_t *communication, Messages *messages, Arena *arena)
{
    const json_t *series;
    size_t i;
    messages->n = messages->left_out = 0;
    json_array_foreach(json_object_get(communication, "series"), i, series) {
        if (!has_operation(series, "pingpong"))
            continue;
        if (messages->n == CURVES_LIMIT) {
            messages->left_out++;
            continue;
        }
        messages->times[messages->n] = time_curve(communication, series, series_name(communication, series, arena),
                                                  messages->times, messages->n, arena);
        messages->n++;
    }
    join_all(messages->times, messages->n, arena);
    for (i = 0; i < messages->n; i++)
        messages->rates[i] = rate_curve(&messages->times[i], arena);
}

static const char *format_bandwidth(Arena *arena, double bytes_per_s)
{
    return arena_printf(arena, "%s/s", format_bytes(arena, bytes_per_s));
}

static Chart messages_chart(const Messages *messages, bool is_bandwidth)
{
    return (Chart){.title = is_bandwidth ? "bandwidth of messages" : "time of messages",
                   .height = CHART_HEIGHT,
                   .x = {.is_logarithmic = true, .format = format_bytes, .title = "size of the message"},
                   .y = {.is_logarithmic = true,
                         .format = is_bandwidth ? format_bandwidth : format_seconds,
                         .title = is_bandwidth ? "bandwidth" : "time"},
                   .n_curves = messages->n,
                   .curves = is_bandwidth ? messages->rates : messages->times};
}

const char *messages_file(const json_t *communication, bool is_bandwidth, Arena *arena)
{
    Messages messages;
    Text body = {0};
    find_messages(communication, &messages, arena);
    Chart chart = messages_chart(&messages, is_bandwidth);
    chart.heading = arena_printf(arena, "Messages, one way: %s, median with its 95 %% interval, and the model",
                                 is_bandwidth ? "bandwidth" : "time");
    double height = chart_body(&body, chart, arena);
    return height > 0 ? svg_file(&body, SVG_WIDTH, height, chart.title, arena) : NULL;
}

static void add_series(Page *page, const json_t *communication, bool pingpong, Table *table)
{
    Arena *arena = page->arena;
    const json_t *series;
    size_t i;
    json_array_foreach(json_object_get(communication, "series"), i, series) {
        const json_t *first = json_array_get(json_object_get(series, "points"), 0), *last = data_last(series, "points");
        if (!first || has_operation(series, "pingpong") != pingpong)
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

/* ---- collectives ---- */

/* The operation over size, for all ways and numbers of processes. */
static Chart collective_chart(const json_t *communication, const char *operation, Curve curves[CURVES_LIMIT],
                              Arena *arena)
{
    const json_t *series;
    size_t i, n = 0;
    json_array_foreach(json_object_get(communication, "series"), i, series) {
        bool has_sizes = json_array_size(json_object_get(series, "points")) > 1;
        if (n == CURVES_LIMIT || !has_sizes || !has_operation(series, operation))
            continue;
        const char *name = arena_printf(arena, "%s, %zu processes", series_name(communication, series, arena),
                                        data_count(series, "ranks"));
        curves[n] = time_curve(communication, series, name, curves, n, arena);
        n++;
    }
    join_all(curves, n, arena);
    return (Chart){.title = arena_printf(arena, "time of %s over size", operation),
                   .heading = operation,
                   .height = COLLECTIVE_HEIGHT,
                   .x = {.is_logarithmic = true, .format = format_bytes, .title = "size"},
                   .y = {.is_logarithmic = true, .format = format_seconds, .title = "time"},
                   .n_curves = n,
                   .curves = curves};
}

/* The operation of a series; NULL: it is a message, or stands in an earlier series, too. */
static const char *new_operation(const json_t *all, size_t number)
{
    const char *operation = json_string_value(json_object_get(json_array_get(all, number), "operation"));
    for (size_t i = 0; i < number && operation; i++)
        if (has_operation(json_array_get(all, i), operation))
            return NULL;
    return operation && strcmp(operation, "pingpong") != 0 ? operation : NULL;
}

/* A picture of each operation besides messages, in the order in which they were measured. */
static void draw_collectives(Page *page, const json_t *communication)
{
    const json_t *all = json_object_get(communication, "series");
    for (size_t i = 0; i < json_array_size(all); i++) {
        Curve curves[CURVES_LIMIT];
        const char *operation = new_operation(all, i);
        if (operation)
            svg_chart(&page->text, collective_chart(communication, operation, curves, page->arena), page->arena);
    }
}

const char *collectives_file(const json_t *communication, Arena *arena)
{
    const json_t *all = json_object_get(communication, "series");
    double top = 0;
    Text body = {0};
    for (size_t i = 0; i < json_array_size(all); i++) {
        Curve curves[CURVES_LIMIT];
        Text one = {0};
        const char *operation = new_operation(all, i);
        if (!operation)
            continue;
        double height = chart_body(&one, collective_chart(communication, operation, curves, arena), arena);
        text_add(&body, "<g transform=\"translate(0 %.0f)\">\n%s</g>\n", top, text_take(&one, arena));
        top += height;
    }
    const char *file = svg_file(&body, SVG_WIDTH, top, "time of collectives over size", arena);
    return top > 0 ? file : NULL;
}

/* ---- overheads ---- */

static void add_overheads(Page *page, const json_t *overheads)
{
    Arena *arena = page->arena;
    size_t n = json_array_size(overheads), shown = n < OVERHEADS_SHOWN ? n : OVERHEADS_SHOWN, i;
    Bar *bars = arena_new_array(arena, Bar, shown);
    Table *table = table_new(arena);
    const json_t *overhead;
    double most = 0;
    if (!n)
        return;
    table_columns(table, "how|from|to|against|>startup|>more|>times|>bandwidth|>at the largest size");
    json_array_foreach(overheads, i, overhead) {
        const char *name = data_text(overhead, "configuration", arena);
        double startup_s = data_real(overhead, "startup_s"), ratio = data_real(overhead, "startup_ratio");
        if (i < shown) {
            bars[i] = (Bar){name, arena_printf(arena, "%s, × %.2f", format_seconds(arena, startup_s), ratio), {ratio}};
            most = fmax(most, ratio);
        }
        table_cells(table, "%s|%s|%s|%s|%s|%s|%.2f|%s|%s", name, data_text(overhead, "from", arena),
                    data_text(overhead, "to", arena), data_text(overhead, "against", arena),
                    format_seconds(arena, startup_s),
                    format_seconds(arena, data_real(overhead, "startup_difference_s")), ratio,
                    format_percent(arena, data_real(overhead, "bandwidth_share")),
                    format_percent(arena, data_real(overhead, "bandwidth_share_at_largest")));
    }
    html_element(&page->text, "h3", "Startup of libraries, as a multiple of the system's own", arena);
    draw_bars(page, "startup over the system's", bars, shown, (const char *const[]){"s2"}, 1, most);
    html_details(&page->text, "as a table", table);
}

/* ---- the section ---- */

static void add_place(Page *page, const json_t *communication)
{
    Arena *arena = page->arena;
    const json_t *hosts = json_object_get(communication, "hosts"), *host;
    const char *text = arena_printf(arena, "Measured at %s", data_text(communication, "date", arena));
    size_t i;
    json_array_foreach(hosts, i, host)
        text =
            arena_printf(arena, "%s%s %s (%zu processors, %s)", text, i ? "," : " on", data_text(host, "name", arena),
                         data_count(host, "cpus"), data_text(host, "processor", arena));
    html_element(&page->text, "p", arena_printf(arena, "%s.", text), arena);
}

void section_communication(Page *page, const json_t *communication)
{
    const json_t *problem;
    Messages messages;
    size_t i;
    add_place(page, communication);
    find_messages(communication, &messages, page->arena);
    svg_chart(&page->text, messages_chart(&messages, false), page->arena);
    svg_chart(&page->text, messages_chart(&messages, true), page->arena);
    if (messages.left_out)
        html_element(&page->text, "p class=caption",
                     arena_printf(page->arena, "%zu further ways are in the table alone.", messages.left_out),
                     page->arena);
    add_series_table(page, communication, true, "messages, as a table");
    add_overheads(page, json_object_get(communication, "overheads"));
    draw_collectives(page, communication);
    add_series_table(page, communication, false, "collectives and other operations");
    json_array_foreach(json_object_get(communication, "problems"), i, problem)
        html_element(&page->text, "p class=caption", data_text(problem, "message", page->arena), page->arena);
}
