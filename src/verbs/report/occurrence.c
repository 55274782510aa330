/* SPDX-License-Identifier: BSD-3-Clause */
/* One occurrence of a phase in time: what each process computes, its calls, and its messages. */
#include "verbs/report/page.h"

#include "report/format.h"
#include "report/svg.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEFT = 60, RIGHT = SVG_WIDTH - 20, TOP = 8, ROW = 34, THICK = 18 };

typedef struct Drawing {
    Page *page;
    const json_t *processes, *events;
    Axis axis;
} Drawing;

/* The row of a process; -1: it doesn't take part. */
static int row_of(const Drawing *drawing, size_t process)
{
    for (size_t i = 0; i < json_array_size(drawing->processes); i++)
        if (data_count(json_array_get(drawing->processes, i), "process") == process)
            return (int)i;
    return -1;
}

static void draw_span(const Drawing *drawing, double y, double from_s, double to_s, const char *class, const char *tip)
{
    double from = axis_at(&drawing->axis, fmax(0, from_s)), to = axis_at(&drawing->axis, fmax(0, to_s));
    svg_box(&drawing->page->text, from, y, to - from, THICK, class, tip, drawing->page->arena);
}

static void draw_process(const Drawing *drawing, int row)
{
    Arena *arena = drawing->page->arena;
    const json_t *process = json_array_get(drawing->processes, (size_t)row), *event;
    size_t number = data_count(process, "process"), i;
    double y = TOP + ROW * row, begin_s = data_real(process, "begin_s");
    svg_label(&drawing->page->text, LEFT - 8, y + THICK - 4, "e", arena_printf(arena, "%zu", number), arena);
    draw_span(drawing, y, begin_s, data_real(process, "end_s"), "empty", NULL);
    json_array_foreach(drawing->events, i, event)
    {
        double at_s = data_real(event, "at_s"), mpi_s = data_real(event, "mpi_s");
        if (data_count(event, "process") != number)
            continue;
        double from_s = fmax(begin_s, at_s - data_real(event, "compute_s"));
        if (at_s > from_s)
            draw_span(drawing, y, from_s, at_s, "computation",
                      arena_printf(arena, "computes %s", format_seconds(arena, at_s - from_s)));
        draw_span(drawing, y, at_s, at_s + mpi_s, "transfer",
                  arena_printf(arena, "%s, %s, %s", data_text(event, "type", arena),
                               format_bytes(arena, data_real(event, "bytes")), format_seconds(arena, mpi_s)));
    }
}

/* The receive of a message: one logical time after its send. */
static const json_t *find_receive(const Drawing *drawing, size_t from, size_t to, size_t lt)
{
    const json_t *event;
    const char *type = arena_printf(drawing->page->arena, "-%zu", from);
    size_t i;
    json_array_foreach(drawing->events, i,
                       event) if (data_count(event, "process") == to && data_count(event, "lt") == lt + 1 &&
                                  strcmp(data_text(event, "type", drawing->page->arena), type) == 0) return event;
    return NULL;
}

static void draw_messages(const Drawing *drawing)
{
    const json_t *event;
    size_t i, to;
    json_array_foreach(drawing->events, i, event)
    {
        size_t from = data_count(event, "process");
        if (sscanf(data_text(event, "type", drawing->page->arena), "+%zu", &to) != 1)
            continue;
        const json_t *receive = find_receive(drawing, from, to, data_count(event, "lt"));
        int from_row = row_of(drawing, from), to_row = row_of(drawing, to);
        if (!receive || from_row < 0 || to_row < 0)
            continue;
        double from_y = TOP + ROW * from_row + (to_row > from_row ? THICK : 0);
        double to_y = TOP + ROW * to_row + (to_row > from_row ? 0 : THICK);
        svg_line(&drawing->page->text, axis_at(&drawing->axis, data_real(event, "at_s")), from_y,
                 axis_at(&drawing->axis, data_real(receive, "at_s") + data_real(receive, "mpi_s")), to_y, "message");
    }
}

static void add_events(const Drawing *drawing)
{
    Arena *arena = drawing->page->arena;
    const json_t *event;
    size_t i;
    Table *table = table_new(arena);
    table_columns(table, ">process|>at|>computes before|>in MPI|event|>volume");
    json_array_foreach(drawing->events, i, event) table_cells(
        table, "%zu|%s|%s|%s|%s|%s", data_count(event, "process"), format_seconds(arena, data_real(event, "at_s")),
        format_seconds(arena, data_real(event, "compute_s")), format_seconds(arena, data_real(event, "mpi_s")),
        data_text(event, "type", arena), format_bytes(arena, data_real(event, "bytes")));
    html_details(&drawing->page->text, "as a table: +K sends to process K, -K receives from it", table);
}

void draw_occurrence(Page *page, const json_t *occurrence)
{
    Drawing drawing = {.page = page,
                       .processes = json_object_get(occurrence, "processes"),
                       .events = json_object_get(occurrence, "events"),
                       .axis = {.most = data_real(occurrence, "duration_s"),
                                .from = LEFT,
                                .to = RIGHT,
                                .format = format_seconds,
                                .title = ""}};
    int n = (int)json_array_size(drawing.processes);
    double below = TOP + ROW * n;
    if (!n || !(drawing.axis.most > 0))
        return;
    text_add(&page->text,
             "<details><summary>one occurrence of phase %zu in time: %s over all processes; "
             "in one process, the mean is %s</summary>\n",
             data_count(occurrence, "phase"), format_seconds(page->arena, drawing.axis.most),
             format_seconds(page->arena, data_phase_mean_s(page->documents, data_count(occurrence, "phase"))));
    svg_begin(&page->text, below + 46, "one occurrence of the phase in time", page->arena);
    svg_axis_below(&page->text, &drawing.axis, below, TOP, page->arena);
    for (int i = 0; i < n; i++)
        draw_process(&drawing, i);
    draw_messages(&drawing);
    svg_legend(&page->text, LEFT, below + 26, (const char *const[]){"computation", "transfer"},
               (const char *const[]){"computation", "in MPI; lines are messages"}, 2, page->arena);
    svg_end(&page->text);
    add_events(&drawing);
    text_add(&page->text, "</details>\n");
}
