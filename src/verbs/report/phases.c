/* SPDX-License-Identifier: BSD-3-Clause */
/* Phases: what they consist of, and what they add to the prediction. */
#include "verbs/report/bars.h"
#include "verbs/report/page.h"

#include "report/format.h"
#include <math.h>
#include <stdlib.h>

enum { PHASES_SHOWN = 12 };

/* ---- what they consist of ---- */

static int by_duration(const void *left, const void *right)
{
    double a = data_real(*(json_t *const *)left, "duration_s"), b = data_real(*(json_t *const *)right, "duration_s");
    return (a < b) - (a > b);
}

static void add_parts(Page *page, const Bar *bars, size_t n)
{
    Arena *arena = page->arena;
    Table *table = table_new(arena);
    table_columns(table, "phase|>share of time|>computation|>transfer|>waiting|>other");
    for (size_t i = 0; i < n; i++)
        table_cells(table, "%s|%s|%s|%s|%s|%s", bars[i].name, bars[i].value, format_seconds(arena, bars[i].parts[0]),
                    format_seconds(arena, bars[i].parts[1]), format_seconds(arena, bars[i].parts[2]),
                    format_seconds(arena, bars[i].parts[3]));
    html_details(&page->text, "as a table: times of all processes together", table);
}

static void draw_parts(Page *page, const json_t *waits)
{
    static const char *const members[BAR_PARTS] = {"computation_s", "transfer_s", "waiting_s", "other_s"};
    const json_t *phases = json_object_get(waits, "phases");
    size_t n = json_array_size(phases), shown = n < PHASES_SHOWN ? n : PHASES_SHOWN;
    json_t **sorted = arena_new_array(page->arena, json_t *, n);
    Bar *bars = arena_new_array(page->arena, Bar, shown);
    double all_s = data_sum(phases, "duration_s");
    for (size_t i = 0; i < n; i++)
        sorted[i] = json_array_get(phases, i);
    qsort(sorted, n, sizeof *sorted, by_duration);
    for (size_t i = 0; i < shown; i++) {
        bars[i].name = arena_printf(page->arena, "phase %zu", data_count(sorted[i], "id"));
        bars[i].value = format_percent(page->arena, data_real(sorted[i], "duration_s") / all_s);
        for (size_t k = 0; k < BAR_PARTS; k++)
            bars[i].parts[k] = data_real(sorted[i], members[k]);
    }
    draw_bars(page, "what the phases consist of", bars, shown, page_activities, BAR_PARTS, all_s);
    add_parts(page, bars, shown);
}

/* ---- the prediction ---- */

static void add_part(Table *table, const char *name, double time_s, double all_s, const char *from, Arena *arena)
{
    if (time_s == 0 || !isfinite(time_s))
        return;
    table_cells(table, "%s||||%s|%s|%s", name, format_seconds(arena, time_s), format_percent(arena, time_s / all_s),
                from);
}

/* A number of occurrences, which may be a mean. */
static const char *count_text(const json_t *object, const char *key, Arena *arena)
{
    return format_count(arena, (uint64_t)fmin(1e15, fmax(0, data_real(object, key))));
}

static void add_strata(Table *table, const json_t *phase, double all_s, Arena *arena)
{
    const json_t *stratum;
    size_t i;
    json_array_foreach(json_object_get(phase, "strata"), i, stratum) {
        table_cells(table, "of %zu|%s|%s|%s|%s|%s|%s", data_count(phase, "id"), count_text(stratum, "weight", arena),
                    count_text(stratum, "to_predict", arena), format_seconds(arena, data_real(stratum, "time_s")),
                    format_seconds(arena, data_real(stratum, "total_s")),
                    format_percent(arena, data_real(stratum, "total_s") / all_s),
                    json_is_true(json_object_get(stratum, "measured")) ? "measured" : "the trace, scaled");
        table_row_style(table, TABLE_DIM);
    }
}

static void add_prediction(Page *page, const json_t *prediction)
{
    Arena *arena = page->arena;
    const json_t *phases = json_object_get(prediction, "phases"), *phase;
    double all_s = data_real(prediction, "predicted_s"), others_s = 0;
    Table *table = table_new(arena);
    size_t i;
    table_columns(table, "phase|>weight|>to predict|>one occurrence|>together|>share|from");
    add_part(table, "executed", data_real(prediction, "executed_s"), all_s, "measured as it ran", arena);
    json_array_foreach(phases, i, phase) {
        if (i >= PHASES_SHOWN) {
            others_s += data_real(phase, "total_s");
            continue;
        }
        table_cells(
            table, "%zu|%s|%s|%s|%s|%s|%s", data_count(phase, "id"), format_count(arena, data_count(phase, "weight")),
            count_text(phase, "to_predict", arena), format_seconds(arena, data_real(phase, "time_s")),
            format_seconds(arena, data_real(phase, "total_s")), format_percent(arena, data_real(phase, "share")),
            json_is_true(json_object_get(phase, "measured")) ? "measured" : "the trace, scaled");
        add_strata(table, phase, all_s, arena);
    }
    add_part(table, "others", others_s, all_s, "", arena);
    add_part(table, "correction", data_real(prediction, "correction_s"), all_s, "the trace, which isn't stationary",
             arena);
    add_part(table, "same machine", data_real(prediction, "drawn_s"), all_s,
             "towards the traced run, as far as both differ by noise", arena);
    add_part(table, "recording", data_real(prediction, "recording_s"), all_s,
             "the recorder, which isn't there without firma", arena);
    add_part(table, "shutdown", data_real(prediction, "shutdown_s"), all_s, "the trace, scaled", arena);
    table_cells(table, "predicted||||%s|100 %%|", format_seconds(arena, all_s));
    html_element(&page->text, "h3", "What the prediction is the sum of", arena);
    html_table(&page->text, table);
}

/* ---- the traced run ---- */

static void add_traced(Page *page, const json_t *phases)
{
    Arena *arena = page->arena;
    const json_t *phase;
    size_t i;
    Table *table = table_new(arena);
    table_columns(table, ">phase|>ticks|>weight|>mean duration|>share of time|>similarity|relevant");
    json_array_foreach(json_object_get(phases, "phases"), i, phase)
        table_cells(table, "%zu|%s|%s|%s|%s|%s|%s", data_count(phase, "id"),
                    format_count(arena, data_count(phase, "ticks")), format_count(arena, data_count(phase, "weight")),
                    format_seconds(arena, data_real(phase, "mean_duration_s")),
                    format_percent(arena, data_real(phase, "share")),
                    format_percent(arena, data_real(phase, "similarity")),
                    json_is_true(json_object_get(phase, "relevant")) ? "yes" : "no");
    html_details(&page->text, "phases of the traced run", table);
}

void section_phases(Page *page, const json_t *phases)
{
    const json_t *waits = json_object_get(page->documents, "waits");
    const json_t *prediction = json_object_get(page->documents, "prediction");
    const json_t *timeline = json_object_get(page->documents, "timeline"), *occurrence;
    size_t i;
    if (waits)
        draw_parts(page, waits);
    if (timeline && !json_object_get(page->documents, "activity")) /* which shows them, too */
        draw_timeline(page, timeline);
    json_array_foreach(json_object_get(page->documents, "occurrences"), i, occurrence)
        draw_occurrence(page, occurrence);
    if (prediction)
        add_prediction(page, prediction);
    add_traced(page, phases);
}
