/* SPDX-License-Identifier: BSD-3-Clause */
/* See pictures.h. A step has a place in its task's column. A receive stands
 * below the send for which it waits, so messages go downwards. */
#include "verbs/graph/pictures.h"

#include "base/vec.h"
#include "placement/graph/graph.h"
#include "report/format.h"
#include "report/svg.h"
#include <math.h>

enum { COLUMNS_AT_MOST = 16, ROWS_AT_MOST = 160, NAME_ROOM = 20, PEER_ROOM = 7 };

/* In pixels. Loops have the room before a column's boxes. */
enum { COLUMN = 190, BOX_LEFT = 56, BOX_WIDTH = 122, ROW = 22, BOX_HEIGHT = 18, LOOP = 7, NAMES = 26 };

typedef struct Item {
    const Step *step;
    uint64_t first; /* messages: as in the folded graph */
    uint32_t row;
} Item;

typedef struct Loop {
    uint64_t times;
    uint32_t depth, first, end; /* items */
} Loop;

typedef struct Column {
    VEC(Item) items;
    VEC(Loop) loops;
    uint32_t n_hidden;    /* steps that aren't drawn */
    const Step *messages; /* the rest of the folded task's steps */
    uint32_t n_messages;
} Column;

typedef struct Picture {
    const TaskGraph *graph;
    uint32_t n_columns, n_rows;
    Column columns[COLUMNS_AT_MOST];
    double top; /* of the first row */
    Arena *arena;
} Picture;

/* The folded task's messages are in the same order. */
static uint64_t next_first(Column *column)
{
    while (column->n_messages && column->messages->kind == STEP_COMPUTE) {
        column->messages++;
        column->n_messages--;
    }
    if (!column->n_messages)
        return 0;
    column->n_messages--;
    return column->messages++->first;
}

static void collect(Column *column, const Step *steps, uint32_t n, uint32_t depth)
{
    for (uint32_t i = 0; i < n; i++) {
        const Step *step = &steps[i];
        if (step->kind == STEP_LOOP) {
            uint32_t first = (uint32_t)column->items.count;
            size_t at = column->loops.count;
            *vec_push(&column->loops) = (Loop){step->times, depth, first, first};
            collect(column, step->body, step->n_body, depth + 1);
            column->loops.items[at].end = (uint32_t)column->items.count;
            continue;
        }
        uint64_t before = step->kind == STEP_COMPUTE ? 0 : next_first(column);
        if (column->items.count == ROWS_AT_MOST)
            column->n_hidden++;
        else
            *vec_push(&column->items) = (Item){step, before, 0};
    }
}

/* The last send to `task` whose first message is the receive's first or an earlier one. NULL: it
 * isn't drawn. */
static const Item *find_send(const Picture *picture, uint32_t task, const Item *receive)
{
    const Item *found = NULL;
    if (receive->step->peer >= picture->n_columns)
        return NULL;
    const Column *sender = &picture->columns[receive->step->peer];
    for (size_t i = 0; i < sender->items.count; i++) {
        const Item *item = &sender->items.items[i];
        if (item->step->kind == STEP_SEND && item->step->peer == task && item->first <= receive->first)
            found = item;
    }
    return found;
}

/* False: no step moved. */
static bool move_down(Picture *picture)
{
    bool moved = false;
    for (uint32_t task = 0; task < picture->n_columns; task++) {
        uint32_t row = 0;
        for (size_t i = 0; i < picture->columns[task].items.count; i++) {
            Item *item = &picture->columns[task].items.items[i];
            const Item *send = item->step->kind == STEP_RECV ? find_send(picture, task, item) : NULL;
            uint32_t least = send && send->row >= row ? send->row + 1 : row;
            moved |= least > item->row;
            item->row = least > item->row ? least : item->row;
            row = item->row + 1;
        }
    }
    return moved;
}

/* Each pass settles at least one more step, so there are no more passes than steps. */
static void place(Picture *picture)
{
    for (uint32_t i = 0; i < COLUMNS_AT_MOST * ROWS_AT_MOST && move_down(picture); i++)
        ;
    for (uint32_t task = 0; task < picture->n_columns; task++) {
        Column *column = &picture->columns[task];
        while (column->items.count && column->items.items[column->items.count - 1].row >= ROWS_AT_MOST) {
            column->items.count--;
            column->n_hidden++;
        }
        for (size_t i = 0; i < column->loops.count; i++)
            if (column->loops.items[i].end > column->items.count)
                column->loops.items[i].end = (uint32_t)column->items.count;
        if (column->items.count && column->items.items[column->items.count - 1].row >= picture->n_rows)
            picture->n_rows = column->items.items[column->items.count - 1].row + 1;
    }
}

static const char *name_of(const Picture *picture, uint32_t task, size_t room)
{
    return format_name(picture->arena, picture->graph->tasks[task].name, room);
}

static const char *label_of(const Picture *picture, const Step *step)
{
    if (step->kind == STEP_COMPUTE)
        return format_seconds(picture->arena, step->seconds);
    const char *peer = name_of(picture, step->peer, PEER_ROOM);
    if (step->kind == STEP_RECV)
        return arena_printf(picture->arena, "from %s", peer);
    const char *way = step->kind == STEP_SEND ? "to" : step->kind == STEP_PUT ? "put" : "get";
    return arena_printf(picture->arena, "%s %s: %s", way, peer, format_bytes(picture->arena, step->bytes));
}

/* Puts look like sends, and gets like receives. */
static size_t box_of(const Step *step)
{
    return step->kind == STEP_COMPUTE ? 0 : step->kind == STEP_SEND || step->kind == STEP_PUT ? 1 : 2;
}

static const char *const kind_classes[] = {"computation pale", "s0 pale", "transfer pale"};

static double x_of(uint32_t column)
{
    return COLUMN * (double)column + BOX_LEFT;
}

static double y_of(const Picture *picture, uint32_t row)
{
    return picture->top + ROW * (double)row;
}

static void draw_boxes(const Picture *picture, Text *body)
{
    for (uint32_t task = 0; task < picture->n_columns; task++)
        for (size_t i = 0; i < picture->columns[task].items.count; i++) {
            const Item *item = &picture->columns[task].items.items[i];
            double y = y_of(picture, item->row);
            svg_box(body, x_of(task), y, BOX_WIDTH, BOX_HEIGHT, kind_classes[box_of(item->step)], NULL, picture->arena);
            svg_label(body, x_of(task) + BOX_WIDTH / 2.0, y + 13, "m small", label_of(picture, item->step),
                      picture->arena);
        }
}

static void draw_arrows(const Picture *picture, Text *body)
{
    for (uint32_t task = 0; task < picture->n_columns; task++)
        for (size_t i = 0; i < picture->columns[task].items.count; i++) {
            const Item *item = &picture->columns[task].items.items[i];
            const Item *send = item->step->kind == STEP_RECV ? find_send(picture, task, item) : NULL;
            bool is_rightwards = task > item->step->peer;
            if (send)
                svg_arrow(body, x_of(item->step->peer) + (is_rightwards ? BOX_WIDTH : 0),
                          y_of(picture, send->row) + BOX_HEIGHT / 2.0, x_of(task) + (is_rightwards ? 0 : BOX_WIDTH),
                          y_of(picture, item->row) + BOX_HEIGHT / 2.0, "message");
        }
}

/* Its middle; next to loops that begin in the same row, one row below theirs. */
static uint32_t label_row(const Column *column, size_t number)
{
    const Loop *loop = &column->loops.items[number];
    uint32_t first = column->items.items[loop->first].row, last = column->items.items[loop->end - 1].row;
    uint32_t n_outer = 0;
    bool is_alone = number + 1 == column->loops.count || column->loops.items[number + 1].first != loop->first;
    while (n_outer < number && column->loops.items[number - n_outer - 1].first == loop->first)
        n_outer++;
    if (is_alone && !n_outer)
        return (first + last) / 2;
    return first + n_outer < last ? first + n_outer : last;
}

/* A bracket from the first row to the last one; inner loops' are nearer to the boxes. */
static void draw_loops(const Picture *picture, Text *body)
{
    enum { DEEPEST = 3 };
    for (uint32_t task = 0; task < picture->n_columns; task++) {
        const Column *column = &picture->columns[task];
        for (size_t i = 0; i < column->loops.count; i++) {
            const Loop *loop = &column->loops.items[i];
            if (loop->end == loop->first)
                continue;
            double right = x_of(task) - 2, x = right - LOOP * (1 + DEEPEST - fmin(DEEPEST, loop->depth));
            double from = y_of(picture, column->items.items[loop->first].row) + 2,
                   to = y_of(picture, column->items.items[loop->end - 1].row) + BOX_HEIGHT - 2;
            svg_line(body, right, from, x, from, "axis");
            svg_line(body, x, from, x, to, "axis");
            svg_line(body, x, to, right, to, "axis");
            svg_label(body, x - 3, y_of(picture, label_row(column, i)) + 13, "e small title halo",
                      arena_printf(picture->arena, "%s ×", format_count(picture->arena, loop->times)), picture->arena);
        }
    }
}

static void draw_names(const Picture *picture, Text *body)
{
    for (uint32_t task = 0; task < picture->n_columns; task++)
        svg_label(body, x_of(task) + BOX_WIDTH / 2.0, picture->top - 8, "m",
                  arena_printf(picture->arena, "task %s", name_of(picture, task, NAME_ROOM - 5)), picture->arena);
}

static const char *note_of(const Picture *picture)
{
    uint64_t hidden = 0;
    uint32_t others = picture->graph->n_tasks - picture->n_columns;
    for (uint32_t i = 0; i < picture->n_columns; i++)
        hidden += picture->columns[i].n_hidden;
    if (!hidden && !others)
        return NULL;
    return arena_printf(picture->arena, "not drawn: %s further tasks, and %s further steps of these tasks",
                        format_count(picture->arena, others), format_count(picture->arena, hidden));
}

static const char *draw(Picture *picture, const char *heading)
{
    Text body = {0};
    picture->top = svg_heading(&body, heading, note_of(picture), picture->arena) + NAMES;
    draw_names(picture, &body);
    draw_loops(picture, &body);
    draw_boxes(picture, &body);
    draw_arrows(picture, &body);
    double below = svg_legend(
        &body, BOX_LEFT, y_of(picture, picture->n_rows) + 8, kind_classes,
        (const char *const[]){"computes", "sends", "receives; arrows are messages, brackets loops"}, 3, picture->arena);
    return svg_file(&body, fmax(COLUMN * (double)picture->n_columns, SVG_WIDTH / 2.0), below, heading, picture->arena);
}

const char *graph_steps_picture(const TaskGraph *graph, Arena *arena)
{
    Picture picture = {.graph = graph,
                       .n_columns = graph->n_tasks < COLUMNS_AT_MOST ? graph->n_tasks : COLUMNS_AT_MOST,
                       .n_rows = 1,
                       .arena = arena};
    const TaskGraph *folded = graph_fold(graph, arena);
    for (uint32_t i = 0; i < picture.n_columns; i++) {
        Column *column = &picture.columns[i];
        column->messages = folded->tasks[i].steps;
        column->n_messages = folded->tasks[i].n_steps;
        collect(column, graph->tasks[i].steps, graph->tasks[i].n_steps, 0);
    }
    place(&picture);
    const char *file =
        draw(&picture, graph->source[0] ? format_name(arena, graph->source, 2 * NAME_ROOM) : "task graph");
    for (uint32_t i = 0; i < picture.n_columns; i++) {
        vec_free(&picture.columns[i].items);
        vec_free(&picture.columns[i].loops);
    }
    return file;
}
