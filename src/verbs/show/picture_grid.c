/* SPDX-License-Identifier: BSD-3-Clause */
/* See picture_grid.h. One unit of the x axis is a pixel, so that columns are as wide as their
 * labels. Without labels, neighbouring cells of the same colour in a column are one box, which
 * keeps pictures of many processes small. */
#include "verbs/show/picture_grid.h"

#include "report/plot.h"
#include "report/table.h"
#include "verbs/plots.h"
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
    LEAST_WIDTH = 260,
    LARGEST_WIDTH = 1500,
    LARGEST_HEIGHT = 900,
    LARGEST_COLUMN = 30,
    LARGEST_ROW = 24,
    LABELLED_ROW = 16 /* the least that holds a label */
};

typedef struct Layout {
    bool is_labelled;
    double *edges; /* [n_columns + 1] in pixels */
    double row_height;
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

static void add_ticks(const PictureGrid *grid, const Layout *layout, Text *data)
{
    double widest = number_width(grid->columns[grid->n_columns - 1].tick);
    uint64_t step = layout->is_labelled ? 1 : round_step(layout->edges[1], widest);
    text_add(data, "$ticks << END\n");
    for (size_t i = 0; i < grid->n_columns; i++)
        if (grid->columns[i].tick % step == 0)
            text_add(data, "%.1f %" PRIu64 "\n", middle(layout, i), grid->columns[i].tick);
    text_add(data, "END\n");
}

/* A logical time holds several columns, or none; its number stands above the first. */
static void add_times(const PictureGrid *grid, const Layout *layout, Text *data)
{
    uint64_t first = grid->columns[0].lt, last = grid->columns[grid->n_columns - 1].lt, step;
    double end = -LARGEST_COLUMN;
    step = layout->is_labelled ? 1 : round_step(layout->width / (double)(last - first + 1), number_width(last));
    text_add(data, "$times << END\n");
    for (size_t i = 0; grid->has_times && i < grid->n_columns; i++) {
        uint64_t lt = grid->columns[i].lt;
        double half = number_width(lt) / 2, at = middle(layout, i);
        if ((i > 0 && lt == grid->columns[i - 1].lt) || lt % step != 0 || at - half < end)
            continue;
        text_add(data, "%.1f %" PRIu64 "\n", at, lt);
        end = at + half;
    }
    text_add(data, "END\n");
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

/* For each family that occurs, a part with rows "middle process half-width half-height label". */
static void add_boxes(const PictureGrid *grid, const Layout *layout, Text *data)
{
    char type[64];
    double gap = layout->is_labelled ? 1 : 0;
    text_add(data, "$boxes << END\n");
    for (size_t family = 0; family < N_FAMILIES; family++) {
        if (!has_family(grid, families[family].kind))
            continue;
        for (size_t i = 0, end; i < grid->n_cells; i = end) {
            const PictureCell *cell = &grid->cells[i];
            end = find_run(grid, layout, i);
            if (comm_type_kind(cell->type) != families[family].kind)
                continue;
            comm_type_format(cell->type, type);
            double half_rows = (double)(end - i) / 2;
            text_add(data, "%.1f %.1f %.1f %.2f %s\n", middle(layout, cell->column), cell->row - 0.5 + half_rows,
                     (layout->edges[cell->column + 1] - layout->edges[cell->column]) / 2 - gap,
                     layout->is_labelled ? 0.44 : half_rows, type);
        }
        text_add(data, "\n\n");
    }
    text_add(data, "END\nfamilies = '");
    for (size_t family = 0; family < N_FAMILIES; family++)
        if (has_family(grid, families[family].kind))
            text_add(data, "%s ", families[family].name);
    text_add(data, "'\n");
}

static void add_arrows(const PictureGrid *grid, const Layout *layout, Text *data)
{
    text_add(data, "$arrows << END\n" PLOT_NO_ROW);
    for (size_t i = 0; has_arrows(grid, layout) && i < grid->n_arrows; i++) {
        const PictureArrow *arrow = &grid->arrows[i];
        double x = layout->edges[arrow->from_column + 1] - 3, to_x = layout->edges[arrow->to_column] + 4;
        text_add(data, "%.1f %" PRIu32 " %.1f %d\n", x, arrow->from_row, to_x - x,
                 (int)arrow->to_row - (int)arrow->from_row);
    }
    text_add(data, "END\n");
}

/* Seconds of each process, beside it. */
static void add_bars(const PictureGrid *grid, Text *data)
{
    text_add(data, "$bars << END\n");
    for (uint32_t row = grid->first_row; grid->seconds && row < grid->end_row; row++)
        text_add(data, "%" PRIu32 " %.9g\n", row, grid->seconds[row - grid->first_row]);
    text_add(data, "END\n");
}

bool picture_grid(const PictureGrid *grid, Arena *arena, const char **script, Err *err)
{
    Layout layout = lay_out(grid, arena);
    size_t n_boxes = count_boxes(grid, &layout);
    if (n_boxes > LARGEST_BOXES)
        return err_set(err, ERR_USAGE, "a picture of %zu pieces is too large for viewers", n_boxes) ||
               err_hint(err, "at most %d: choose fewer ticks or processes", LARGEST_BOXES);
    Text data = {0};
    text_add(&data, "name = %s\nbars_title = %s\ncells_width = %u\ncells_height = %u\n", plot_quote(grid->title, arena),
             plot_quote(grid->seconds ? grid->seconds_title : "", arena), layout.width, layout.height);
    text_add(&data, "first_row = %" PRIu32 "\nlast_row = %" PRIu32 "\nis_labelled = %d\n", grid->first_row,
             grid->end_row - 1, layout.is_labelled);
    add_ticks(grid, &layout, &data);
    add_times(grid, &layout, &data);
    add_boxes(grid, &layout, &data);
    add_arrows(grid, &layout, &data);
    add_bars(grid, &data);
    *script = plot_script(&data, PLOT_SHOW_GRID, arena);
    return true;
}
