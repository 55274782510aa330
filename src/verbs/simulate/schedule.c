/* SPDX-License-Identifier: BSD-3-Clause */
/* What each process does over simulated time: the time is cut into equal columns. */
#include "report/format.h"
#include "verbs/report/page.h"
#include "verbs/simulate/views.h"

#include <math.h>
#include <stdlib.h>

enum { COLUMNS = 320, ROWS_LIMIT = 64, COLOURED = 4, SHOWN_OCCURRENCES = 48 };

typedef struct Columns {
    const Chart *schedule;
    const Signature *signature;
    double end_s, column_s;
    uint32_t per_row, n_rows;                /* processes of a row, and rows */
    uint32_t n_coloured, coloured[COLOURED]; /* ids of the phases that take longest */
    double (*time_s)[COLUMNS][CHART_KINDS];  /* [n_rows] */
    double (*phase_s)[COLOURED];             /* [COLUMNS] */
} Columns;

/* ---- phases ---- */

static double phase_s(const Signature *signature, const Phase *phase)
{
    double sum_s = 0;
    for (uint32_t i = 0; i < signature->application.n_processes; i++)
        sum_s += phase->processes[i].total_s;
    return sum_s;
}

/* The place of a phase among those with a colour; COLOURED: it has none. */
static uint32_t colour_of(const Columns *columns, uint32_t phase)
{
    for (uint32_t i = 0; i < columns->n_coloured; i++)
        if (columns->coloured[i] == phase)
            return i;
    return COLOURED;
}

static void choose_coloured(Columns *columns)
{
    const Signature *signature = columns->signature;
    while (columns->n_coloured < COLOURED) {
        const Phase *longest = NULL;
        for (uint32_t i = 0; i < signature->n_phases; i++) {
            const Phase *phase = &signature->phases[i];
            if (phase_s(signature, phase) > 0 && colour_of(columns, phase->id) == COLOURED &&
                (!longest || phase_s(signature, phase) > phase_s(signature, longest)))
                longest = phase;
        }
        if (!longest)
            return;
        columns->coloured[columns->n_coloured++] = longest->id;
    }
}

/* ---- columns ---- */

/* Waits are parts of calls, which are transfers otherwise. */
static void add_bar(const Columns *columns, const ChartBar *bar)
{
    double from_s = 1e-9 * (double)bar->from_ns, to_s = fmin(1e-9 * (double)bar->to_ns, columns->end_s);
    uint32_t row = bar->process / columns->per_row, colour = colour_of(columns, bar->phase);
    for (size_t i = (size_t)(from_s / columns->column_s); from_s < to_s && i < COLUMNS; i++) {
        double border_s = fmin(to_s, (double)(i + 1) * columns->column_s), part_s = fmax(0, border_s - from_s);
        columns->time_s[row][i][bar->kind] += part_s;
        if (bar->kind == CHART_WAITING)
            columns->time_s[row][i][CHART_TRANSFER] -= part_s;
        else if (colour < COLOURED)
            columns->phase_s[i][colour] += part_s;
        from_s = border_s;
    }
}

/* ---- JSON ---- */

static json_t *row_json(const Columns *columns, uint32_t row)
{
    static const ChartKind kinds[] = {CHART_COMPUTATION, CHART_TRANSFER, CHART_WAITING};
    uint32_t first = row * columns->per_row, left = columns->schedule->n_processes - first;
    double whole_s = columns->column_s * (left < columns->per_row ? left : columns->per_row);
    json_t *made = json_object();
    for (size_t k = 0; k < N_PAGE_ACTIVITIES; k++) {
        json_t *percents = json_array();
        for (size_t i = 0; i < COLUMNS; i++) {
            double time_s = k < CHART_KINDS ? columns->time_s[row][i][kinds[k]] : 0;
            json_array_append_new(percents, json_integer(lround(100 * fmax(0, time_s) / whole_s)));
        }
        json_object_set_new(made, page_activities[k], percents);
    }
    return made;
}

static json_t *gaps_json(const Chart *schedule, size_t n_shown)
{
    json_t *gaps = json_array();
    for (size_t i = 0; i < n_shown; i++)
        if (schedule->occurrences[i].left_out)
            json_array_append_new(gaps, json_pack("{s:f, s:I}", "at_s", schedule->occurrences[i].begin_s, "left_out",
                                                  (json_int_t)schedule->occurrences[i].left_out));
    return gaps;
}

static json_t *activity_json_of(const Columns *columns, size_t n_shown)
{
    json_t *rows = json_array();
    for (uint32_t i = 0; i < columns->n_rows; i++)
        json_array_append_new(rows, row_json(columns, i));
    return json_pack("{s:f, s:i, s:i, s:o, s:o}", "length_s", columns->end_s, "processes",
                     (int)columns->schedule->n_processes, "processes_per_row", (int)columns->per_row, "rows", rows,
                     "gaps", gaps_json(columns->schedule, n_shown));
}

static json_t *timeline_json_of(const Columns *columns)
{
    json_t *times = json_array(), *ids = json_array(), *shares = json_array();
    double whole_s = columns->column_s * columns->schedule->n_processes;
    for (uint32_t k = 0; k < columns->n_coloured; k++)
        json_array_append_new(ids, json_integer(columns->coloured[k]));
    for (size_t i = 0; i < COLUMNS; i++) {
        json_t *row = json_array();
        double rest = 1;
        for (uint32_t k = 0; k < columns->n_coloured; k++) {
            rest -= columns->phase_s[i][k] / whole_s;
            json_array_append_new(row, json_real(columns->phase_s[i][k] / whole_s));
        }
        json_array_append_new(row, json_real(fmax(0, rest)));
        json_array_append_new(shares, row);
    }
    for (size_t i = 0; i <= COLUMNS; i++)
        json_array_append_new(times, json_real((double)i * columns->column_s));
    return json_pack("{s:o, s:o, s:o}", "times_s", times, "phases", ids, "shares", shares);
}

static const char *note_of(const Simulated *simulated, size_t n_shown, Arena *arena)
{
    const Chart *schedule = simulated->schedule;
    bool has_gaps = false;
    for (size_t i = 0; i < n_shown; i++)
        has_gaps |= schedule->occurrences[i].left_out > 0;
    return arena_printf(arena, "%s of %s occurrences of phases are simulated; %s drawn%s",
                        format_count(arena, simulated->n_sampled), format_count(arena, simulated->n_occurrences),
                        n_shown < simulated->n_sampled
                            ? arena_printf(arena, "the first %s are", format_count(arena, n_shown))
                            : "all of these are",
                        has_gaps ? "; a dotted line: so many are left out" : "");
}

json_t *schedule_json(const SimulateView *view, Arena *arena)
{
    const Simulated *simulated = view->simulated;
    const Chart *schedule = simulated->schedule;
    bool is_cut = schedule->n_occurrences > SHOWN_OCCURRENCES;
    size_t n_shown = is_cut ? SHOWN_OCCURRENCES : schedule->n_occurrences;
    Columns columns = {.schedule = schedule,
                       .signature = &simulated->target,
                       .end_s = is_cut ? schedule->occurrences[SHOWN_OCCURRENCES].begin_s : schedule->end_s,
                       .per_row = (schedule->n_processes + ROWS_LIMIT - 1) / ROWS_LIMIT,
                       .phase_s = arena_alloc(arena, COLUMNS * sizeof *columns.phase_s)};
    columns.end_s = fmax(columns.end_s, 1e-9);
    columns.column_s = columns.end_s / COLUMNS;
    columns.n_rows = (schedule->n_processes + columns.per_row - 1) / columns.per_row;
    columns.time_s = arena_alloc(arena, columns.n_rows * sizeof *columns.time_s);
    choose_coloured(&columns);
    for (size_t i = 0; i < schedule->n_bars; i++)
        add_bar(&columns, &schedule->bars[i]);
    return json_pack("{s:o, s:o, s:o}", "activity", activity_json_of(&columns, n_shown), "timeline",
                     timeline_json_of(&columns), "note", json_from_text(note_of(simulated, n_shown, arena)));
}
