/* SPDX-License-Identifier: BSD-3-Clause */
/* One occurrence of a phase in time: what each process computes, its calls, and its messages. */
#include "verbs/report/page.h"

#include "report/format.h"
#include "report/lanes.h"
#include "verbs/report/pictures.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Drawing {
    Text *body;
    Arena *arena;
    const json_t *processes, *events;
    Lanes lanes;
} Drawing;

/* The row of a process; -1: it doesn't take part. */
static int row_of(const Drawing *drawing, size_t process)
{
    for (size_t i = 0; i < json_array_size(drawing->processes); i++)
        if (data_count(json_array_get(drawing->processes, i), "process") == process)
            return (int)i;
    return -1;
}

static void draw_process(const Drawing *drawing, size_t row)
{
    Arena *arena = drawing->arena;
    const json_t *process = json_array_get(drawing->processes, row), *event;
    size_t number = data_count(process, "process"), i;
    double begin_s = data_real(process, "begin_s");
    lanes_box(drawing->body, &drawing->lanes, row, begin_s, data_real(process, "end_s"), "empty", NULL, arena);
    json_array_foreach(drawing->events, i, event) {
        double at_s = data_real(event, "at_s"), mpi_s = data_real(event, "mpi_s");
        if (data_count(event, "process") != number)
            continue;
        double from_s = fmax(begin_s, at_s - data_real(event, "compute_s"));
        if (at_s > from_s)
            lanes_box(drawing->body, &drawing->lanes, row, from_s, at_s, "computation",
                      arena_printf(arena, "computes %s", format_seconds(arena, at_s - from_s)), arena);
        lanes_box(drawing->body, &drawing->lanes, row, at_s, at_s + mpi_s, "transfer",
                  arena_printf(arena, "%s, %s, %s", data_text(event, "type", arena),
                               format_bytes(arena, data_real(event, "bytes")), format_seconds(arena, mpi_s)),
                  arena);
    }
}

/* The receive of a message: one logical time after its send. */
static const json_t *find_receive(const Drawing *drawing, size_t from, size_t to, size_t lt)
{
    const json_t *event;
    const char *type = arena_printf(drawing->arena, "-%zu", from);
    size_t i;
    json_array_foreach(drawing->events, i, event)
        if (data_count(event, "process") == to && data_count(event, "lt") == lt + 1 &&
            strcmp(data_text(event, "type", drawing->arena), type) == 0)
            return event;
    return NULL;
}

static void draw_messages(const Drawing *drawing)
{
    const json_t *event;
    size_t i, to;
    json_array_foreach(drawing->events, i, event) {
        size_t from = data_count(event, "process");
        if (sscanf(data_text(event, "type", drawing->arena), "+%zu", &to) != 1)
            continue;
        const json_t *receive = find_receive(drawing, from, to, data_count(event, "lt"));
        int from_row = row_of(drawing, from), to_row = row_of(drawing, to);
        if (!receive || from_row < 0 || to_row < 0)
            continue;
        const Lanes *lanes = &drawing->lanes;
        double from_y = lanes_y(lanes, (size_t)from_row) + (to_row > from_row ? lanes->thickness : 0);
        double to_y = lanes_y(lanes, (size_t)to_row) + (to_row > from_row ? 0 : lanes->thickness);
        svg_arrow(drawing->body, lanes_at(lanes, data_real(event, "at_s")), from_y,
                  lanes_at(lanes, data_real(receive, "at_s") + data_real(receive, "mpi_s")), to_y, "message");
    }
}

/* Returns the y below; 0: there is nothing to draw. */
static double draw(Text *body, const json_t *occurrence, double top, Arena *arena)
{
    const json_t *processes = json_object_get(occurrence, "processes");
    size_t n = json_array_size(processes);
    double duration_s = data_real(occurrence, "duration_s");
    const char **names = arena_new_array(arena, const char *, n);
    if (!n || !(duration_s > 0))
        return 0;
    for (size_t i = 0; i < n; i++)
        names[i] = arena_printf(arena, "%zu", data_count(json_array_get(processes, i), "process"));
    const Drawing drawing = {body, arena, processes, json_object_get(occurrence, "events"),
                             lanes_new("process", names, n, duration_s, top, true)};
    double below = lanes_begin(body, &drawing.lanes, arena);
    for (size_t i = 0; i < n; i++)
        draw_process(&drawing, i);
    draw_messages(&drawing);
    return svg_legend(body, drawing.lanes.left, below, (const char *const[]){"computation", "transfer"},
                      (const char *const[]){"computation", "in MPI; arrows are messages"}, 2, arena);
}

const char *occurrence_file(const json_t *occurrence, const char *heading, Arena *arena)
{
    Text body = {0};
    double top = svg_heading(&body, heading, NULL, arena), below = draw(&body, occurrence, top, arena);
    return svg_file(&body, SVG_WIDTH, fmax(below, top), heading, arena);
}

static void add_events(Page *page, const json_t *events)
{
    Arena *arena = page->arena;
    const json_t *event;
    size_t i;
    Table *table = table_new(arena);
    table_columns(table, ">process|>at|>computes before|>in MPI|event|>volume");
    json_array_foreach(events, i, event)
        table_cells(
            table, "%zu|%s|%s|%s|%s|%s", data_count(event, "process"), format_seconds(arena, data_real(event, "at_s")),
            format_seconds(arena, data_real(event, "compute_s")), format_seconds(arena, data_real(event, "mpi_s")),
            data_text(event, "type", arena), format_bytes(arena, data_real(event, "bytes")));
    html_details(&page->text, "as a table: +K sends to process K, -K receives from it", table);
}

void draw_occurrence(Page *page, const json_t *occurrence)
{
    Arena *arena = page->arena;
    Text body = {0};
    size_t phase = data_count(occurrence, "phase");
    double below = draw(&body, occurrence, 0, arena);
    if (!(below > 0))
        return;
    text_add(&page->text,
             "<details><summary>one occurrence of phase %zu in time: %s over all processes; "
             "in one process, the mean is %s</summary>\n",
             phase, format_seconds(arena, data_real(occurrence, "duration_s")),
             format_seconds(arena, data_phase_mean_s(page->documents, phase)));
    svg_insert(&page->text, &body, below, "one occurrence of the phase in time", arena);
    add_events(page, json_object_get(occurrence, "events"));
    text_add(&page->text, "</details>\n");
}
