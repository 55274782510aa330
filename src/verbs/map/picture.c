/* SPDX-License-Identifier: BSD-3-Clause */
/* See views.h: what each task does when, as the data of schedule.gp and for pages. */
#include "verbs/map/views.h"

#include "base/json.h"
#include "report/format.h"
#include "report/plot.h"
#include "verbs/plots.h"
#include "verbs/report/page.h"
#include <math.h>
#include <stdlib.h>

/* With more tasks than rows, a row is a node; further nodes aren't drawn. */
enum { ROWS_AT_MOST = 64, BINS_AT_MOST = 600, BINS_IN_PAGE = 120, BINS_AT_LEAST = 50, NAME_ROOM = 24 };

/* Pieces in a picture, and bins of all tasks in memory. */
#define PIECES_AT_MOST 24000.0
#define BINS_IN_MEMORY 2e6

/* A row: the tasks that it shows. */
typedef struct Row {
    uint32_t first, n; /* of the order */
    uint32_t node;
} Row;

typedef struct Panel {
    const MappingProblem *problem;
    const Mapping *mapping;
    Schedule *schedule;
    uint32_t *order; /* [n_tasks] by node, then processor */
    uint32_t n_rows, n_hidden;
    Row rows[ROWS_AT_MOST];
} Panel;

typedef struct Placed {
    uint32_t processor, task;
} Placed;

static int by_processor(const void *left, const void *right)
{
    const Placed *a = left, *b = right;
    if (a->processor != b->processor)
        return a->processor < b->processor ? -1 : 1;
    return a->task < b->task ? -1 : a->task > b->task;
}

static void add_rows(Panel *panel, Arena *arena)
{
    uint32_t n = panel->problem->ttig->n_nodes, node = UINT32_MAX;
    Placed *placed = arena_new_array(arena, Placed, n);
    for (uint32_t i = 0; i < n; i++)
        placed[i] = (Placed){panel->mapping->processors[i], i};
    qsort(placed, n, sizeof *placed, by_processor);
    panel->order = arena_new_array(arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t own = panel->problem->platform->processors[placed[i].processor].node_index;
        panel->order[i] = placed[i].task;
        if (n > ROWS_AT_MOST && own == node) {
            if (!panel->n_hidden)
                panel->rows[panel->n_rows - 1].n++;
        } else if (panel->n_rows == ROWS_AT_MOST) {
            panel->n_hidden++;
        } else {
            panel->rows[panel->n_rows++] = (Row){i, 1, own};
        }
        node = own;
    }
}

static Panel make_panel(const MappingProblem *problem, const Mapping *mapping, double until_s, uint32_t bins_at_most,
                        Arena *arena)
{
    uint32_t n = problem->ttig->n_nodes;
    double affordable = fmin(PIECES_AT_MOST / (n < ROWS_AT_MOST ? n : ROWS_AT_MOST), BINS_IN_MEMORY / n);
    uint32_t n_bins = (uint32_t)fmax(BINS_AT_LEAST, fmin(bins_at_most, affordable));
    Panel panel = {.problem = problem, .mapping = mapping, .schedule = schedule_new(n, n_bins, until_s, arena)};
    simulate_watched(problem->simulation, mapping->processors, panel.schedule);
    add_rows(&panel, arena);
    return panel;
}

/* Shares of a bin's time by kind, over the row's tasks, in whole percents: finer steps can't be
 * seen. */
static void shares_of(const Panel *panel, const Row *row, uint32_t bin, double shares[N_ACTIVITIES])
{
    double all_s = row->n * panel->schedule->until_s / panel->schedule->n_bins;
    for (int activity = 0; activity < N_ACTIVITIES; activity++) {
        double sum_s = 0;
        for (uint32_t i = 0; i < row->n; i++)
            sum_s += schedule_bin(panel->schedule, panel->order[row->first + i], bin)[activity];
        shares[activity] = all_s > 0 ? round(100 * sum_s / all_s) / 100 : 0;
    }
}

/* "from to above below" of a kind, from the row's lower edge up; equal neighbouring bins are
 * joined. */
static void add_pieces(const Panel *panel, uint32_t row, Activity activity, Text *script)
{
    const double gap = 0.08, width_s = panel->schedule->until_s / panel->schedule->n_bins;
    double from_s = 0, open_below = 0, open_share = 0;
    for (uint32_t bin = 0; bin <= panel->schedule->n_bins; bin++) {
        double shares[N_ACTIVITIES] = {0}, below = 0;
        if (bin < panel->schedule->n_bins)
            shares_of(panel, &panel->rows[row], bin, shares);
        for (int i = 0; i < (int)activity; i++)
            below += shares[i];
        if (bin < panel->schedule->n_bins && bin && shares[activity] == open_share && below == open_below)
            continue;
        double lower = row + 1 - gap - (1 - 2 * gap) * open_below;
        if (open_share > 0)
            text_add(script, "%.6g %.6g %.4f %.4f\n", from_s, bin * width_s, lower - (1 - 2 * gap) * open_share, lower);
        from_s = bin * width_s;
        open_below = below;
        open_share = shares[activity];
    }
}

static void add_data(const Panel *panel, Text *data)
{
    for (int activity = 0; activity < N_ACTIVITIES; activity++) {
        for (uint32_t row = 0; row < panel->n_rows; row++)
            add_pieces(panel, row, activity, data);
        text_add(data, PLOT_PART_END);
    }
}

static bool are_tasks(const Panel *panel)
{
    return panel->problem->ttig->n_nodes <= ROWS_AT_MOST;
}

/* Of a task, or of the node that is a row. */
static const char *name_of(const Panel *panel, uint32_t row, Arena *arena)
{
    uint32_t task = panel->order[panel->rows[row].first];
    const char *name = are_tasks(panel) ? panel->problem->ttig->nodes[task].name
                                        : panel->problem->platform->nodes[panel->rows[row].node];
    return format_name(arena, name, NAME_ROOM);
}

/* "panel place name" */
static void add_names(const Panel *panel, int number, Text *data, Arena *arena)
{
    for (uint32_t row = 0; row < panel->n_rows; row++)
        text_add(data, "%d %.1f %s\n", number, row + 0.5, name_of(panel, row, arena));
}

/* Names of the tasks' nodes; and "panel place" of the lines between nodes. */
static void add_nodes(const Panel *panel, int number, Text *nodes, Text *borders, Arena *arena)
{
    uint32_t begin = 0;
    for (uint32_t row = 1; are_tasks(panel) && row <= panel->n_rows; row++) {
        uint32_t node = panel->rows[begin].node;
        if (row < panel->n_rows && panel->rows[row].node == node)
            continue;
        text_add(nodes, "%d %.1f %s\n", number, 0.5 * (begin + row),
                 format_name(arena, panel->problem->platform->nodes[node], NAME_ROOM));
        if (row < panel->n_rows)
            text_add(borders, "%d %u\n", number, row);
        begin = row;
    }
}

static const char *title_of(const Panel *panel, const Mapping *usual, Arena *arena)
{
    const Mapping *mapping = panel->mapping;
    const char *time = format_seconds(arena, mapping->completion_s), *hidden = "";
    double gain = mapping->gain;
    if (panel->n_hidden)
        hidden = arena_printf(arena, "; %u more tasks aren't drawn", panel->n_hidden);
    if (mapping == usual)
        return arena_printf(arena, "%s, the default: %s%s", mapping->mapper, time, hidden);
    if (fabs(gain) < MAPPING_LEAST_GAIN)
        return arena_printf(arena, "%s: %s, about the same%s", mapping->mapper, time, hidden);
    return arena_printf(arena, "%s: %s, %s %s%s", mapping->mapper, time, format_percent(arena, fabs(gain)),
                        gain > 0 ? "less" : "more", hidden);
}

const char *mapping_picture(const MappingProblem *problem, const Mapping *mapping, const Mapping *usual, Arena *arena)
{
    double until_s = fmax(mapping->completion_s, usual->completion_s);
    const Mapping *shown[] = {usual, mapping};
    int n = mapping == usual ? 1 : 2;
    uint32_t most_rows = 1;
    Text data = {0}, names = {0}, nodes = {0}, borders = {0}, pieces = {0};
    text_add(&data, "until = %.9g\n$panels << END\n", until_s > 0 ? until_s : 1);
    for (int i = 0; i < n; i++) {
        Panel panel = make_panel(problem, shown[i], until_s, BINS_AT_MOST, arena);
        if (panel.n_rows > most_rows)
            most_rows = panel.n_rows;
        text_add(&data, "%u %s\n", panel.n_rows, text_as_line(title_of(&panel, usual, arena), arena));
        add_names(&panel, i + 1, &names, arena);
        add_nodes(&panel, i + 1, &nodes, &borders, arena);
        add_data(&panel, &pieces);
    }
    text_add(&data, "END\nn_rows = %u\n$names << END\n%sEND\n", most_rows, text_take(&names, arena));
    text_add(&data, "$nodes << END\n%sEND\n$borders << END\n%sEND\n$pieces << END\n%sEND\n", text_take(&nodes, arena),
             text_take(&borders, arena), text_take(&pieces, arena));
    return plot_script(&data, PLOT_MAP_SCHEDULE, arena);
}

/* ---- for pages ---- */

static json_t *row_json(const Panel *panel, uint32_t row, Arena *arena)
{
    json_t *made = json_pack("{s:o}", "name", json_from_text(name_of(panel, row, arena)));
    if (are_tasks(panel))
        json_object_set_new(made, "node", json_from_text(panel->problem->platform->nodes[panel->rows[row].node]));
    for (int activity = 0; activity < N_ACTIVITIES; activity++)
        json_object_set_new(made, page_activities[activity], json_array());
    for (uint32_t bin = 0; bin < panel->schedule->n_bins; bin++) {
        double shares[N_ACTIVITIES];
        shares_of(panel, &panel->rows[row], bin, shares);
        for (int activity = 0; activity < N_ACTIVITIES; activity++)
            json_array_append_new(json_object_get(made, page_activities[activity]),
                                  json_integer(lround(100 * shares[activity])));
    }
    return made;
}

json_t *mapping_schedule_json(const MappingProblem *problem, const Mapping *mapping, const Mapping *usual, Arena *arena)
{
    double until_s = fmax(mapping->completion_s, usual->completion_s);
    const Mapping *shown[] = {usual, mapping};
    json_t *panels = json_array();
    for (int i = 0; i < (mapping == usual ? 1 : 2); i++) {
        Panel panel = make_panel(problem, shown[i], until_s, BINS_IN_PAGE, arena);
        json_t *rows = json_array();
        for (uint32_t row = 0; row < panel.n_rows; row++)
            json_array_append_new(rows, row_json(&panel, row, arena));
        json_array_append_new(
            panels, json_pack("{s:o, s:o}", "title", json_from_text(title_of(&panel, usual, arena)), "rows", rows));
    }
    return json_pack("{s:f, s:o}", "until_s", until_s, "panels", panels);
}
