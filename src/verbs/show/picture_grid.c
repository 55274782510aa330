/* SPDX-License-Identifier: BSD-3-Clause */
/* See picture_grid.h. Columns are as wide as their labels. Without labels, neighbouring cells of the same colour in a column are one box, which
 * keeps pictures of many processes small. */
#include "verbs/show/picture_grid.h"

#include "report/format.h"
#include "report/svg.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    LABELLED_CELLS = 3000,
    LABELLED_ROWS = 64,
    LABELLED_COLUMNS = 160,
    ARROW_ROWS = 32,
    LARGEST_BOXES = 100000,
    LETTER = 6, /* width of the labels' */
    LEFT = 64,
    ABOVE = 22, /* room of logical times above the cells */
    LEAST_WIDTH = 260,
    LARGEST_WIDTH = 1500,
    LARGEST_HEIGHT = 900,
    LARGEST_COLUMN = 30,
    LARGEST_ROW = 24,
    LABELLED_ROW = 16 /* the least that holds a label */
};

typedef struct Layout {
    bool is_labelled;
    double *edges; /* [n_columns + 1] in pixels, from LEFT on */
    double top, row_height;
    unsigned width, height; /* of the cells */
} Layout;

static const struct {
    CommTypeKind kind;
    const char *name;
} families[] = {
    {TYPE_SEND, "send"}, {TYPE_RECV, "receive"}, {TYPE_COLLECTIVE, "collective"}, {TYPE_ONE_SIDED, "one-sided"}};
enum { N_FAMILIES = sizeof families / sizeof *families };

static double clamp(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

static double middle(const Layout *layout, size_t column)
{
    return (layout->edges[column] + layout->edges[column + 1]) / 2;
}

static void widen(double *width, size_t letters)
{
    double needed = (double)(letters * LETTER + 10);
    if (*width < needed)
        *width = needed;
}

static Layout lay_out(const PictureGrid *grid, Arena *arena)
{
    Layout layout = {.edges = arena_new_array(arena, double, grid->n_columns + 1)};
    uint32_t n_rows = grid->end_row - grid->first_row;
    char text[64];
    layout.is_labelled =
        grid->n_cells <= LABELLED_CELLS && n_rows <= LABELLED_ROWS && grid->n_columns <= LABELLED_COLUMNS;
    double *widths = layout.edges + 1;
    for (size_t i = 0; i < grid->n_columns; i++) {
        widths[i] = clamp((double)LARGEST_WIDTH / (double)grid->n_columns, 1, LARGEST_COLUMN);
        if (layout.is_labelled)
            widen(&widths[i], (size_t)snprintf(NULL, 0, "%" PRIu64, grid->columns[i].tick));
    }
    for (size_t i = 0; layout.is_labelled && i < grid->n_cells; i++) {
        comm_type_format(grid->cells[i].type, text);
        widen(&widths[grid->cells[i].column], strlen(text));
    }
    for (size_t i = 0; i < grid->n_columns; i++)
        layout.edges[i + 1] += layout.edges[i];
    double stretched = fmax(1, LEAST_WIDTH / layout.edges[grid->n_columns]);
    for (size_t i = 0; i < grid->n_columns; i++)
        layout.edges[i + 1] *= stretched;
    layout.row_height = clamp((double)LARGEST_HEIGHT / n_rows, layout.is_labelled ? LABELLED_ROW : 1, LARGEST_ROW);
    layout.width = (unsigned)clamp(layout.edges[grid->n_columns], LEAST_WIDTH, 1e5);
    layout.height = (unsigned)clamp(layout.row_height * n_rows, 24, 1e5);
    for (size_t i = 0; i <= grid->n_columns; i++)
        layout.edges[i] += LEFT;
    return layout;
}

/* ---- axes ---- */

/* The least of 1, 2, 5, 10, … columns that take `pixels`. */
static uint64_t round_step(double column_width, double pixels)
{
    static const uint64_t factors[] = {1, 2, 5};
    for (uint64_t ten = 1;; ten *= 10)
        for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
            if ((double)(ten * factors[i]) * column_width >= pixels)
                return ten * factors[i];
}

static double number_width(uint64_t number)
{
    return snprintf(NULL, 0, "%" PRIu64, number) * LETTER + 6.0;
}

static void draw_ticks(Text *body, const PictureGrid *grid, const Layout *layout, Arena *arena)
{
    double widest = number_width(grid->columns[grid->n_columns - 1].tick);
    uint64_t step = layout->is_labelled ? 1 : round_step(layout->edges[1] - layout->edges[0], widest);
    double below = layout->top + layout->height;
    for (size_t i = 0; i < grid->n_columns; i++)
        if (grid->columns[i].tick % step == 0)
            svg_label(body, middle(layout, i), below + 14, "m small",
                      arena_printf(arena, "%" PRIu64, grid->columns[i].tick), arena);
    svg_label(body, LEFT - 6, below + 14, "e title small", "tick", arena);
}

/* A logical time holds several columns, or none; its number stands above the first. */
static void draw_times(Text *body, const PictureGrid *grid, const Layout *layout, Arena *arena)
{
    uint64_t first = grid->columns[0].lt, last = grid->columns[grid->n_columns - 1].lt, step;
    double end = -LARGEST_COLUMN;
    step = layout->is_labelled ? 1 : round_step(layout->width / (double)(last - first + 1), number_width(last));
    svg_label(body, LEFT - 6, layout->top - 6, "e title small", "LT", arena);
    for (size_t i = 0; i < grid->n_columns; i++) {
        uint64_t lt = grid->columns[i].lt;
        double half = number_width(lt) / 2, at = middle(layout, i);
        if ((i > 0 && lt == grid->columns[i - 1].lt) || lt % step != 0 || at - half < end)
            continue;
        svg_label(body, at, layout->top - 6, "m small", arena_printf(arena, "%" PRIu64, lt), arena);
        end = at + half;
    }
}

static double row_y(const PictureGrid *grid, const Layout *layout, uint32_t row)
{
    return layout->top + (row - grid->first_row) * layout->row_height;
}

/* Numbers of processes, as many as have room. */
static void draw_rows(Text *body, const PictureGrid *grid, const Layout *layout, Arena *arena)
{
    const double room = 13;
    uint32_t step = 1;
    while (step * layout->row_height < room)
        step *= 2;
    svg_label(body, 0, layout->top - 6, "title small", "process", arena);
    for (uint32_t row = grid->first_row; row < grid->end_row; row += step)
        svg_label(body, LEFT - 6, row_y(grid, layout, row) + layout->row_height / 2 + 4, "e small",
                  arena_printf(arena, "%" PRIu32, row), arena);
}

/* ---- cells ---- */

/* Without arrows among many processes: they would cover everything. */
static bool has_arrows(const PictureGrid *grid, const Layout *layout)
{
    return grid->n_arrows && layout->is_labelled && grid->end_row - grid->first_row <= ARROW_ROWS;
}

/* Returns the end of the cells [first, end) of successive processes, in one column and colour, that
 * are one box. */
static size_t find_run(const PictureGrid *grid, const Layout *layout, size_t first)
{
    const PictureCell *cells = grid->cells;
    size_t end = first + 1;
    while (!layout->is_labelled && end < grid->n_cells && cells[end].column == cells[first].column &&
           cells[end].row == cells[end - 1].row + 1 &&
           comm_type_kind(cells[end].type) == comm_type_kind(cells[first].type))
        end++;
    return end;
}

static size_t count_boxes(const PictureGrid *grid, const Layout *layout)
{
    size_t count = 0;
    for (size_t i = 0; i < grid->n_cells; i = find_run(grid, layout, i))
        count++;
    return count;
}

static bool has_family(const PictureGrid *grid, CommTypeKind kind)
{
    for (size_t i = 0; i < grid->n_cells; i++)
        if (comm_type_kind(grid->cells[i].type) == kind)
            return true;
    return false;
}

static const char *family_class(CommTypeKind kind, bool is_labelled, Arena *arena)
{
    for (size_t i = 0; i < N_FAMILIES; i++)
        if (families[i].kind == kind)
            return arena_printf(arena, "%s%s", svg_colour(i), is_labelled ? " pale" : "");
    return "other";
}

static const char *cell_tip(const PictureGrid *grid, const PictureCell *cell, const char *type, Arena *arena)
{
    return arena_printf(arena, "tick %" PRIu64 ", process %" PRIu32 ": %s", grid->columns[cell->column].tick, cell->row,
                        type);
}

static void draw_cells(Text *body, const PictureGrid *grid, const Layout *layout, Arena *arena)
{
    double gap = layout->is_labelled ? 1 : 0;
    for (size_t i = 0, end; i < grid->n_cells; i = end) {
        const PictureCell *cell = &grid->cells[i];
        char type[64];
        end = find_run(grid, layout, i);
        comm_type_format(cell->type, type);
        double x = layout->edges[cell->column], y = row_y(grid, layout, cell->row);
        svg_box(body, x + gap, y + gap, layout->edges[cell->column + 1] - x - 2 * gap,
                layout->row_height * (double)(end - i) - 2 * gap,
                family_class(comm_type_kind(cell->type), layout->is_labelled, arena),
                layout->is_labelled ? cell_tip(grid, cell, type, arena) : NULL, arena);
        if (layout->is_labelled)
            svg_label(body, middle(layout, cell->column), y + layout->row_height / 2 + 4, "m small", type, arena);
    }
}

static void draw_arrows(Text *body, const PictureGrid *grid, const Layout *layout)
{
    for (size_t i = 0; has_arrows(grid, layout) && i < grid->n_arrows; i++) {
        const PictureArrow *arrow = &grid->arrows[i];
        svg_arrow(body, layout->edges[arrow->from_column + 1] - 3,
                  row_y(grid, layout, arrow->from_row) + layout->row_height / 2, layout->edges[arrow->to_column] + 4,
                  row_y(grid, layout, arrow->to_row) + layout->row_height / 2, "message");
    }
}

/* The families that occur. Returns the y below. */
static double draw_legend(Text *body, const PictureGrid *grid, const Layout *layout, double y, Arena *arena)
{
    const char *classes[N_FAMILIES], *names[N_FAMILIES];
    size_t n = 0;
    for (size_t i = 0; i < N_FAMILIES; i++)
        if (has_family(grid, families[i].kind)) {
            classes[n] = family_class(families[i].kind, layout->is_labelled, arena);
            names[n++] = families[i].name;
        }
    return n ? svg_legend(body, LEFT, y, classes, names, n, arena) : y;
}

/* Seconds of each process, beside it. Returns the x behind them. */
static double draw_bars(Text *body, const PictureGrid *grid, const Layout *layout, Arena *arena)
{
    enum { BEFORE = 30, WIDTH = 200, VALUE = 60 };
    double left = LEFT + layout->width + BEFORE, longest_s = 0;
    uint32_t n = grid->end_row - grid->first_row;
    for (uint32_t i = 0; grid->seconds && i < n; i++)
        longest_s = fmax(longest_s, grid->seconds[i]);
    if (!(longest_s > 0))
        return LEFT + layout->width;
    svg_label(body, left, layout->top - 6, "title small", grid->seconds_title, arena);
    for (uint32_t i = 0; i < n; i++) {
        double y = row_y(grid, layout, grid->first_row + i), width = WIDTH * grid->seconds[i] / longest_s;
        const char *time = format_seconds(arena, grid->seconds[i]);
        svg_box(body, left, y + 1, width, layout->row_height - fmin(2, layout->row_height / 4), svg_colour(2),
                arena_printf(arena, "process %" PRIu32 ": %s", grid->first_row + i, time), arena);
        if (layout->is_labelled)
            svg_label(body, left + width + 5, y + layout->row_height / 2 + 4, "small", time, arena);
    }
    return left + WIDTH + VALUE;
}

bool picture_grid(const PictureGrid *grid, Arena *arena, const char **picture, Err *err)
{
    Layout layout = lay_out(grid, arena);
    size_t n_boxes = count_boxes(grid, &layout);
    if (n_boxes > LARGEST_BOXES)
        return err_set(err, ERR_USAGE, "a picture of %zu pieces is too large for viewers", n_boxes) ||
               err_hint(err, "at most %d: choose fewer ticks or processes", LARGEST_BOXES);
    Text body = {0};
    double top = draw_legend(&body, grid, &layout, svg_heading(&body, grid->title, NULL, arena), arena);
    layout.top = top + ABOVE;
    draw_rows(&body, grid, &layout, arena);
    draw_ticks(&body, grid, &layout, arena);
    if (grid->has_times)
        draw_times(&body, grid, &layout, arena);
    draw_cells(&body, grid, &layout, arena);
    draw_arrows(&body, grid, &layout);
    double right = draw_bars(&body, grid, &layout, arena);
    *picture =
        svg_file(&body, fmax(right, svg_label_width(grid->title)), layout.top + layout.height + 20, grid->title, arena);
    return true;
}
