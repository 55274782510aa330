/* SPDX-License-Identifier: BSD-3-Clause */
/* See picture_grid.h. One unit of the x axis is a pixel, so that columns can be as wide as what is written in them.
 * Where nothing is written, neighbours of the same colour in a column are one box: that keeps pictures of many
 * processes small. */
#include "verbs/show/picture_grid.h"

#include "report/plot.h"
#include "report/table.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    LABELLED_CELLS = 3000,
    LABELLED_ROWS = 64,
    LABELLED_COLUMNS = 160,
    ARROW_ROWS = 32,
    LARGEST_BOXES = 100000,
    LEFT = 80,
    RIGHT = 30,
    TOP = 62,
    TIMES = 22, /* more at the top, where logical times stand */
    BOTTOM = 64,
    BARS = 240, /* width of the panel with seconds */
    LETTER = 6, /* of the labels */
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
    unsigned top;           /* of the picture, above them */
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
    layout.row_height = clamp((double)LARGEST_HEIGHT / n_rows, layout.is_labelled ? LABELLED_ROW : 1, LARGEST_ROW);
    layout.width = (unsigned)clamp(layout.edges[grid->n_columns], 260, 1e5);
    layout.height = (unsigned)clamp(layout.row_height * n_rows, 24, 1e5);
    layout.top = TOP + (grid->has_times ? TIMES : 0);
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

static void add_ticks(const PictureGrid *grid, const Layout *layout, Text *script)
{
    double widest = number_width(grid->columns[grid->n_columns - 1].tick);
    uint64_t step = layout->is_labelled ? 1 : round_step(layout->edges[1], widest);
    const char *comma = "";
    text_add(script, "set xtics (");
    for (size_t i = 0; i < grid->n_columns; i++)
        if (grid->columns[i].tick % step == 0) {
            text_add(script, "%s'%" PRIu64 "' %.1f", comma, grid->columns[i].tick, middle(layout, i));
            comma = ", ";
        }
    text_add(script, ") font ',10' offset 0,0.4 scale 0.4\n");
}

/* A logical time holds several columns, or none; its number stands above the first. */
static void add_times(const PictureGrid *grid, const Layout *layout, Text *script)
{
    uint64_t first = grid->columns[0].lt, last = grid->columns[grid->n_columns - 1].lt, step;
    double end = -LARGEST_COLUMN;
    const char *comma = "";
    step = layout->is_labelled ? 1 : round_step(layout->width / (double)(last - first + 1), number_width(last));
    text_add(script, "set x2tics (");
    for (size_t i = 0; i < grid->n_columns; i++) {
        uint64_t lt = grid->columns[i].lt;
        double half = number_width(lt) / 2, at = middle(layout, i);
        if ((i > 0 && lt == grid->columns[i - 1].lt) || lt % step != 0 || at - half < end)
            continue;
        text_add(script, "%s'%" PRIu64 "' %.1f", comma, lt, at);
        comma = ", ";
        end = at + half;
    }
    text_add(script, ") font ',10' offset 0,-0.4 scale 0.4\n");
}

static void add_row_tics(const PictureGrid *grid, const Layout *layout, Text *script)
{
    uint32_t step = 1;
    while (step * layout->row_height < 13)
        step *= 2;
    text_add(script, "set ytics (");
    for (uint32_t row = grid->first_row; row < grid->end_row; row += step)
        text_add(script, "%s'%" PRIu32 "' %" PRIu32, row == grid->first_row ? "" : ", ", row, row);
    text_add(script, ") font ',10' scale 0.4\n");
}

static void add_frame(const PictureGrid *grid, const Layout *layout, double whole_width, double whole_height,
                      Text *script, Arena *arena)
{
    text_add(script, "set lmargin at screen %.6f\nset rmargin at screen %.6f\n", LEFT / whole_width,
             (LEFT + layout->width) / whole_width);
    text_add(script, "set tmargin at screen %.6f\nset bmargin at screen %.6f\n", 1 - layout->top / whole_height,
             BOTTOM / whole_height);
    text_add(script, "set label 1 %s at screen %.6f, screen %.6f font ',14'\n", plot_quote(grid->title, arena),
             LEFT / whole_width, 1 - 16 / whole_height);
    text_add(script, "set key at screen %.6f, screen %.6f left top horizontal Left reverse samplen 1 font ',11'\n",
             LEFT / whole_width, 1 - 26 / whole_height);
    text_add(script, "set xrange [0:%u]\nset x2range [0:%u]\nset yrange [%.1f:%.1f]\n", layout->width, layout->width,
             grid->end_row - 0.5, grid->first_row - 0.5);
    text_add(script, "set xlabel 'tick' offset 0,0.4\nset ylabel 'process'\n");
    if (grid->has_times)
        text_add(script, "set label 2 'LT' at screen %.6f, screen %.6f right font ',10'\n", (LEFT - 8) / whole_width,
                 1 - (layout->top - 18.0) / whole_height);
    add_ticks(grid, layout, script);
    if (grid->has_times)
        add_times(grid, layout, script);
    add_row_tics(grid, layout, script);
}

/* ---- cells ---- */

/* Among many processes they would cover everything. */
static bool has_arrows(const PictureGrid *grid, const Layout *layout)
{
    return grid->n_arrows && layout->is_labelled && grid->end_row - grid->first_row <= ARROW_ROWS;
}

/* Cells [first, end) of one column and colour, of successive processes, that are drawn as one box; end. */
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

/* Of each family a block of rows "middle process half-width half-height label". */
static void add_box_data(const PictureGrid *grid, const Layout *layout, Text *script)
{
    char type[64];
    double gap = layout->is_labelled ? 1 : 0;
    for (size_t family = 0; family < N_FAMILIES; family++) {
        text_add(script, "$family%zu << EOD\n", family);
        for (size_t i = 0, end; i < grid->n_cells; i = end) {
            const PictureCell *cell = &grid->cells[i];
            end = find_run(grid, layout, i);
            if (comm_type_kind(cell->type) != families[family].kind)
                continue;
            comm_type_format(cell->type, type);
            double half_rows = (double)(end - i) / 2;
            text_add(script, "%.1f %.1f %.1f %.2f %s\n", middle(layout, cell->column), cell->row - 0.5 + half_rows,
                     (layout->edges[cell->column + 1] - layout->edges[cell->column]) / 2 - gap,
                     layout->is_labelled ? 0.44 : half_rows, type);
        }
        text_add(script, "EOD\n");
    }
    text_add(script, "$arrows << EOD\n");
    for (size_t i = 0; has_arrows(grid, layout) && i < grid->n_arrows; i++) {
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
    text_add(script, "set style fill solid noborder\nplot ");
    for (size_t family = 0; family < N_FAMILIES; family++)
        if (has_family(grid, families[family].kind))
            text_add(script, "$family%zu using 1:2:3:4 with boxxyerror lc rgb '%s' title '%s', \\\n", family,
                     families[family].color, families[family].name);
    if (has_arrows(grid, layout))
        text_add(script, "$arrows using 1:2:3:4 with vectors head size 5,20 filled lw 0.6 lc rgb '#777777' notitle, "
                         "\\\n");
    for (size_t family = 0; layout->is_labelled && family < N_FAMILIES; family++)
        if (has_family(grid, families[family].kind))
            text_add(script, "$family%zu using 1:2:5 with labels font ',10' notitle, \\\n", family);
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

bool picture_grid(const PictureGrid *grid, Arena *arena, const char **script, Err *err)
{
    Layout layout = lay_out(grid, arena);
    double width = LEFT + layout.width + RIGHT + (grid->seconds ? BARS + 60 : 0),
           height = layout.top + layout.height + BOTTOM;
    size_t n_boxes = count_boxes(grid, &layout);
    if (n_boxes > LARGEST_BOXES)
        return err_set(err, ERR_USAGE, "a picture of %zu pieces is more than any viewer shows", n_boxes) ||
               err_hint(err, "at most %d: choose fewer ticks or processes", LARGEST_BOXES);
    Text text = {0};
    plot_begin(&text, (unsigned)width, (unsigned)height);
    if (grid->seconds)
        text_add(&text, "set multiplot\n");
    add_frame(grid, &layout, width, height, &text, arena);
    add_box_data(grid, &layout, &text);
    add_boxes(grid, &layout, &text);
    if (grid->seconds)
        add_bars(grid, &layout, width, &text, arena);
    *script = text_take(&text, arena);
    return true;
}
