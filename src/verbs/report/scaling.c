/* SPDX-License-Identifier: BSD-3-Clause */
/* Scaling: measured times, and the best law with the interval of all plausible ones. */
#include "verbs/report/page.h"

#include "report/chart.h"
#include "report/format.h"
#include <math.h>

enum { CHART_HEIGHT = 320 };

typedef struct Scaled {
    size_t n;
    const double *p, *value, *low, *high;
} Scaled;

/* Times as speedups: base_s over each of them. */
static void invert(Scaled *times, double base_s, Arena *arena)
{
    double *value = arena_new_array(arena, double, times->n), *low = arena_new_array(arena, double, times->n),
           *high = arena_new_array(arena, double, times->n);
    for (size_t i = 0; i < times->n; i++) {
        value[i] = base_s / times->value[i];
        low[i] = base_s / times->high[i];
        high[i] = base_s / times->low[i];
    }
    times->value = value;
    times->low = low;
    times->high = high;
}

/* An end that isn't known, or is infinite, is the value itself; the lower one stays above 0 for the axis. */
static Scaled law_times(const json_t *curve, Arena *arena)
{
    size_t n = json_array_size(curve);
    double *low = arena_new_array(arena, double, n), *high = arena_new_array(arena, double, n);
    for (size_t i = 0; i < n; i++) {
        const json_t *time = json_object_get(json_array_get(curve, i), "time_s");
        double value = data_real(time, "value");
        low[i] = fmax(fmin(data_real(time, "low"), value), value / 1000);
        high[i] = fmax(data_real(time, "high"), value);
    }
    return (Scaled){n, data_column(curve, "p", arena), data_column_of(curve, "time_s", "value", arena), low, high};
}

static Curve curve_of(const char *name, const Scaled *times, size_t colour)
{
    return (Curve){.name = name,
                   .n = times->n,
                   .x = times->p,
                   .y = times->value,
                   .low = times->low,
                   .high = times->high,
                   .colour = colour};
}

static void draw_scaling(Page *page, const json_t *size, bool is_speedup)
{
    Arena *arena = page->arena;
    const json_t *points = json_object_get(size, "points"), *curve = json_object_get(size, "curve");
    const json_t *law = json_array_get(json_object_get(size, "laws"), 0);
    Scaled measured = {json_array_size(points), data_column(points, "p", arena), data_column(points, "median_s", arena),
                       data_column(points, "low_s", arena), data_column(points, "high_s", arena)};
    Scaled by_law = law_times(curve, arena);
    Curve curves[3];
    size_t n = 0;
    if (is_speedup && measured.n) {
        double base_s = measured.p[0] * measured.value[0];
        const Scaled *ideal = by_law.n ? &by_law : &measured;
        invert(&measured, base_s, arena);
        invert(&by_law, base_s, arena);
        curves[n++] = (Curve){
            .name = "ideal", .n = ideal->n, .x = ideal->p, .y = ideal->p, .is_line = true, .colour = 4, .dash = 1};
    }
    if (by_law.n) {
        curves[n] = curve_of(
            arena_printf(arena, "best law, %s; band: all plausible laws", data_text(law, "law", arena)), &by_law, 1);
        curves[n].is_line = curves[n].is_band = true;
        n++;
    }
    curves[n] = curve_of("measured", &measured, 0);
    curves[n].is_points = true;
    curves[n].is_line = !by_law.n;
    n++;
    svg_chart(&page->text,
              (Chart){.title = is_speedup ? "speedup over processes" : "time over processes",
                      .height = CHART_HEIGHT,
                      .x = {.is_logarithmic = true, .format = format_plain, .title = "processes"},
                      .y = {.is_logarithmic = true,
                            .format = is_speedup ? format_plain : format_seconds,
                            .title = is_speedup ? "speedup" : "time"},
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
        draw_scaling(page, size, true);
        draw_scaling(page, size, false);
        add_points(page, size);
        add_laws(page, json_object_get(size, "laws"));
    }
    json_array_foreach(json_object_get(scaling, "warnings"), i, warning) html_element(
        &page->text, "p class=caption", json_is_string(warning) ? json_string_value(warning) : "", page->arena);
}
