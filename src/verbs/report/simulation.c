/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulations of another machine: its time, what that depends on, sweeps. */
#include "verbs/report/bars.h"
#include "verbs/report/page.h"
#include "verbs/report/pictures.h"

#include "report/chart.h"
#include "report/format.h"
#include <math.h>

/* ---- sensitivities ---- */

static const struct {
    const char *member, *name;
} changes[] = {{"network_change", "a 10 % better network"},
               {"bandwidth_change", "10 % more bandwidth"},
               {"latency_change", "10 % longer latencies"},
               {"speed_change", "10 % faster processors"}};
enum { N_CHANGES = sizeof changes / sizeof *changes };

/* The time that a change saves lies left of the line at 0, and the time that it costs right of it. */
static void draw_changes(Page *page, const json_t *simulation)
{
    enum { LEFT = 190, RIGHT = SVG_WIDTH - 30, TOP = 6, LINE = 26, THICK = 16 };
    double most = 1e-3;
    Text *text = &page->text;
    Arena *arena = page->arena;
    for (size_t i = 0; i < N_CHANGES; i++)
        most = fmax(most, fabs(data_real(simulation, changes[i].member)));
    Axis axis = {.least = -most,
                 .most = most,
                 .from = LEFT,
                 .to = RIGHT,
                 .format = format_percent,
                 .title = "change of the time"};
    axis_round(&axis);
    double below = TOP + LINE * (double)N_CHANGES;
    svg_begin(text, below + 42, "what the time depends on", arena);
    svg_axis_below(text, &axis, below, TOP, arena);
    for (size_t i = 0; i < N_CHANGES; i++) {
        double change = data_real(simulation, changes[i].member), y = TOP + LINE * (double)i;
        svg_label(text, LEFT - 8, y + 16, "e", changes[i].name, arena);
        if (isfinite(change))
            svg_box(text, axis_at(&axis, fmin(0, change)), y + 4, fabs(axis_at(&axis, change) - axis_at(&axis, 0)),
                    THICK, change < 0 ? "s0" : "waiting",
                    arena_printf(arena, "%s: %s", changes[i].name, format_percent(arena, change)), arena);
    }
    svg_line(text, axis_at(&axis, 0), TOP, axis_at(&axis, 0), below, "axis");
    svg_end(text);
}

static void add_changes(Page *page, const json_t *simulation)
{
    Arena *arena = page->arena;
    Table *table = table_new(arena);
    const json_t *tolerance;
    size_t i;
    if (!json_object_get(simulation, "speed_change"))
        return;
    table_columns(table, "with|>the time changes by");
    for (size_t k = 0; k < N_CHANGES; k++)
        table_cells(table, "%s|%s", changes[k].name, format_percent(arena, data_real(simulation, changes[k].member)));
    json_array_foreach(json_object_get(simulation, "tolerances"), i, tolerance) {
        double factor = data_real(tolerance, "latency_factor");
        table_cells(table, "latency × %s|%s", isnan(factor) ? "10 000 and more" : arena_printf(arena, "%.3g", factor),
                    format_percent(arena, data_real(tolerance, "slower")));
    }
    html_element(&page->text, "h3", "What the time depends on", arena);
    draw_changes(page, simulation);
    html_details(&page->text, "as a table, with the latencies that the program tolerates", table);
}

/* ---- sweeps ---- */

static const char *const parameters[] = {"latency", "bandwidth", "speed"};
enum { N_PARAMETERS = sizeof parameters / sizeof *parameters, LINES_LIMIT = 24 };

/* The first parameter of the sweep is the one that changes from point to point. */
static size_t first_parameter(const json_t *sweep)
{
    const json_t *first = json_array_get(sweep, 0), *second = json_array_get(sweep, 1);
    for (size_t k = 0; k < N_PARAMETERS; k++)
        if (data_real(first, parameters[k]) != data_real(second, parameters[k]))
            return k;
    return 0;
}

static bool is_same_line(const json_t *one, const json_t *other, size_t parameter)
{
    for (size_t k = 0; k < N_PARAMETERS; k++)
        if (k != parameter && data_real(one, parameters[k]) != data_real(other, parameters[k]))
            return false;
    return true;
}

/* The other parameters: "bandwidth × 2". */
static const char *line_name(const json_t *point, size_t parameter, Arena *arena)
{
    const char *name = "";
    for (size_t k = 0; k < N_PARAMETERS; k++)
        if (k != parameter && data_real(point, parameters[k]) != 1)
            name = arena_printf(arena, "%s%s%s × %g", name, *name ? ", " : "", parameters[k],
                                data_real(point, parameters[k]));
    return *name ? name : "the platform's other values";
}

/* lines: room for them. */
static Chart sweep_chart(const json_t *sweep, Curve lines[LINES_LIMIT], Arena *arena)
{
    size_t n = json_array_size(sweep), parameter = first_parameter(sweep), n_lines = 0;
    const double *factors = data_column(sweep, parameters[parameter], arena);
    const double *times_s = data_column(sweep, "predicted_s", arena);
    for (size_t from = 0, to; from < n && n_lines < LINES_LIMIT; from = to) {
        const json_t *first = json_array_get(sweep, from);
        for (to = from + 1; to < n && is_same_line(first, json_array_get(sweep, to), parameter);)
            to++;
        lines[n_lines] = (Curve){.name = line_name(first, parameter, arena),
                                 .n = to - from,
                                 .x = factors + from,
                                 .y = times_s + from,
                                 .is_line = true,
                                 .is_points = true,
                                 .colour = n_lines,
                                 .dash = n_lines / SVG_COLOURS % CHART_DASHES};
        n_lines++;
    }
    return (Chart){.title = "predicted time over a parameter of the machine",
                   .height = 280,
                   .x = {.is_logarithmic = true,
                         .is_binary = true,
                         .format = format_plain,
                         .title = arena_printf(arena, "%s, as a multiple of the platform's", parameters[parameter])},
                   .y = {.format = format_seconds, .title = "predicted time"},
                   .n_curves = n_lines,
                   .curves = lines};
}

const char *sweep_file(const json_t *sweep, const char *heading, Arena *arena)
{
    Text body = {0};
    Curve lines[LINES_LIMIT];
    Chart chart = sweep_chart(sweep, lines, arena);
    chart.heading = heading;
    return svg_file(&body, SVG_WIDTH, chart_body(&body, chart, arena), heading, arena);
}

static void add_sweep(Page *page, const json_t *sweep)
{
    Arena *arena = page->arena;
    const json_t *point;
    size_t i;
    Curve lines[LINES_LIMIT];
    Table *table = table_new(arena);
    if (!json_array_size(sweep))
        return;
    table_columns(table, ">latency ×|>bandwidth ×|>speed ×|>time|>change");
    json_array_foreach(sweep, i, point)
        table_cells(table, "%s|%s|%s|%s|%s", format_plain(arena, data_real(point, "latency")),
                    format_plain(arena, data_real(point, "bandwidth")), format_plain(arena, data_real(point, "speed")),
                    format_seconds(arena, data_real(point, "predicted_s")),
                    format_percent(arena, data_real(point, "change")));
    html_element(&page->text, "h3", "With other machines", arena);
    svg_chart(&page->text, sweep_chart(sweep, lines, arena), arena);
    html_details(&page->text, "as a table", table);
}

/* ---- the section ---- */

static void add_schedule(Page *page, const json_t *schedule)
{
    if (!schedule)
        return;
    html_element(&page->text, "h3", "What each process does when", page->arena);
    html_element(&page->text, "p class=caption", data_text(schedule, "note", page->arena), page->arena);
    draw_activity(page, json_object_get(schedule, "activity"), json_object_get(schedule, "timeline"),
                  "simulation.schedule.activity");
}

void section_simulation(Page *page, const json_t *simulation)
{
    Arena *arena = page->arena;
    double there_s = data_real(simulation, "predicted_s");
    const Bar bar = {"simulated",
                     format_seconds(arena, there_s),
                     {there_s * data_real(simulation, "compute_share"),
                      there_s * data_real(simulation, "transfer_share"),
                      there_s * data_real(simulation, "waiting_share")}};
    draw_bars(page, "simulated time", &bar, 1, page_activities, BAR_PARTS - 1, there_s);
    html_element(&page->text, "p",
                 arena_printf(arena,
                              "%s; computation %s; the traced run took %s. %zu of %zu occurrences of phases were "
                              "simulated.",
                              data_text(simulation, "platform", arena), data_text(simulation, "computation", arena),
                              format_seconds(arena, data_real(simulation, "traced_s")),
                              data_count(simulation, "simulated_occurrences"), data_count(simulation, "occurrences")),
                 arena);
    add_schedule(page, json_object_get(simulation, "schedule"));
    add_changes(page, simulation);
    add_sweep(page, json_object_get(simulation, "sweep"));
}
