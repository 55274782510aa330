/* SPDX-License-Identifier: BSD-3-Clause */
/* What runs on several numbers of processes say, phase by phase, as text. */
#include "verbs/scale/counts_views.h"

#include "base/text.h"
#include "report/format.h"
#include "report/table.h"
#include "verbs/scale/scale.h"

#include <inttypes.h>
#include <math.h>

static const char *dash_or_seconds(double seconds, Arena *arena)
{
    return seconds > 0 ? format_seconds(arena, seconds) : "-";
}

/* The quantity's first and last value. */
static const char *change_text(const CountSeries *series, uint32_t n_runs, Arena *arena)
{
    return arena_printf(arena, "%s → %s", dash_or_seconds(series->values[0], arena),
                        dash_or_seconds(series->values[n_runs - 1], arena));
}

static const char *weight_text(const CountSeries *weight, uint32_t n_runs, Arena *arena)
{
    uint64_t first = (uint64_t)weight->values[0], last = (uint64_t)weight->values[n_runs - 1];
    return first == last ? format_count(arena, first)
                         : arena_printf(arena, "%s → %s", format_count(arena, first), format_count(arena, last));
}

static const char *stop_text(const CountPhase *phase, Arena *arena)
{
    return isfinite(phase->stops_p) ? arena_printf(arena, "%.0f", phase->stops_p) : "none";
}

/* Of the time of each run. */
static double share_in(const CountPhase *row, const Counts *counts, uint32_t run)
{
    double sum_s = 0;
    for (int part = 0; part < COUNT_PARTS; part++)
        sum_s += row->parts[part].values[run];
    return sum_s / counts->runs[run].time_s;
}

static char variable(const Counts *counts)
{
    return counts->scaling == COUNT_SIZES ? 'n' : 'p';
}

/* Columns that tell where a row stops scaling, and its share at the last prediction. */
static void add_end_columns(Table *table, const Counts *counts, Arena *arena)
{
    if (counts->n_predictions)
        table_column(
            table,
            arena_printf(arena, "at %c = %u", variable(counts), counts->predictions[counts->n_predictions - 1].p),
            TABLE_RIGHT);
    if (counts_have_efficiency(counts))
        table_columns(table, ">stops at p|because of");
}

static void add_end_cells(Table *table, const CountPhase *row, const CountShare *predicted, const Counts *counts,
                          Arena *arena)
{
    if (predicted)
        table_cells(table, "%s", format_percent(arena, predicted->share));
    if (counts_have_efficiency(counts))
        table_cells(table, "%s|%s", stop_text(row, arena),
                    isfinite(row->stops_p) ? count_part_names[row->because] : "-");
}

static void add_phase(Table *table, const char *name, const CountPhase *phase, const CountShare *predicted,
                      const Counts *counts, Arena *arena)
{
    uint32_t n = counts->n_runs;
    table_cells(table, "%s|%s|%s", name, format_percent(arena, phase->share), weight_text(&phase->weight, n, arena));
    for (int part = 0; part < COUNT_PARTS; part++)
        table_cells(table, "%s", change_text(&phase->parts[part], n, arena));
    add_end_cells(table, phase, predicted, counts, arena);
}

/* NULL: nothing is predicted. */
static const CountPrediction *last_prediction(const Counts *counts)
{
    return counts->n_predictions ? &counts->predictions[counts->n_predictions - 1] : NULL;
}

static const char *phases_table(const Counts *counts, bool color, Arena *arena)
{
    Table *table = table_new(arena);
    const CountPrediction *last = last_prediction(counts);
    table_columns(table, "phase|>share|>weight|>computation|>transfer|>waiting");
    add_end_columns(table, counts, arena);
    for (uint32_t i = 0; i < counts->n_phases; i++)
        add_phase(table, counts->phases[i].structure, &counts->phases[i], last ? &last->phases[i] : NULL, counts,
                  arena);
    add_phase(table, "(others)", &counts->rest, last ? &last->rest : NULL, counts, arena);
    return table_text(table, color);
}

static const char *calls_table(const Counts *counts, bool color, Arena *arena)
{
    Table *table = table_new(arena);
    uint32_t n = counts->n_runs;
    const CountPrediction *last = last_prediction(counts);
    table_columns(table, "calls|>share|>number|>transfer|>waiting");
    add_end_columns(table, counts, arena);
    for (uint32_t i = 0; i < counts->n_calls; i++) {
        const CountPhase *row = &counts->calls[i];
        table_cells(table, "%s|%s → %s|%s|%s|%s", row->structure, format_percent(arena, share_in(row, counts, 0)),
                    format_percent(arena, share_in(row, counts, n - 1)), weight_text(&row->weight, n, arena),
                    change_text(&row->parts[COUNT_TRANSFER], n, arena),
                    change_text(&row->parts[COUNT_WAITING], n, arena));
        add_end_cells(table, row, last ? &last->calls[i] : NULL, counts, arena);
    }
    return table_text(table, color);
}

static const char *predictions_table(const Counts *counts, bool color, Arena *arena)
{
    Table *table = table_new(arena);
    bool has_efficiency = counts_have_efficiency(counts);
    table_column(table, counts->scaling == COUNT_SIZES ? "n" : "p", TABLE_RIGHT);
    table_columns(table, ">time|>95 %|>computation|>transfer|>waiting");
    if (has_efficiency)
        table_column(table, "efficiency", TABLE_RIGHT);
    table_column(table, "", TABLE_LEFT);
    for (uint32_t i = 0; i < counts->n_predictions; i++) {
        const CountPrediction *prediction = &counts->predictions[i];
        table_cells(table, "%u|%s|%s to %s", prediction->p, format_seconds(arena, prediction->time_s.value),
                    format_seconds(arena, prediction->time_s.low),
                    isfinite(prediction->time_s.high) ? format_seconds(arena, prediction->time_s.high) : "∞");
        for (int part = 0; part < COUNT_PARTS; part++)
            table_cells(table, "%s", dash_or_seconds(prediction->parts_s[part], arena));
        if (has_efficiency)
            table_cells(table, "%s", format_percent(arena, prediction->efficiency));
        table_cells(table, "%s", scale_distance_text(&prediction->distance, arena));
    }
    return table_text(table, color);
}

static const char *simulated_table(const Counts *counts, bool color, Arena *arena)
{
    Table *table = table_new(arena);
    table_columns(table, ">p|>time|>95 %|>computation|>waiting|>events|processes stand in|");
    for (uint32_t i = 0; i < counts->n_predictions; i++) {
        const CountSimulated *simulated = counts->predictions[i].simulated;
        if (simulated->why_not)
            table_cells(table, "%u|%s|%s|%s|%s|%s|%s", counts->predictions[i].p, "-", "-", "-", "-", "-", "-");
        else
            table_cells(table, "%u|%s|%s to %s|%s|%s|%s|%s", counts->predictions[i].p,
                        format_seconds(arena, simulated->time_s.value), format_seconds(arena, simulated->time_s.low),
                        format_seconds(arena, simulated->time_s.high), format_percent(arena, simulated->compute_share),
                        format_percent(arena, simulated->waiting_share), format_count(arena, simulated->n_events),
                        simulated->layout);
        table_cells(table, "%s", scale_distance_text(&counts->predictions[i].distance, arena));
    }
    return table_text(table, color);
}

static void add_runs(Text *text, const Counts *counts, Arena *arena)
{
    static const char *const names[] = {[COUNT_UNKNOWN] = "strong or weak scaling",
                                        [COUNT_STRONG] = "strong scaling",
                                        [COUNT_WEAK] = "weak scaling",
                                        [COUNT_SIZES] = "problem sizes"};
    text_add(text, "%s, from %u runs:", names[counts->scaling], counts->n_runs);
    for (uint32_t i = 0; i < counts->n_runs; i++)
        text_add(text, "%s %s with %c = %.15g", i ? "," : "", format_seconds(arena, counts->runs[i].time_s),
                 variable(counts), counts->runs[i].x);
    text_add(text, "\n\n");
}

static void add_unmatched(Text *text, const Counts *counts)
{
    if (counts->n_unmatched)
        text_add(text, "\nWithout a partner in some run, and among the others:\n");
    for (uint32_t i = 0; i < counts->n_unmatched; i++)
        text_add(text, "  %s\n", counts->unmatched[i]);
}

const char *counts_text(const Counts *counts, bool color, Arena *arena)
{
    Text text = {0};
    add_runs(&text, counts, arena);
    text_add(&text, "%s", phases_table(counts, color, arena));
    text_add(&text, "\nTimes are those of the mean process, in the first run and in the last one.");
    if (counts_have_efficiency(counts))
        text_add(&text, " A phase stops where its efficiency falls below %s, by its laws.",
                 format_percent(arena, counts->efficiency_limit));
    text_add(&text, "\n");
    add_unmatched(&text, counts);
    if (counts->n_calls)
        text_add(&text, "\nCalls of the mean process, within the phases, the longest first:\n%s",
                 calls_table(counts, color, arena));
    if (counts->n_predictions)
        text_add(&text, "\nBy the laws of the phases, on the machine of the runs:\n%s",
                 predictions_table(counts, color, arena));
    if (counts->n_predictions && counts->predictions[0].simulated)
        text_add(&text, "\nBy the extrapolated events, simulated on the machine that is named:\n%s",
                 simulated_table(counts, color, arena));
    for (uint32_t i = 0; i < counts->n_predictions; i++)
        if (counts->predictions[i].simulated && counts->predictions[i].simulated->why_not)
            text_add(&text, "p = %u isn't simulated: %s\n", counts->predictions[i].p,
                     counts->predictions[i].simulated->why_not);
    for (uint32_t i = 0; i < counts->n_warnings; i++)
        text_add(&text, "%swarning: %s\n", i ? "" : "\n", text_as_line(counts->warnings[i], arena));
    return text_take(&text, arena);
}
