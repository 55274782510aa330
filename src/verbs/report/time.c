/* SPDX-License-Identifier: BSD-3-Clause */
/* What each process does when, and which phases the run is in meanwhile: both over the same axis. */
#include "verbs/report/page.h"

#include "report/format.h"
#include "report/svg.h"
#include <math.h>

enum { LEFT = 76, RIGHT = ACTIVITY_ROWS_RIGHT, TOP = 22, BAND = 22, GAP = 10, LABEL_HEIGHT = 13 };

typedef struct Drawing {
    Page *page;
    const json_t *activity, *rows, *timeline;
    size_t n_rows, n_columns, per_row, n_processes;
    double row_height, length_s;
} Drawing;

double height_of_row(size_t n_rows)
{
    return n_rows <= 4 ? 34 : n_rows <= 12 ? 22 : n_rows <= 24 ? 14 : 10;
}

static size_t n_columns(const json_t *rows)
{
    return json_array_size(json_object_get(json_array_get(rows, 0), page_activities[0]));
}

/* Percents of one row: [n_columns × activities]. */
static const double *shares_of(const json_t *row, size_t n, Arena *arena)
{
    double *shares = arena_new_array(arena, double, n *N_PAGE_ACTIVITIES);
    for (size_t k = 0; k < N_PAGE_ACTIVITIES; k++)
        for (size_t i = 0; i < n; i++)
            shares[i * N_PAGE_ACTIVITIES + k] =
                json_number_value(json_array_get(json_object_get(row, page_activities[k]), i)) / 100;
    return shares;
}

double draw_activity_rows(Page *page, const ActivityRows *drawn)
{
    size_t n = json_array_size(drawn->rows), columns = n_columns(drawn->rows);
    size_t every = (size_t)fmax(1, ceil(LABEL_HEIGHT / drawn->row_height));
    for (size_t i = 0; i < n; i++) {
        double y = drawn->top + (double)i * drawn->row_height;
        svg_band(&page->text, &(SvgBand){.x = drawn->left,
                                         .y = y,
                                         .width = RIGHT - drawn->left,
                                         .height = drawn->row_height - 1,
                                         .n_pieces = columns,
                                         .n_layers = N_PAGE_ACTIVITIES,
                                         .stride = N_PAGE_ACTIVITIES,
                                         .shares = shares_of(json_array_get(drawn->rows, i), columns, page->arena),
                                         .classes = page_activities});
        if (i % every == 0)
            svg_label(&page->text, drawn->left - 6, y + drawn->row_height / 2 + 4, "e", drawn->names[i], page->arena);
    }
    return drawn->top + (double)n * drawn->row_height;
}

static const char *row_name(const Drawing *drawing, size_t row)
{
    return block_name(row, drawing->per_row, drawing->n_processes, drawing->page->arena);
}

static double draw_rows(const Drawing *drawing)
{
    const char **names = arena_new_array(drawing->page->arena, const char *, drawing->n_rows);
    for (size_t i = 0; i < drawing->n_rows; i++)
        names[i] = row_name(drawing, i);
    svg_label(&drawing->page->text, 0, TOP - 8, "title", "process", drawing->page->arena);
    return draw_activity_rows(drawing->page, &(ActivityRows){drawing->rows, names, LEFT, TOP, drawing->row_height});
}

/* ---- phases ---- */

static size_t n_layers(const Drawing *drawing)
{
    return json_array_size(json_object_get(drawing->timeline, "phases")) + 1;
}

static double draw_phases(const Drawing *drawing, const Axis *axis, double y)
{
    const json_t *times = json_object_get(drawing->timeline, "times_s"),
                 *rows = json_object_get(drawing->timeline, "shares");
    size_t n = json_array_size(rows), layers = n_layers(drawing);
    Arena *arena = drawing->page->arena;
    double *shares = arena_new_array(arena, double, n *layers), *edges = arena_new_array(arena, double, n + 1);
    const char **classes = arena_new_array(arena, const char *, layers);
    for (size_t i = 0; i <= n; i++)
        edges[i] = fmin(axis->to, axis_at(axis, json_number_value(json_array_get(times, i))));
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < layers; k++)
            shares[i * layers + k] = json_number_value(json_array_get(json_array_get(rows, i), k));
    for (size_t k = 0; k < layers; k++)
        classes[k] = k + 1 < layers ? svg_colour(k) : "empty";
    svg_band(&drawing->page->text, &(SvgBand){.y = y,
                                              .height = BAND,
                                              .n_pieces = n,
                                              .n_layers = layers,
                                              .stride = layers,
                                              .shares = shares,
                                              .edges = edges,
                                              .classes = classes});
    svg_label(&drawing->page->text, LEFT - 6, y + BAND / 2.0 + 4, "e", "phase", arena);
    return y + BAND;
}

static void draw_legends(const Drawing *drawing, double y)
{
    Arena *arena = drawing->page->arena;
    const json_t *ids = json_object_get(drawing->timeline, "phases");
    size_t n = json_array_size(ids);
    const char **classes = arena_new_array(arena, const char *, n + 1),
               **names = arena_new_array(arena, const char *, n + 1);
    y = svg_legend(&drawing->page->text, LEFT, y, page_activities, page_activities, N_PAGE_ACTIVITIES, arena);
    for (size_t i = 0; i < n; i++) {
        classes[i] = svg_colour(i);
        names[i] = arena_printf(arena, "phase %lld", (long long)json_integer_value(json_array_get(ids, i)));
    }
    classes[n] = "empty";
    names[n] = "others, or none";
    if (n)
        svg_legend(&drawing->page->text, LEFT, y, classes, names, n + 1, arena);
}

/* ---- the table ---- */

static double mean_percent(const Drawing *drawing, const json_t *row, size_t activity)
{
    const json_t *percents = json_object_get(row, page_activities[activity]), *percent;
    double sum = 0;
    size_t i;
    json_array_foreach(percents, i, percent) sum += json_number_value(percent);
    return drawing->n_columns ? sum / 100 / (double)drawing->n_columns : 0;
}

static void add_table(const Drawing *drawing)
{
    Arena *arena = drawing->page->arena;
    Table *table = table_new(arena);
    table_columns(table, ">process|>computation|>transfer|>waiting|>other");
    for (size_t i = 0; i < drawing->n_rows; i++) {
        const json_t *row = json_array_get(drawing->rows, i);
        table_cells(table, "%s|%s|%s|%s|%s", row_name(drawing, i), format_percent(arena, mean_percent(drawing, row, 0)),
                    format_percent(arena, mean_percent(drawing, row, 1)),
                    format_percent(arena, mean_percent(drawing, row, 2)),
                    format_percent(arena, mean_percent(drawing, row, 3)));
    }
    html_details(&drawing->page->text, "as a table: shares of the whole run", table);
}

void section_time(Page *page, const json_t *activity)
{
    const json_t *rows = json_object_get(activity, "rows");
    Drawing drawing = {.page = page,
                       .activity = activity,
                       .rows = rows,
                       .timeline = json_object_get(page->documents, "timeline"),
                       .n_rows = json_array_size(rows),
                       .n_columns = n_columns(rows),
                       .per_row = data_count(activity, "processes_per_row"),
                       .n_processes = data_count(activity, "processes"),
                       .length_s = data_real(activity, "length_s")};
    drawing.row_height = height_of_row(drawing.n_rows);
    Axis axis = {.most = drawing.length_s, .from = LEFT, .to = RIGHT, .format = format_seconds, .title = ""};
    double below = TOP + (double)drawing.n_rows * drawing.row_height + (drawing.timeline ? BAND + GAP : 0);
    text_add(&page->text, "<figure style=\"margin:0\">");
    svg_begin(&page->text, below + 74, "what each process does when", page->arena);
    svg_axis_below(&page->text, &axis, below + 4, below, page->arena);
    double bottom = draw_rows(&drawing);
    if (drawing.timeline)
        draw_phases(&drawing, &axis, bottom + GAP / 2.0);
    svg_box(&page->text, LEFT, TOP, RIGHT - LEFT, bottom - TOP, "pointer", NULL, page->arena);
    draw_legends(&drawing, below + 34);
    svg_end(&page->text);
    text_add(&page->text, "<output></output></figure>\n");
    add_table(&drawing);
}
