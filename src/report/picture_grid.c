/* SPDX-License-Identifier: BSD-3-Clause */
/* See picture_grid.h. One unit of the x axis is a pixel, so that columns can be as wide as what is written in them. Few
 * events are drawn as boxes with labels, many as an image of a pixel each. */
#include "report/picture_grid.h"

#include "report/plot.h"
#include "report/table.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    LABELLED_CELLS = 3000,
    LABELLED_ROWS = 48,
    LABELLED_COLUMNS = 160,
    BOXED_CELLS = 20000,
    LEFT = 80,
    RIGHT = 30,
    TOP = 84,
    BOTTOM = 56,
    BARS = 240, /* width of the panel with seconds */
    LETTER = 6, /* of the labels */
    LARGEST_WIDTH = 1500,
    LARGEST_HEIGHT = 900,
    LARGEST_COLUMN = 30,
    LARGEST_ROW = 24
};

typedef struct Layout {
    bool is_labelled;
    double *edges; /* [n_columns + 1] in pixels */
    double row_height;
    unsigned width, height; /* of the cells */
} Layout;

static const struct {
    CommTypeKind kind;
    const char *name, *color;
} families[] = {{TYPE_SEND, "send", "#9ecae1"},
                {TYPE_RECV, "receive", "#fdd0a2"},
                {TYPE_COLLECTIVE, "collective", "#a1d99b"},
                {TYPE_ONE_SIDED, "one-sided", "#bcbddc"}};
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
    layout.row_height = layout.is_labelled ? LARGEST_ROW : clamp((double)LARGEST_HEIGHT / n_rows, 1, LARGEST_ROW);
    layout.width = (unsigned)clamp(layout.edges[grid->n_columns], 260, 1e5);
    layout.height = (unsigned)clamp(layout.row_height * n_rows, 24, 1e5);
    return layout;
}

/* ---- axes ---- */

/* Numbers of columns: as many as can stand side by side. */
static void add_tics(const PictureGrid *grid, const Layout *layout, bool times, Text *script)
{
    double end = -1e9;
    uint64_t last_lt = UINT64_MAX;
    text_add(script, "set %s (", times ? "x2tics" : "xtics");
    const char *comma = "";
    for (size_t i = 0; i < grid->n_columns; i++) {
        uint64_t number = times ? grid->columns[i].lt : grid->columns[i].tick;
        double half = (double)snprintf(NULL, 0, "%" PRIu64, number) * LETTER / 2 + 3, at = middle(layout, i);
        if (at - half < end || (times && number == last_lt))
            continue;
        text_add(script, "%s'%" PRIu64 "' %.1f", comma, number, at);
        comma = ", ";
        end = at + half;
        last_lt = number;
    }
    text_add(script, ") font ',10'\n");
}

static void add_row_tics(const PictureGrid *grid, const Layout *layout, Text *script)
{
    uint32_t step = 1;
    while (step * layout->row_height < 13)
        step *= 2;
    text_add(script, "set ytics (");
    for (uint32_t row = grid->first_row; row < grid->end_row; row += step)
        text_add(script, "%s'%" PRIu32 "' %" PRIu32, row == grid->first_row ? "" : ", ", row, row);
    text_add(script, ") font ',10'\n");
}

static void add_frame(const PictureGrid *grid, const Layout *layout, double whole_width, double whole_height,
                      Text *script, Arena *arena)
{
    text_add(script, "set lmargin at screen %.6f\nset rmargin at screen %.6f\n", LEFT / whole_width,
             (LEFT + layout->width) / whole_width);
    text_add(script, "set tmargin at screen %.6f\nset bmargin at screen %.6f\n", 1 - TOP / whole_height,
             BOTTOM / whole_height);
    text_add(script, "set label 1 %s at screen %.6f, screen %.6f font ',14'\n", plot_quote(grid->title, arena),
             LEFT / whole_width, 1 - 16 / whole_height);
    text_add(script, "set key at screen %.6f, screen %.6f left top horizontal Left reverse samplen 1 font ',11'\n",
             LEFT / whole_width, 1 - 26 / whole_height);
    text_add(script, "set xrange [0:%u]\nset x2range [0:%u]\nset yrange [%.1f:%.1f]\n", layout->width, layout->width,
             grid->end_row - 0.5, grid->first_row - 0.5);
    text_add(script, "set xlabel 'tick'\nset ylabel 'process' offset 1\n");
    if (grid->has_times)
        text_add(script, "set label 2 'LT' at screen %.6f, screen %.6f right font ',10'\n", (LEFT - 8) / whole_width,
                 1 - (TOP - 12) / whole_height);
    add_tics(grid, layout, false, script);
    if (grid->has_times)
        add_tics(grid, layout, true, script);
    add_row_tics(grid, layout, script);
}

/* ---- cells ---- */

static void add_box_data(const PictureGrid *grid, const Layout *layout, Text *script)
{
    char type[64];
    for (size_t family = 0; family < N_FAMILIES; family++) {
        text_add(script, "$family%zu << EOD\n", family);
        for (size_t i = 0; i < grid->n_cells; i++) {
            const PictureCell *cell = &grid->cells[i];
            if (comm_type_kind(cell->type) != families[family].kind)
                continue;
            comm_type_format(cell->type, type);
            double gap = layout->is_labelled ? 1 : 0;
            text_add(script, "%.1f %" PRIu32 " %.1f %s\n", middle(layout, cell->column), cell->row,
                     (layout->edges[cell->column + 1] - layout->edges[cell->column]) / 2 - gap, type);
        }
        text_add(script, "EOD\n");
    }
    text_add(script, "$arrows << EOD\n");
    for (size_t i = 0; layout->is_labelled && i < grid->n_arrows; i++) {
        const PictureArrow *arrow = &grid->arrows[i];
        double x = layout->edges[arrow->from_column + 1] - 3, to_x = layout->edges[arrow->to_column] + 4;
        text_add(script, "%.1f %" PRIu32 " %.1f %d\n", x, arrow->from_row, to_x - x,
                 (int)arrow->to_row - (int)arrow->from_row);
    }
    text_add(script, "EOD\n");
}

static bool has_family(const PictureGrid *grid, CommTypeKind kind)
{
    for (size_t i = 0; i < grid->n_cells; i++)
        if (comm_type_kind(grid->cells[i].type) == kind)
            return true;
    return false;
}

static void add_boxes(const PictureGrid *grid, const Layout *layout, Text *script)
{
    double half = layout->is_labelled ? 0.44 : 0.5;
    text_add(script, "set style fill solid noborder\nplot ");
    for (size_t family = 0; family < N_FAMILIES; family++)
        if (has_family(grid, families[family].kind))
            text_add(script, "$family%zu using 1:2:3:(%.2f) with boxxyerror lc rgb '%s' title '%s', \\\n", family, half,
                     families[family].color, families[family].name);
    if (layout->is_labelled && grid->n_arrows)
        text_add(script, "$arrows using 1:2:3:4 with vectors head size 5,20 filled lw 0.6 lc rgb '#777777' notitle, "
                         "\\\n");
    for (size_t family = 0; layout->is_labelled && family < N_FAMILIES; family++)
        if (has_family(grid, families[family].kind))
            text_add(script, "$family%zu using 1:2:4 with labels font ',10' notitle, \\\n", family);
    text_add(script, "1/0 axes x2y1 notitle\n");
}

/* A pixel a cell: 0 none, else the family from 1. */
static void add_image(const PictureGrid *grid, const Layout *layout, Text *script)
{
    uint32_t n_rows = grid->end_row - grid->first_row;
    size_t first_cell = 0;
    text_add(script, "$image << EOD\n");
    for (size_t column = 0; column < grid->n_columns; column++) {
        size_t cell = first_cell;
        for (uint32_t row = 0; row < n_rows; row++) {
            size_t family = 0;
            if (cell < grid->n_cells && grid->cells[cell].column == column &&
                grid->cells[cell].row == row + grid->first_row) {
                while (family < N_FAMILIES && families[family].kind != comm_type_kind(grid->cells[cell].type))
                    family++;
                family = family == N_FAMILIES ? 0 : family + 1;
                cell++;
            }
            text_add(script, row ? " %zu" : "%zu", family);
        }
        text_add(script, "\n");
        first_cell = cell;
    }
    text_add(script, "EOD\nset palette maxcolors %d defined (0 'white'", N_FAMILIES + 1);
    for (int family = 0; family < N_FAMILIES; family++)
        text_add(script, ", %d '%s'", family + 1, families[family].color);
    double column_width = (double)layout->width / (double)grid->n_columns;
    text_add(script, ")\nset cbrange [-0.5:%d.5]\nunset colorbox\nset style fill solid noborder\nplot ", N_FAMILIES);
    text_add(script,
             "$image matrix using (($2 + 0.5) * %.6f):($1 + %" PRIu32 "):3 with image pixels axes x1y1 notitle, \\\n",
             column_width, grid->first_row);
    for (int family = 0; family < N_FAMILIES; family++)
        if (has_family(grid, families[family].kind))
            text_add(script, "1/0 with boxes lc rgb '%s' title '%s', \\\n", families[family].color,
                     families[family].name);
    text_add(script, "1/0 axes x2y1 notitle\n");
}

/* ---- seconds of each process, beside it ---- */

static void add_bars(const PictureGrid *grid, const Layout *layout, double whole_width, Text *script, Arena *arena)
{
    double most = 0, left = LEFT + layout->width + 60;
    uint32_t n_rows = grid->end_row - grid->first_row;
    for (uint32_t i = 0; i < n_rows; i++)
        most = grid->seconds[i] > most ? grid->seconds[i] : most;
    text_add(script, "$bars << EOD\n");
    for (uint32_t i = 0; i < n_rows; i++)
        text_add(script, "%" PRIu32 " %.9g\n", grid->first_row + i, grid->seconds[i]);
    text_add(script,
             "EOD\nset lmargin at screen %.6f\nset rmargin at screen %.6f\nunset label 1\nunset label 2\nunset x2tics\n"
             "unset key\nunset ylabel\nset ytics format ''\nset xlabel %s\nset xrange [0:%.9g]\n"
             "set xtics autofreq %.9g format '%%.1s %%cs'\nset style fill solid noborder\n"
             "plot $bars using ($2/2):1:($2/2):(%.2f) with boxxyerror lc rgb '#9e9ac8'\n",
             left / whole_width, (left + BARS) / whole_width, plot_quote(grid->seconds_title, arena),
             most > 0 ? 1.05 * most : 1, most > 0 ? most / 2 : 1, n_rows > 200 ? 0.5 : 0.4);
}

const char *picture_grid(const PictureGrid *grid, Arena *arena)
{
    Text script = {0};
    Layout layout = lay_out(grid, arena);
    double width = LEFT + layout.width + RIGHT + (grid->seconds ? BARS + 60 : 0), height = TOP + layout.height + BOTTOM;
    plot_begin(&script, (unsigned)width, (unsigned)height);
    if (grid->seconds)
        text_add(&script, "set multiplot\n");
    add_frame(grid, &layout, width, height, &script, arena);
    if (grid->n_cells <= BOXED_CELLS) {
        add_box_data(grid, &layout, &script);
        add_boxes(grid, &layout, &script);
    } else {
        add_image(grid, &layout, &script);
    }
    if (grid->seconds)
        add_bars(grid, &layout, width, &script, arena);
    return text_take(&script, arena);
}
