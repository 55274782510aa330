/* SPDX-License-Identifier: BSD-3-Clause */
/* Scaling phase by phase: what runs took, what the phases' laws and the extrapolated events add up to elsewhere, and
 * the laws. */
#include "verbs/report/bars.h"
#include "verbs/report/page.h"
#include "verbs/report/pictures.h"

#include "report/chart.h"
#include "report/format.h"
#include <math.h>
#include <string.h>

enum { CHART_HEIGHT = 320, N_PARTS = 3 };

/* Parts of the time, as members and as colours. */
static const char *const part_members[N_PARTS] = {"computation_s", "transfer_s", "waiting_s"};
static const char *const part_names[N_PARTS] = {"computation", "transfer", "waiting"};

static bool is_of_sizes(const json_t *counts, Arena *arena)
{
    return strcmp(data_text(counts, "scaling", arena), "sizes") == 0;
}

static const char *axis_title(const json_t *counts, Arena *arena)
{
    return is_of_sizes(counts, arena) ? "size" : "processes";
}

/* ---- time over processes ---- */

static Curve estimated_curve(const char *name, const json_t *list, size_t colour, Arena *arena)
{
    Curve curve = {.name = name,
                   .n = json_array_size(list),
                   .x = data_column(list, "p", arena),
                   .y = data_column_of(list, "time_s", "value", arena),
                   .colour = colour};
    data_ends_of(list, "time_s", arena, &curve.low, &curve.high);
    return curve;
}

/* What the extrapolated events took, as a list like `predictions`. The caller drops the reference. */
static json_t *simulated_points(const json_t *predictions)
{
    json_t *points = json_array();
    const json_t *prediction;
    size_t i;
    json_array_foreach(predictions, i, prediction) {
        const json_t *time = json_object_get(json_object_get(prediction, "simulated"), "time_s");
        if (json_is_object(time))
            json_array_append_new(points,
                                  json_pack("{s:O, s:O}", "p", json_object_get(prediction, "p"), "time_s", time));
    }
    return points;
}

typedef struct CountsChart {
    Curve curves[4];
    size_t n;
} CountsChart;

static Chart time_chart(const json_t *counts, CountsChart *drawn, Arena *arena)
{
    const json_t *runs = json_object_get(counts, "runs");
    json_t *simulated = simulated_points(json_object_get(counts, "predictions"));
    drawn->n = 0;
    drawn->curves[drawn->n++] = estimated_curve("sum of the phases' laws", json_object_get(counts, "curve"), 1, arena);
    drawn->curves[0].is_line = drawn->curves[0].is_band = true;
    drawn->curves[drawn->n++] = (Curve){.name = "measured",
                                        .n = json_array_size(runs),
                                        .x = data_column(runs, "size", arena),
                                        .y = data_column(runs, "time_s", arena),
                                        .is_points = true};
    if (json_array_size(json_object_get(counts, "predictions"))) {
        drawn->curves[drawn->n] = estimated_curve("predicted", json_object_get(counts, "predictions"), 1, arena);
        drawn->curves[drawn->n++].is_points = true;
    }
    if (json_array_size(simulated)) {
        drawn->curves[drawn->n] = estimated_curve("extrapolated events, simulated", simulated, 2, arena);
        drawn->curves[drawn->n++].is_points = true;
    }
    json_decref(simulated);
    Axis x = {.is_logarithmic = true, .format = format_plain, .title = axis_title(counts, arena)};
    axis_show(&x, drawn->curves[1].x, drawn->curves[1].n, arena);
    axis_show(&x, data_column(json_object_get(counts, "predictions"), "p", arena),
              json_array_size(json_object_get(counts, "predictions")), arena);
    return (Chart){.title = arena_printf(arena, "time over %s", axis_title(counts, arena)),
                   .height = CHART_HEIGHT,
                   .known_to = drawn->curves[1].n ? drawn->curves[1].x[drawn->curves[1].n - 1] : 0,
                   .x = x,
                   .y = {.is_logarithmic = true, .format = format_seconds, .title = "time"},
                   .n_curves = drawn->n,
                   .curves = drawn->curves};
}

/* ---- shares ---- */

typedef struct ShareBars {
    Bar *bars;
    size_t n;
} ShareBars;

static void add_bar(ShareBars *made, const char *name, const char *value, const double parts_s[N_PARTS])
{
    double whole_s = parts_s[0] + parts_s[1] + parts_s[2];
    Bar *bar = &made->bars[made->n++];
    *bar = (Bar){.name = name, .value = value};
    for (size_t part = 0; part < N_PARTS; part++)
        bar->parts[part] = parts_s[part] / whole_s;
}

/* Of all rows in a run. */
static double part_in_run(const json_t *counts, size_t part, size_t run)
{
    const json_t *phases = json_object_get(counts, "phases"), *phase;
    const json_t *values =
        json_object_get(json_object_get(json_object_get(counts, "others"), part_members[part]), "values");
    double sum = data_at(values, run);
    size_t i;
    json_array_foreach(phases, i, phase)
        sum += json_number_value(
            json_array_get(json_object_get(json_object_get(phase, part_members[part]), "values"), run));
    return sum;
}

static ShareBars share_bars(const json_t *counts, Arena *arena)
{
    const json_t *runs = json_object_get(counts, "runs"), *predictions = json_object_get(counts, "predictions"), *item;
    ShareBars made = {.bars = arena_new_array(arena, Bar, json_array_size(runs) + json_array_size(predictions))};
    const char *unit = is_of_sizes(counts, arena) ? "n" : "p";
    size_t i;
    json_array_foreach(runs, i, item) {
        const double parts_s[N_PARTS] = {part_in_run(counts, 0, i), part_in_run(counts, 1, i),
                                         part_in_run(counts, 2, i)};
        add_bar(&made, arena_printf(arena, "%s = %s", unit, format_plain(arena, data_real(item, "size"))),
                format_seconds(arena, data_real(item, "time_s")), parts_s);
    }
    json_array_foreach(predictions, i, item) {
        const double parts_s[N_PARTS] = {data_real(item, part_members[0]), data_real(item, part_members[1]),
                                         data_real(item, part_members[2])};
        add_bar(&made, arena_printf(arena, "%s = %s, predicted", unit, format_plain(arena, data_real(item, "p"))),
                format_seconds(arena, data_real(json_object_get(item, "time_s"), "value")), parts_s);
    }
    return made;
}

const char *counts_file(const json_t *counts, Arena *arena)
{
    enum { GAP = 16, HEADING = 30 };
    CountsChart drawn;
    Text body = {0};
    Chart chart = time_chart(counts, &drawn, arena);
    const ShareBars shares = share_bars(counts, arena);
    chart.heading = "Time: measured; the sum of the phases' laws, with its 95 % interval";
    double height = chart_body(&body, chart, arena) + GAP;
    svg_label(&body, 0, height + 20, "big", "Where the mean process's time goes", arena);
    height = bars_body(&body, shares.bars, shares.n, part_names, N_PARTS, 1, height + HEADING, arena);
    const char *file = svg_file(&body, SVG_WIDTH, fmax(height, HEADING), chart.title, arena);
    return height > 0 ? file : NULL;
}

/* ---- tables ---- */

static const char *interval_text(const json_t *time, Arena *arena)
{
    double high = data_real(time, "high");
    return arena_printf(arena, "%s to %s", format_seconds(arena, data_real(time, "low")),
                        isfinite(high) ? format_seconds(arena, high) : "∞");
}

/* The share at the last prediction. "": nothing is predicted. */
static const char *last_share(const json_t *counts, const char *list, size_t i, Arena *arena)
{
    const json_t *row = json_array_get(json_object_get(data_last(counts, "predictions"), list), i);
    return row ? format_percent(arena, data_real(row, "share")) : "";
}

static const char *last_column(const json_t *counts, Arena *arena)
{
    const json_t *last = data_last(counts, "predictions");
    return last ? arena_printf(arena, "%s = %s", is_of_sizes(counts, arena) ? "n" : "p",
                               format_plain(arena, data_real(last, "p")))
                : "";
}

/* A quantity's law with its error, and its change from the first run to the last. "": it is 0. */
static const char *law_text(const json_t *row, const char *member, Arena *arena)
{
    const json_t *series = json_object_get(row, member), *law = json_object_get(series, "law");
    if (!json_is_object(law))
        return "";
    const char *doubts = data_doubts(law);
    return arena_printf(arena, "%s → %s, %s (%s%s%s)", format_seconds(arena, data_end(series, "values", 0)),
                        format_seconds(arena, json_number_value(data_last(series, "values"))),
                        data_text(law, "formula", arena), format_percent(arena, data_real(law, "error")),
                        *doubts ? ", " : "", doubts);
}

static const char *stop_text(const json_t *row, Arena *arena)
{
    double stop = data_real(row, "stops_at_p");
    return isfinite(stop) ? arena_printf(arena, "%.0f, because of %s", stop, data_text(row, "because_of", arena)) : "";
}

static void add_phase(Table *table, const json_t *phase, const char *name, const char *predicted, Arena *arena)
{
    table_cells(table, "%s|%s|%s|%s|%s|%s|%s", name, format_percent(arena, data_real(phase, "share")), predicted,
                law_text(phase, part_members[0], arena), law_text(phase, part_members[1], arena),
                law_text(phase, part_members[2], arena), stop_text(phase, arena));
}

static void add_phases(Page *page, const json_t *counts)
{
    Arena *arena = page->arena;
    const json_t *phases = json_object_get(counts, "phases"), *phase, *last = data_last(counts, "predictions");
    Table *table = table_new(arena);
    size_t i;
    table_columns(table, "phase|>share");
    table_column(table, last_column(counts, arena), TABLE_RIGHT);
    table_columns(table, "computation, law (error)|transfer|waiting|stops scaling at p");
    json_array_foreach(phases, i, phase)
        add_phase(table, phase, data_text(phase, "structure", arena), last_share(counts, "phases", i, arena), arena);
    add_phase(table, json_object_get(counts, "others"), "(others)",
              last ? format_percent(arena, data_real(json_object_get(last, "others"), "share")) : "", arena);
    html_element(&page->text, "h3", "Phases and their laws, first what stops scaling first", arena);
    html_table(&page->text, table);
}

static void add_calls(Page *page, const json_t *counts)
{
    Arena *arena = page->arena;
    const json_t *calls = json_object_get(counts, "calls"), *call;
    Table *table = table_new(arena);
    size_t i;
    table_columns(table, "calls|>share");
    table_column(table, last_column(counts, arena), TABLE_RIGHT);
    table_columns(table, "transfer, law (error)|waiting|stops scaling at p");
    json_array_foreach(calls, i, call)
        table_cells(table, "%s|%s|%s|%s|%s|%s", data_text(call, "call", arena),
                    format_percent(arena, data_real(call, "share")), last_share(counts, "calls", i, arena),
                    law_text(call, part_members[1], arena), law_text(call, part_members[2], arena),
                    stop_text(call, arena));
    html_element(&page->text, "h3", "MPI calls, within the phases", arena);
    html_table(&page->text, table);
}

static void add_unmatched(Page *page, const json_t *counts)
{
    const json_t *unmatched = json_object_get(counts, "unmatched"), *line;
    size_t i;
    if (!json_array_size(unmatched))
        return;
    html_element(&page->text, "h3", "Phases that some run lacks, among the others", page->arena);
    text_add(&page->text, "<ul>\n");
    json_array_foreach(unmatched, i, line)
        html_element(&page->text, "li", json_is_string(line) ? json_string_value(line) : "", page->arena);
    text_add(&page->text, "</ul>\n");
}

/* What the extrapolated events tell. */
static void add_simulated(Table *table, const json_t *simulated, Arena *arena)
{
    const json_t *time = json_object_get(simulated, "time_s");
    const char *why_not = data_text(simulated, "why_not", arena);
    if (!simulated || json_is_null(simulated))
        table_cells(table, "||");
    else if (*why_not)
        table_cells(table, "||%s", why_not);
    else
        table_cells(table, "%s|%s|processes stand in %s", format_seconds(arena, data_real(time, "value")),
                    interval_text(time, arena), data_text(simulated, "layout", arena));
}

static void add_predictions(Page *page, const json_t *counts)
{
    Arena *arena = page->arena;
    const json_t *predictions = json_object_get(counts, "predictions"), *prediction;
    Table *table = table_new(arena);
    size_t i;
    if (!json_array_size(predictions))
        return;
    table_column(table, axis_title(counts, arena), TABLE_RIGHT);
    table_columns(table, "|>by laws|>95 %|>efficiency|>by events|>95 %|");
    json_array_foreach(predictions, i, prediction) {
        const json_t *time = json_object_get(prediction, "time_s");
        double efficiency = data_real(prediction, "efficiency");
        table_cells(table, "%s|%s|%s|%s|%s", format_plain(arena, data_real(prediction, "p")),
                    data_distance(prediction, arena), format_seconds(arena, data_real(time, "value")),
                    interval_text(time, arena), isfinite(efficiency) ? format_percent(arena, efficiency) : "");
        add_simulated(table, json_object_get(prediction, "simulated"), arena);
    }
    html_element(&page->text, "h3", "Predictions", arena);
    html_table(&page->text, table);
}

void section_counts(Page *page, const json_t *counts)
{
    CountsChart drawn;
    const ShareBars shares = share_bars(counts, page->arena);
    svg_chart(&page->text, time_chart(counts, &drawn, page->arena), page->arena);
    draw_bars(page, "where the time of the mean process goes", shares.bars, shares.n, part_names, N_PARTS, 1);
    add_predictions(page, counts);
    add_phases(page, counts);
    add_calls(page, counts);
    add_unmatched(page, counts);
    page_add_captions(page, json_object_get(counts, "warnings"));
}
