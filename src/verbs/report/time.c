/* SPDX-License-Identifier: BSD-3-Clause */
/* What each process does when, and which phases the run is in meanwhile: both over the same axis. */
#include "verbs/report/page.h"
#include "verbs/report/pictures.h"

#include "report/format.h"
#include "report/svg.h"
#include <math.h>

enum { BAND = 22, GAP = 10, NUMBERED_GAPS = 16 };

typedef struct Drawing {
    Arena *arena;
    const json_t *activity, *rows, *timeline;
    size_t per_row, n_processes;
    const char **names; /* of the rows */
} Drawing;

static Drawing drawing_of(const json_t *activity, const json_t *timeline, Arena *arena)
{
    Drawing drawing = {.arena = arena,
                       .activity = activity,
                       .rows = json_object_get(activity, "rows"),
                       .timeline = timeline,
                       .per_row = data_count(activity, "processes_per_row"),
                       .n_processes = data_count(activity, "processes")};
    size_t n = json_array_size(drawing.rows);
    drawing.names = arena_new_array(arena, const char *, n);
    for (size_t i = 0; i < n; i++)
        drawing.names[i] = block_name(i, drawing.per_row, drawing.n_processes, arena);
    return drawing;
}

/* ---- activities ---- */

static size_t n_columns(const json_t *row)
{
    return json_array_size(json_object_get(row, page_activities[0]));
}

static double mean_share(const json_t *row, size_t activity)
{
    return data_mean_of(json_object_get(row, page_activities[activity])) / 100;
}

/* Percents of one row: [n_columns × activities]. */
static const double *shares_of(const json_t *row, size_t n, Arena *arena)
{
    double *shares = arena_new_array(arena, double, n *N_PAGE_ACTIVITIES);
    for (size_t k = 0; k < N_PAGE_ACTIVITIES; k++)
        for (size_t i = 0; i < n; i++)
            shares[i * N_PAGE_ACTIVITIES + k] = data_at(json_object_get(row, page_activities[k]), i) / 100;
    return shares;
}

void draw_activities(Text *body, const Lanes *lanes, const json_t *rows, const char *const meanings[N_PAGE_ACTIVITIES],
                     Arena *arena)
{
    const json_t *row;
    size_t i;
    json_array_foreach(rows, i, row) {
        size_t n = n_columns(row);
        const char *tips[N_PAGE_ACTIVITIES];
        if (!n)
            continue;
        for (size_t k = 0; k < N_PAGE_ACTIVITIES; k++)
            tips[k] = arena_printf(arena, "%s %s: %s %s of the time", lanes->title, lanes->names[i], meanings[k],
                                   format_percent(arena, mean_share(row, k)));
        lanes_shares(body, lanes, i,
                     &(SvgBand){.n_pieces = n,
                                .n_layers = N_PAGE_ACTIVITIES,
                                .stride = N_PAGE_ACTIVITIES,
                                .shares = shares_of(row, n, arena),
                                .classes = page_activities,
                                .names = tips},
                     arena);
    }
}

/* ---- phases ---- */

static size_t n_layers(const json_t *timeline)
{
    return json_array_size(json_object_get(timeline, "phases")) + 1;
}

/* The time of a layer over the whole time. */
static double layer_share(const json_t *timeline, size_t layer)
{
    const json_t *times = json_object_get(timeline, "times_s"), *rows = json_object_get(timeline, "shares"), *row;
    double sum_s = 0, whole_s = 0;
    size_t i;
    json_array_foreach(rows, i, row) {
        double length_s = data_at(times, i + 1) - data_at(times, i);
        sum_s += length_s * data_at(row, layer);
        whole_s += length_s;
    }
    return sum_s / whole_s;
}

/* The names of a timeline's layers, for a legend, and with their shares of the time. */
static const char *const *layer_names(const json_t *timeline, bool with_shares, Arena *arena)
{
    const json_t *ids = json_object_get(timeline, "phases");
    size_t n = n_layers(timeline);
    const char **names = arena_new_array(arena, const char *, n);
    for (size_t k = 0; k < n; k++) {
        names[k] = k + 1 < n ? arena_printf(arena, "phase %lld", (long long)json_integer_value(json_array_get(ids, k)))
                             : "others, or none";
        if (with_shares)
            names[k] = arena_printf(arena, "%s: %s", names[k], format_percent(arena, layer_share(timeline, k)));
    }
    return names;
}

static const char *const *layer_classes(const json_t *timeline, Arena *arena)
{
    size_t n = n_layers(timeline);
    const char **classes = arena_new_array(arena, const char *, n);
    for (size_t k = 0; k < n; k++)
        classes[k] = k + 1 < n ? svg_colour(k) : "empty";
    return classes;
}

static void draw_phases(Text *body, const json_t *timeline, const Axis *axis, double y, double height, Arena *arena)
{
    const json_t *times = json_object_get(timeline, "times_s"), *rows = json_object_get(timeline, "shares");
    size_t n = json_array_size(rows), layers = n_layers(timeline);
    double *shares = arena_new_array(arena, double, n *layers), *edges = arena_new_array(arena, double, n + 1);
    for (size_t i = 0; i <= n; i++)
        edges[i] = fmin(axis->to, axis_at(axis, data_at(times, i)));
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < layers; k++)
            shares[i * layers + k] = data_at(json_array_get(rows, i), k);
    svg_band(body,
             &(SvgBand){.y = y,
                        .height = height,
                        .n_pieces = n,
                        .n_layers = layers,
                        .stride = layers,
                        .shares = shares,
                        .edges = edges,
                        .classes = layer_classes(timeline, arena),
                        .names = layer_names(timeline, true, arena)},
             arena);
}

/* ---- both ---- */

/* Lines where a simulation left out occurrences, with their numbers if there is room. */
static void draw_gaps(Text *body, const Lanes *lanes, const json_t *gaps, Arena *arena)
{
    const json_t *gap;
    size_t i;
    json_array_foreach(gaps, i, gap) {
        double x = lanes_at(lanes, data_real(gap, "at_s"));
        svg_line(body, x, lanes->top - 2, x, lanes_bottom(lanes), "gap");
        if (json_array_size(gaps) <= NUMBERED_GAPS)
            svg_label(body, x, lanes->top - 6, "m small", format_count(arena, data_count(gap, "left_out")), arena);
    }
}

/* Returns the lanes that it draws, for what lies above them, and the y below all. */
static Lanes draw(Text *body, const Drawing *drawing, double top, double *below)
{
    Arena *arena = drawing->arena;
    size_t n = json_array_size(drawing->rows);
    Lanes lanes = lanes_new("process", drawing->names, n, data_real(drawing->activity, "length_s"), top, false);
    double gap = drawing->timeline ? BAND + GAP : 0, bottom = lanes_bottom(&lanes);
    svg_axis_below(body, &lanes.axis, bottom + gap + 2, lanes.top, arena);
    lanes_names(body, &lanes, arena);
    draw_activities(body, &lanes, drawing->rows, page_activities, arena);
    draw_gaps(body, &lanes, json_object_get(drawing->activity, "gaps"), arena);
    if (drawing->timeline) {
        draw_phases(body, drawing->timeline, &lanes.axis, bottom + GAP / 2.0, BAND, arena);
        svg_label(body, lanes.left - 6, bottom + GAP / 2.0 + BAND / 2.0 + 4, "e", "phase", arena);
    }
    *below =
        svg_legend(body, lanes.left, bottom + gap + 32, page_activities, page_activities, N_PAGE_ACTIVITIES, arena);
    if (n_layers(drawing->timeline) > 1)
        *below = svg_legend(body, lanes.left, *below, layer_classes(drawing->timeline, arena),
                            layer_names(drawing->timeline, false, arena), n_layers(drawing->timeline), arena);
    return lanes;
}

const char *activity_file(const json_t *activity, const json_t *timeline, const char *heading, const char *note,
                          Arena *arena)
{
    Text body = {0};
    const Drawing drawing = drawing_of(activity, timeline, arena);
    double top = svg_heading(&body, heading, note, arena), below;
    draw(&body, &drawing, top, &below);
    return svg_file(&body, SVG_WIDTH, below, heading, arena);
}

/* Phases alone. Returns the y below. */
static double draw_run(Text *body, const json_t *timeline, double length_s, double top, Arena *arena)
{
    enum { LEFT = 60, RIGHT = SVG_WIDTH - 20, TITLE = 28, HEIGHT = 240, BELOW = 46 };
    double bottom = top + TITLE + HEIGHT;
    const Axis time = {.most = length_s > 0 ? length_s : 1,
                       .from = LEFT,
                       .to = RIGHT,
                       .format = format_seconds,
                       .title = "time since MPI_Init"};
    const Axis share = {
        .most = 1, .from = bottom, .to = top + TITLE, .format = format_percent, .title = "share of the time"};
    svg_axis_below(body, &time, bottom, top + TITLE, arena);
    svg_axis_left(body, &share, LEFT, RIGHT, arena);
    draw_phases(body, timeline, &time, top + TITLE, HEIGHT, arena);
    return svg_legend(body, LEFT, bottom + BELOW, layer_classes(timeline, arena), layer_names(timeline, true, arena),
                      n_layers(timeline), arena);
}

const char *timeline_file(const json_t *timeline, double length_s, const char *heading, Arena *arena)
{
    Text body = {0};
    double below = draw_run(&body, timeline, length_s, svg_heading(&body, heading, NULL, arena), arena);
    return svg_file(&body, SVG_WIDTH, below, heading, arena);
}

void draw_timeline(Page *page, const json_t *timeline)
{
    Text body = {0};
    double length_s = json_number_value(data_last(timeline, "times_s"));
    double below = draw_run(&body, timeline, length_s, 0, page->arena);
    svg_insert(&page->text, &body, below, "phases along the run", page->arena);
}

void insert_lanes(Page *page, Text *body, const Lanes *lanes, double height, const char *title, const char *of)
{
    text_add(body, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"pointer\" data-of=\"%s\" />\n",
             lanes->left, lanes->top, lanes->axis.to - lanes->left, lanes_bottom(lanes) - lanes->top, of);
    text_add(&page->text, "<figure>");
    svg_insert(&page->text, body, height, title, page->arena);
    text_add(&page->text, "<output></output></figure>\n");
}

static void add_table(Page *page, const Drawing *drawing)
{
    Arena *arena = page->arena;
    const json_t *row;
    size_t i;
    Table *table = table_new(arena);
    table_columns(table, ">process|>computation|>transfer|>waiting|>other");
    json_array_foreach(drawing->rows, i, row)
        table_cells(table, "%s|%s|%s|%s|%s", drawing->names[i], format_percent(arena, mean_share(row, 0)),
                    format_percent(arena, mean_share(row, 1)), format_percent(arena, mean_share(row, 2)),
                    format_percent(arena, mean_share(row, 3)));
    html_details(&page->text, "as a table: shares of the time", table);
}

void draw_activity(Page *page, const json_t *activity, const json_t *timeline, const char *of)
{
    Text body = {0};
    double below;
    const Drawing drawing = drawing_of(activity, timeline, page->arena);
    const Lanes lanes = draw(&body, &drawing, 0, &below);
    insert_lanes(page, &body, &lanes, below, "what each process does when", of);
    add_table(page, &drawing);
}

void section_time(Page *page, const json_t *activity)
{
    draw_activity(page, activity, json_object_get(page->documents, "timeline"), "activity");
}
