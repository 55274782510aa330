/* SPDX-License-Identifier: BSD-3-Clause */
/* Other machines and placements: simulations, mappings, costs from source. */
#include "verbs/report/bars.h"
#include "verbs/report/page.h"

#include "report/chart.h"
#include "report/format.h"
#include <math.h>

enum { MAPPINGS_SHOWN = 10 };

/* ---- simulation ---- */

static const struct {
    const char *member, *name;
} changes[] = {{"network_change", "a 10 % better network"},
               {"latency_change", "10 % longer latencies"},
               {"bandwidth_change", "10 % more bandwidth"},
               {"speed_change", "10 % faster processors"}};

static void add_changes(Page *page, const json_t *simulation)
{
    Arena *arena = page->arena;
    Table *table = table_new(arena);
    const json_t *tolerance;
    size_t i;
    if (!json_object_get(simulation, "speed_change"))
        return;
    table_columns(table, "with|>the time changes by");
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++)
        table_cells(table, "%s|%s", changes[k].name, format_percent(arena, data_real(simulation, changes[k].member)));
    json_array_foreach(json_object_get(simulation, "tolerances"), i, tolerance)
    {
        double factor = data_real(tolerance, "latency_factor");
        table_cells(table, "latency × %s|%s", isnan(factor) ? "10 000 and more" : arena_printf(arena, "%.3g", factor),
                    format_percent(arena, data_real(tolerance, "slower")));
    }
    html_element(&page->text, "h3", "What the time depends on", arena);
    html_table(&page->text, table);
}

static void add_sweep(Page *page, const json_t *sweep)
{
    Arena *arena = page->arena;
    const json_t *point;
    size_t i;
    Table *table = table_new(arena);
    if (!json_array_size(sweep))
        return;
    table_columns(table, ">latency ×|>bandwidth ×|>speed ×|>time|>change");
    json_array_foreach(sweep, i, point) table_cells(
        table, "%s|%s|%s|%s|%s", format_plain(arena, data_real(point, "latency")),
        format_plain(arena, data_real(point, "bandwidth")), format_plain(arena, data_real(point, "speed")),
        format_seconds(arena, data_real(point, "predicted_s")), format_percent(arena, data_real(point, "change")));
    html_element(&page->text, "h3", "With other machines", arena);
    html_table(&page->text, table);
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
    add_changes(page, simulation);
    add_sweep(page, json_object_get(simulation, "sweep"));
}

/* ---- mapping ---- */

static void add_places(Page *page, const json_t *mapping)
{
    Arena *arena = page->arena;
    const json_t *place;
    size_t i;
    Table *table = table_new(arena);
    table_columns(table, "task|node|>core");
    json_array_foreach(json_object_get(mapping, "places"), i, place)
        table_cells(table, "%s|%s|%zu", data_text(place, "task", arena), data_text(place, "node", arena),
                    data_count(place, "core"));
    html_details(&page->text, "where the best mapping has each task", table);
}

void section_mapping(Page *page, const json_t *document)
{
    Arena *arena = page->arena;
    const json_t *mappings = json_object_get(document, "mappings"), *mapping;
    size_t n = json_array_size(mappings), shown = n < MAPPINGS_SHOWN ? n : MAPPINGS_SHOWN, i;
    Bar *bars = arena_new_array(arena, Bar, shown);
    double longest_s = 0;
    Table *table = table_new(arena);
    table_columns(table, "mapping|>predicted|>saved|>at least|>at most|>between nodes|>within");
    json_array_foreach(mappings, i, mapping)
    {
        const char *name = data_text(mapping, "mapper", arena);
        double time_s = data_real(mapping, "predicted_s");
        if (i < shown)
            bars[i] = (Bar){name, format_seconds(arena, time_s), {time_s}};
        longest_s = i < shown && time_s > longest_s ? time_s : longest_s;
        table_cells(table, "%s|%s|%s|%s|%s|%s|%s", name, format_seconds(arena, time_s),
                    format_percent(arena, data_real(mapping, "gain")),
                    format_percent(arena, data_real(mapping, "gain_low")),
                    format_percent(arena, data_real(mapping, "gain_high")),
                    format_bytes(arena, data_real(mapping, "remote_bytes")),
                    format_bytes(arena, data_real(mapping, "local_bytes")));
    }
    html_element(&page->text, "p",
                 arena_printf(arena, "On %s. %s",
                              data_text(json_object_get(document, "platform"), "description", arena),
                              json_is_true(json_object_get(document, "gain_expected"))
                                  ? "The best mapping is expected to gain."
                                  : arena_printf(arena, "No mapping is expected to gain on the default, %s.",
                                                 data_text(document, "default", arena))),
                 arena);
    draw_bars(page, "predicted times of mappings", bars, shown, (const char *const[]){"s2"}, 1, longest_s);
    html_table(&page->text, table);
    if (n)
        add_places(page, json_array_get(mappings, 0));
}

/* ---- costs from source ---- */

/* An interval for each number of workers, over measured runs. */
static void draw_costs(Page *page, const json_t *predictions)
{
    Arena *arena = page->arena;
    size_t n = json_array_size(predictions), i, k, n_runs = 0;
    const json_t *prediction, *run;
    double *workers = arena_new_array(arena, double, n), *low = arena_new_array(arena, double, n);
    double *high = arena_new_array(arena, double, n), *middle = arena_new_array(arena, double, n);
    json_array_foreach(predictions, i, prediction)
    {
        const json_t *time = json_object_get(prediction, "time_s");
        workers[i] = data_real(prediction, "workers");
        low[i] = json_number_value(json_array_get(time, 0));
        high[i] = json_number_value(json_array_get(time, 1));
        middle[i] = (low[i] + high[i]) / 2;
        n_runs += json_array_size(json_object_get(prediction, "measured"));
    }
    double *run_workers = arena_new_array(arena, double, n_runs), *run_s = arena_new_array(arena, double, n_runs);
    size_t at = 0;
    json_array_foreach(predictions, i, prediction) json_array_foreach(json_object_get(prediction, "measured"), k, run)
    {
        run_workers[at] = workers[i];
        run_s[at++] = data_real(run, "time_s");
    }
    const Curve curves[] = {
        {.name = "least to most, and their middle",
         .n = n,
         .x = workers,
         .y = middle,
         .low = low,
         .high = high,
         .is_points = true},
        {.name = "measured", .n = n_runs, .x = run_workers, .y = run_s, .is_points = true, .colour = 1}};
    svg_chart(&page->text,
              (Chart){.title = "predicted time over workers",
                      .height = 280,
                      .x = {.is_whole = true, .format = format_plain, .title = "workers"},
                      .y = {.format = format_seconds, .title = "time"},
                      .n_curves = n_runs ? 2 : 1,
                      .curves = curves},
              arena);
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
    draw_costs(page, predictions);
    table_columns(table, ">workers|machines|>least|>most|limited by");
    json_array_foreach(predictions, i, prediction)
    {
        const json_t *time = json_object_get(prediction, "time_s");
        table_cells(table, "%zu|%s|%s|%s|%s", data_count(prediction, "workers"),
                    data_text(prediction, "machines", arena),
                    format_seconds(arena, json_number_value(json_array_get(time, 0))),
                    format_seconds(arena, json_number_value(json_array_get(time, 1))),
                    data_text(prediction, "bottleneck", arena));
    }
    html_details(&page->text, "as a table", table);
}
