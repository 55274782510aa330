/* SPDX-License-Identifier: BSD-3-Clause */
/* Mappings: their times, what tasks do when under them, and where the best one has each task. */
#include "verbs/report/bars.h"
#include "verbs/report/page.h"

#include "report/format.h"
#include "report/svg.h"

enum { MAPPINGS_SHOWN = 10, NAME_ROOM = 24 };

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

enum { SCHEDULE_LEFT = 180, SCHEDULE_TOP = 8, LEGEND = 66 };

/* What tasks do over time; the name of a task stands before its node's. */
static void draw_panel(Page *page, const json_t *panel, double until_s)
{
    Arena *arena = page->arena;
    const json_t *rows = json_object_get(panel, "rows"), *row;
    size_t n = json_array_size(rows), i;
    const char **names = arena_new_array(arena, const char *, n);
    json_array_foreach(rows, i, row)
    {
        const char *node = data_text(row, "node", arena);
        names[i] = format_name(
            arena, arena_printf(arena, "%s%s%s", data_text(row, "name", arena), *node ? " on " : "", node), NAME_ROOM);
    }
    const ActivityRows drawn = {rows, names, SCHEDULE_LEFT, SCHEDULE_TOP, height_of_row(n)};
    double below = SCHEDULE_TOP + (double)n * drawn.row_height;
    Axis axis = {
        .most = until_s, .from = SCHEDULE_LEFT, .to = ACTIVITY_ROWS_RIGHT, .format = format_seconds, .title = ""};
    html_element(&page->text, "h3", data_text(panel, "title", arena), arena);
    svg_begin(&page->text, below + LEGEND, "what each task does when", arena);
    svg_axis_below(&page->text, &axis, below + 4, below, arena);
    draw_activity_rows(page, &drawn);
    svg_legend(&page->text, SCHEDULE_LEFT, below + 34, page_activities,
               (const char *const[]){"computation", "waits for a message under way", "for one not yet sent",
                                     "for its processor"},
               N_PAGE_ACTIVITIES, arena);
    svg_end(&page->text);
}

static void add_schedule(Page *page, const json_t *schedule)
{
    const json_t *panel;
    double until_s = data_real(schedule, "until_s");
    size_t i;
    if (until_s > 0)
        json_array_foreach(json_object_get(schedule, "panels"), i, panel) draw_panel(page, panel, until_s);
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
    add_schedule(page, json_object_get(document, "schedule"));
    if (n)
        add_places(page, json_array_get(mappings, 0));
}
