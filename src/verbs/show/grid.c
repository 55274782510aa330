/* SPDX-License-Identifier: BSD-3-Clause */
/* See grid.h. Only the text is kept: rows are written one after the other, and each column
 * remembers its next cell. */
#include "verbs/show/grid.h"

#include "base/text.h"
#include "report/table.h"
#include <inttypes.h>
#include <stdio.h>

enum { GAP = 2 };

typedef struct Block {
    size_t first_column, end_column;
    size_t *widths;     /* [n_columns] of the whole grid */
    size_t *next_cells; /* [n_columns] the next cell of each column */
} Block;

static size_t digits(uint64_t number)
{
    return (size_t)snprintf(NULL, 0, "%" PRIu64, number);
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static void measure(const Grid *grid, size_t *widths)
{
    char text[96];
    for (size_t i = 0; i < grid->n_columns; i++) {
        const GridColumn *column = &grid->columns[i];
        widths[i] = 1;
        for (int header = 0; header < GRID_HEADERS; header++)
            if (grid->corners[header])
                widths[i] = larger(widths[i], digits(column->headers[header]));
        for (size_t cell = 0; cell < column->n_cells; cell++) {
            grid->write(grid->self, column->first_cell + cell, text);
            widths[i] = larger(widths[i], text_width(text));
        }
    }
}

static void add_right(Text *text, const char *piece, size_t width, const char *style)
{
    size_t own = text_width(piece);
    text_repeat(text, ' ', GAP + (width > own ? width - own : 0));
    text_add(text, *style ? "%s%s" STYLE_END : "%s%s", style, piece);
}

static void add_headers(const Grid *grid, const Block *block, size_t label_width, bool color, Text *text)
{
    for (int header = 0; header < GRID_HEADERS; header++) {
        if (!grid->corners[header])
            continue;
        text_add(text, "%s%-*s", color ? STYLE_BOLD : "", (int)label_width, grid->corners[header]);
        for (size_t i = block->first_column; i < block->end_column; i++)
            text_add(text, "%*" PRIu64, (int)(GAP + block->widths[i]), grid->columns[i].headers[header]);
        text_add(text, color ? STYLE_END "\n" : "\n");
    }
}

static bool is_in_row(const Grid *grid, const Block *block, size_t column, uint32_t row)
{
    const GridColumn *cells = &grid->columns[column];
    size_t next = block->next_cells[column];
    return next < cells->n_cells && grid->row_of(grid->self, cells->first_cell + next) == row;
}

static bool is_empty(const Grid *grid, const Block *block, uint32_t row)
{
    for (size_t i = block->first_column; i < block->end_column; i++)
        if (is_in_row(grid, block, i, row))
            return false;
    return true;
}

static void add_row(const Grid *grid, Block *block, uint32_t row, size_t label_width, bool color, Text *text)
{
    char written[96];
    text_add(text, "%-*" PRIu32, (int)label_width, row);
    for (size_t i = block->first_column; i < block->end_column; i++) {
        size_t cell = grid->columns[i].first_cell + block->next_cells[i];
        if (!is_in_row(grid, block, i, row)) {
            add_right(text, ".", block->widths[i], color ? STYLE_DIM : "");
            continue;
        }
        grid->write(grid->self, cell, written);
        bool dim = color && grid->is_dim && grid->is_dim(grid->self, cell);
        add_right(text, written, block->widths[i], dim ? STYLE_DIM : "");
        block->next_cells[i]++;
    }
    text_add(text, "\n");
}

/* Passes the row's cells. */
static void skip_row(const Grid *grid, Block *block, uint32_t row)
{
    for (size_t i = block->first_column; i < block->end_column; i++)
        block->next_cells[i] += is_in_row(grid, block, i, row);
}

static void add_rows(const Grid *grid, Block *block, size_t label_width, bool color, Text *text)
{
    bool leaves_out = grid->end_row - grid->first_row > GRID_WHOLE_ROWS;
    uint32_t n_shown = 0, n_others = 0;
    for (uint32_t row = grid->first_row; row < grid->end_row; row++) {
        if (leaves_out && is_empty(grid, block, row))
            continue;
        if (grid->rows_limit && n_shown == grid->rows_limit) {
            skip_row(grid, block, row);
            n_others++;
            continue;
        }
        add_row(grid, block, row, label_width, color, text);
        n_shown++;
    }
    if (n_others)
        text_add(text, "%" PRIu32 " other processes (%s)\n", n_others, grid->option);
}

const char *grid_text(const Grid *grid, size_t width, bool color, Arena *arena)
{
    Text text = {0};
    size_t label_width = digits(grid->end_row ? grid->end_row - 1 : 0);
    for (int header = 0; header < GRID_HEADERS; header++)
        label_width = larger(label_width, grid->corners[header] ? text_width(grid->corners[header]) : 0);
    Block block = {.widths = arena_new_array(arena, size_t, grid->n_columns),
                   .next_cells = arena_new_array(arena, size_t, grid->n_columns)};
    measure(grid, block.widths);
    while (block.end_column < grid->n_columns) {
        size_t used = label_width;
        block.first_column = block.end_column;
        do
            used += GAP + block.widths[block.end_column++];
        while (block.end_column < grid->n_columns && used + GAP + block.widths[block.end_column] <= width);
        text_add(&text, block.first_column ? "\n" : "");
        add_headers(grid, &block, label_width, color, &text);
        add_rows(grid, &block, label_width, color, &text);
    }
    if (grid->end_row - grid->first_row > GRID_WHOLE_ROWS)
        text_add(&text, "\nprocesses without an event in these columns are left out\n");
    return text_take(&text, arena);
}
