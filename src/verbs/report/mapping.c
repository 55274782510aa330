/* SPDX-License-Identifier: BSD-3-Clause */
/* Mappings: their times, what tasks do when under them, and where the best one has each task. */
#include "verbs/report/bars.h"
#include "verbs/report/page.h"

#include "report/format.h"
#include "report/lanes.h"
#include "verbs/report/pictures.h"

enum { MAPPINGS_SHOWN = 10, TASK_ROOM = 14, NODE_ROOM = 12 };

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

/* ---- the schedule ---- */

static const char *const activities[N_PAGE_ACTIVITIES] = {"computes", "waits for a message under way",
                                                          "waits for one not yet sent", "waits for its processor"};

/* What tasks do over time; the name of a task stands before its node's. Returns the y below. */
static double draw_panel(Text *body, const json_t *panel, double top, Lanes *lanes, Arena *arena)
{
    const json_t *rows = json_object_get(panel, "rows"), *row;
    size_t n = json_array_size(rows), i;
    const char **names = arena_new_array(arena, const char *, n);
    json_array_foreach(rows, i, row) {
        const char *node = format_name(arena, data_text(row, "node", arena), NODE_ROOM);
        const char *name = format_name(arena, data_text(row, "name", arena), TASK_ROOM);
        names[i] = *node ? arena_printf(arena, "%s on %s", name, node) : name;
    }
    *lanes = lanes_new(data_text(panel, "rows_are", arena), names, n, data_real(panel, "length_s"), top, false);
    double below = lanes_begin(body, lanes, arena);
    draw_activities(body, lanes, rows, activities, arena);
    return svg_legend(body, lanes->left, below + 6, page_activities, activities, N_PAGE_ACTIVITIES, arena);
}

static void add_shares(Page *page, const json_t *rows)
{
    Arena *arena = page->arena;
    const json_t *row;
    size_t i;
    Table *table = table_new(arena);
    table_columns(table, "task|node|>computes|>message under way|>not yet sent|>its processor");
    json_array_foreach(rows, i, row) {
        double shares[N_PAGE_ACTIVITIES];
        for (size_t k = 0; k < N_PAGE_ACTIVITIES; k++)
            shares[k] = data_mean_of(json_object_get(row, page_activities[k])) / 100;
        table_cells(table, "%s|%s|%s|%s|%s|%s", data_text(row, "name", arena), data_text(row, "node", arena),
                    format_percent(arena, shares[0]), format_percent(arena, shares[1]),
                    format_percent(arena, shares[2]), format_percent(arena, shares[3]));
    }
    html_details(&page->text, "as a table: shares of the time", table);
}

static void add_schedule(Page *page, const json_t *schedule)
{
    const json_t *panel;
    size_t i;
    json_array_foreach(json_object_get(schedule, "panels"), i, panel) {
        Text body = {0};
        Lanes lanes;
        double below = draw_panel(&body, panel, 0, &lanes, page->arena);
        html_element(&page->text, "h3", data_text(panel, "title", page->arena), page->arena);
        insert_lanes(page, &body, &lanes, below, "what each task does when",
                     arena_printf(page->arena, "mapping.schedule.panels.%zu", i));
        add_shares(page, json_object_get(panel, "rows"));
    }
}

const char *schedule_file(const json_t *schedule, Arena *arena)
{
    enum { BETWEEN = 16 };
    Text body = {0};
    Lanes lanes;
    const json_t *panel;
    double top = svg_heading(&body, "What each task does when, as predicted", NULL, arena);
    size_t i;
    json_array_foreach(json_object_get(schedule, "panels"), i, panel) {
        svg_label(&body, 0, top + BETWEEN, "big", data_text(panel, "title", arena), arena);
        top = draw_panel(&body, panel, top + BETWEEN + 8, &lanes, arena) + BETWEEN;
    }
    return svg_file(&body, SVG_WIDTH, top, "what each task does when", arena);
}

/* ---- the section ---- */

void section_mapping(Page *page, const json_t *document)
{
    Arena *arena = page->arena;
    const json_t *mappings = json_object_get(document, "mappings"), *mapping;
    size_t n = json_array_size(mappings), shown = n < MAPPINGS_SHOWN ? n : MAPPINGS_SHOWN, i;
    Bar *bars = arena_new_array(arena, Bar, shown);
    double longest_s = 0;
    Table *table = table_new(arena);
    table_columns(table, "mapping|>predicted|>saved|>at least|>at most|>between nodes|>within");
    json_array_foreach(mappings, i, mapping) {
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
    add_schedule(page, json_object_get(document, "schedule"));
    if (n)
        add_places(page, json_array_get(mappings, 0));
}
