/* SPDX-License-Identifier: BSD-3-Clause */
/* Scaling: measured times, and the best law with the interval of all plausible ones. */
#include "verbs/report/page.h"
#include "verbs/report/pictures.h"

#include "report/chart.h"
#include "report/format.h"
#include <math.h>

enum { CHART_HEIGHT = 320, SIZES_DRAWN = 12 };

typedef struct Scaled {
    size_t n;
    const double *p, *value, *low, *high;
} Scaled;

typedef struct ScalingChart {
    Curve curves[2 * SIZES_DRAWN + 2];
    size_t n, n_sizes;
    double largest_p; /* that was run */
    Axis x;           /* shows the numbers of processes that were run or predicted */
    Scaled longest;   /* the law, or the points, that reach farthest */
} ScalingChart;

static Scaled law_times(const json_t *curve, Arena *arena)
{
    Scaled times = {.n = json_array_size(curve),
                    .p = data_column(curve, "p", arena),
                    .value = data_column_of(curve, "time_s", "value", arena)};
    data_ends_of(curve, "time_s", arena, &times.low, &times.high);
    return times;
}

/* Times as speedups: base_s over each of them; or as efficiencies: that over p. */
static Scaled transformed(const Scaled *times, double base_s, bool is_efficiency, Arena *arena)
{
    double *value = arena_new_array(arena, double, times->n), *low = arena_new_array(arena, double, times->n),
           *high = arena_new_array(arena, double, times->n);
    for (size_t i = 0; i < times->n; i++) {
        double scale = base_s / (is_efficiency ? times->p[i] : 1);
        value[i] = scale / times->value[i];
        low[i] = scale / times->high[i];
        high[i] = scale / times->low[i];
    }
    return (Scaled){times->n, times->p, value, low, high};
}

static Curve curve_of(const char *name, const Scaled *times, size_t colour)
{
    return (Curve){.name = name,
                   .n = times->n,
                   .x = times->p,
                   .y = times->value,
                   .low = times->low,
                   .high = times->high,
                   .colour = colour,
                   .dash = colour / SVG_COLOURS % CHART_DASHES};
}

static Curve straight(const char *name, const double *p, const double *value, size_t n)
{
    return (Curve){.name = name, .n = n, .x = p, .y = value, .is_line = true, .colour = 4, .dash = 1};
}

static const double *constant(double value, size_t n, Arena *arena)
{
    double *values = arena_new_array(arena, double, n);
    for (size_t i = 0; i < n; i++)
        values[i] = value;
    return values;
}

/* The law has a colour of its own if there is one size, and else that of its points. */
static void add_curves(ScalingChart *drawn, const Scaled *measured, const Scaled *law, bool is_alone,
                       const char *law_name, double n, Arena *arena)
{
    size_t colour = drawn->n_sizes++;
    Curve *curve = &drawn->curves[drawn->n];
    if (law->n) {
        *curve = curve_of(is_alone ? arena_printf(arena, "best law, %s", law_name) : NULL, law, is_alone ? 1 : colour);
        curve->is_line = curve->is_band = true;
        drawn->n++;
        curve++;
    }
    *curve = curve_of(is_alone ? "measured" : arena_printf(arena, "n = %g%s%s", n, *law_name ? ", " : "", law_name),
                      measured, colour);
    curve->is_points = true;
    curve->is_line = !law->n;
    drawn->n++;
}

/* The points of one size, and its best law in the same colour. */
static void add_size(ScalingChart *drawn, const json_t *size, ScalingPicture picture, bool is_alone, Arena *arena)
{
    const json_t *points = json_object_get(size, "points");
    Scaled measured = {json_array_size(points), data_column(points, "p", arena), data_column(points, "median_s", arena),
                       data_column(points, "low_s", arena), data_column(points, "high_s", arena)};
    Scaled law = law_times(json_object_get(size, "curve"), arena);
    const char *law_name = data_text(json_array_get(json_object_get(size, "laws"), 0), "law", arena);
    if (measured.n < 2 || drawn->n_sizes == SIZES_DRAWN)
        return;
    const json_t *predictions = json_object_get(size, "predictions");
    axis_show(&drawn->x, measured.p, measured.n, arena);
    axis_show(&drawn->x, data_column(predictions, "p", arena), json_array_size(predictions), arena);
    drawn->largest_p = fmax(drawn->largest_p, measured.p[measured.n - 1]);
    if (picture != SCALING_TIME) {
        double base_s = measured.p[0] * measured.value[0];
        measured = transformed(&measured, base_s, picture == SCALING_EFFICIENCY, arena);
        law = transformed(&law, base_s, picture == SCALING_EFFICIENCY, arena);
    }
    add_curves(drawn, &measured, &law, is_alone, law_name, data_real(size, "n"), arena);
    if (law.n && (!drawn->longest.n || law.p[law.n - 1] > drawn->longest.p[drawn->longest.n - 1]))
        drawn->longest = law;
    else if (!drawn->longest.n)
        drawn->longest = measured;
}

/* What the law tends to, or what is to be kept. */
static void add_references(ScalingChart *drawn, const json_t *scaling, ScalingPicture picture, Arena *arena)
{
    const Scaled *longest = &drawn->longest;
    double kept = data_real(scaling, "efficiency_limit");
    if (picture == SCALING_SPEEDUP)
        drawn->curves[drawn->n++] = straight("ideal", longest->p, longest->p, longest->n);
    if (picture == SCALING_EFFICIENCY && kept > 0)
        drawn->curves[drawn->n++] = straight(arena_printf(arena, "efficiency %.3g", kept), longest->p,
                                             constant(kept, longest->n, arena), longest->n);
}

static Chart scaling_chart(const json_t *scaling, ScalingPicture picture, ScalingChart *drawn, Arena *arena)
{
    static const char *const names[] = {
        [SCALING_TIME] = "time", [SCALING_SPEEDUP] = "speedup", [SCALING_EFFICIENCY] = "efficiency"};
    const json_t *sizes = json_object_get(scaling, "sizes"), *size;
    size_t i;
    drawn->n = drawn->n_sizes = drawn->longest.n = 0;
    drawn->largest_p = 0;
    drawn->x = (Axis){.is_logarithmic = true, .format = format_plain, .title = "processes"};
    json_array_foreach(sizes, i, size)
        add_size(drawn, size, picture, json_array_size(sizes) == 1, arena);
    if (drawn->n)
        add_references(drawn, scaling, picture, arena);
    return (Chart){.title = arena_printf(arena, "%s over processes", names[picture]),
                   .height = CHART_HEIGHT,
                   .known_to = drawn->largest_p,
                   .x = drawn->x,
                   .y = {.is_logarithmic = picture != SCALING_EFFICIENCY,
                         .format = picture == SCALING_TIME ? format_seconds : format_plain,
                         .title = names[picture]},
                   .n_curves = drawn->n,
                   .curves = drawn->curves};
}

/* The size that keeps the efficiency, over processes. */
static Chart isoefficiency_chart(const json_t *scaling, Curve *curve, Arena *arena)
{
    const json_t *points = json_object_get(json_object_get(scaling, "isoefficiency"), "points");
    *curve = (Curve){.name = arena_printf(arena, "keeps efficiency %.3g", data_real(scaling, "efficiency_limit")),
                     .n = json_array_size(points),
                     .x = data_column(points, "p", arena),
                     .y = data_column_of(points, "n", "value", arena),
                     .low = data_column_of(points, "n", "low", arena),
                     .high = data_column_of(points, "n", "high", arena),
                     .is_line = true,
                     .is_points = true};
    Axis processes = {.is_logarithmic = true, .format = format_plain, .title = "processes"};
    axis_show(&processes, curve->x, curve->n, arena);
    return (Chart){.title = "isoefficiency",
                   .height = CHART_HEIGHT,
                   .x = processes,
                   .y = {.is_logarithmic = true, .format = format_plain, .title = "n"},
                   .n_curves = 1,
                   .curves = curve};
}

const char *scaling_file(const json_t *scaling, ScalingPicture picture, Arena *arena)
{
    static const char *const headings[SCALING_PICTURES] = {
        "Time: medians with 95 % intervals; the best law with the band of all plausible laws",
        "Speedup: as measured with 95 % intervals; the best law with the band of all plausible laws",
        "Efficiency: as measured with 95 % intervals; the best law with the band of all plausible laws",
        "Isoefficiency: the size that keeps the efficiency, with its 95 % interval"};
    ScalingChart drawn;
    Curve curve;
    Text body = {0};
    Chart chart = picture == SCALING_ISOEFFICIENCY ? isoefficiency_chart(scaling, &curve, arena)
                                                   : scaling_chart(scaling, picture, &drawn, arena);
    chart.heading = headings[picture];
    double height = chart_body(&body, chart, arena);
    return height > 0 ? svg_file(&body, SVG_WIDTH, height, chart.title, arena) : NULL;
}

static void draw_scaling(Page *page, const json_t *scaling)
{
    for (ScalingPicture picture = SCALING_TIME; picture < SCALING_ISOEFFICIENCY; picture++) {
        ScalingChart drawn;
        svg_chart(&page->text, scaling_chart(scaling, picture, &drawn, page->arena), page->arena);
    }
    Curve curve;
    svg_chart(&page->text, isoefficiency_chart(scaling, &curve, page->arena), page->arena);
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
    table_columns(table, "law|time|>error|>when left out||parameters");
    json_array_foreach(laws, i, law) {
        const char *parameters = "";
        json_object_foreach(json_object_get(law, "parameters"), name, parameter)
            parameters = arena_printf(arena, "%s%s%s = %s", parameters, *parameters ? ", " : "", name,
                                      interval_text(parameter, arena));
        table_cells(table, "%s|%s|%s|%s|%s|%s", data_text(law, "law", arena), data_text(law, "formula", arena),
                    format_percent(arena, data_real(law, "error")),
                    format_percent(arena, data_real(law, "predictive_error")), data_doubts(law), parameters);
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
    json_array_foreach(json_object_get(size, "points"), i, point)
        table_cells(table, "%zu|%zu|%s|%s|%s|%s", data_count(point, "p"), data_count(point, "runs"),
                    format_seconds(arena, data_real(point, "median_s")),
                    interval_text(json_object_get(point, "speedup"), arena),
                    format_percent(arena, data_real(point, "efficiency")),
                    number_text(data_real(point, "karp_flatt"), arena));
    json_array_foreach(json_object_get(size, "predictions"), i, point) {
        table_cells(table, "%s|%s|%s|%s|%s|", number_text(data_real(point, "p"), arena), data_distance(point, arena),
                    format_seconds(arena, data_real(json_object_get(point, "time_s"), "value")),
                    number_text(data_real(point, "speedup"), arena),
                    format_percent(arena, data_real(point, "efficiency")));
        table_row_style(table, TABLE_DIM);
    }
    html_details(&page->text, "as a table", table);
}

void section_scaling(Page *page, const json_t *scaling)
{
    const json_t *sizes = json_object_get(scaling, "sizes"), *size;
    size_t i, n = json_array_size(sizes);
    draw_scaling(page, scaling);
    json_array_foreach(sizes, i, size) {
        if (n > 1)
            html_element(&page->text, "h3",
                         arena_printf(page->arena, "Size %s", number_text(data_real(size, "n"), page->arena)),
                         page->arena);
        add_points(page, size);
        add_laws(page, json_object_get(size, "laws"));
    }
    page_add_captions(page, json_object_get(scaling, "warnings"));
}
