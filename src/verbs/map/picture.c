/* SPDX-License-Identifier: BSD-3-Clause */
/* See views.h: what each task does when. */
#include "verbs/map/views.h"

#include "base/json.h"
#include "placement/launching/order.h"
#include "report/format.h"
#include "verbs/report/page.h"
#include <math.h>

/* With more tasks than rows, a row is a node; further nodes aren't drawn. */
enum { ROWS_AT_MOST = 64, BINS_AT_MOST = 160, BINS_AT_LEAST = 50, NAME_ROOM = 24 };

/* Of all tasks. */
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

static void add_rows(Panel *panel, Arena *arena)
{
    uint32_t n = panel->problem->ttig->n_nodes, node = UINT32_MAX;
    const PlacedTask *placed = launch_order_tasks(panel->mapping->processors, n, arena);
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

static Panel make_panel(const MappingProblem *problem, const Mapping *mapping, double until_s, Arena *arena)
{
    uint32_t n = problem->ttig->n_nodes;
    uint32_t n_bins = (uint32_t)fmax(BINS_AT_LEAST, fmin(BINS_AT_MOST, BINS_IN_MEMORY / n));
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
        Panel panel = make_panel(problem, shown[i], until_s, arena);
        json_t *rows = json_array();
        for (uint32_t row = 0; row < panel.n_rows; row++)
            json_array_append_new(rows, row_json(&panel, row, arena));
        json_array_append_new(panels, json_pack("{s:o, s:f, s:s, s:o}", "title",
                                                json_from_text(title_of(&panel, usual, arena)), "length_s", until_s,
                                                "rows_are", are_tasks(&panel) ? "task" : "node", "rows", rows));
    }
    return json_pack("{s:o}", "panels", panels);
}
