/* SPDX-License-Identifier: BSD-3-Clause */
/* Text tables: aligned columns under headers, for terminals and logs. Cells are UTF-8.
 *
 *     Table *table = table_new(arena);
 *     table_columns(table, "phase|>weight");
 *     table_cells(table, "%u|%s", 1, "3 952");
 *     fputs(table_text(table, color), stdout); */
#pragma once

#include "base/arena.h"
#include <stdbool.h>

/* What a terminal with colours gets around a text. Only firma's own code may write these. */
#define STYLE_BOLD "\033[1m"
#define STYLE_DIM "\033[2m"
#define STYLE_GOOD "\033[32m"
#define STYLE_BAD "\033[31m"
#define STYLE_END "\033[0m"

typedef enum TableAlign { TABLE_LEFT, TABLE_RIGHT } TableAlign;

typedef enum TableStyle { TABLE_PLAIN, TABLE_DIM, TABLE_GOOD, TABLE_BAD } TableStyle;

typedef struct Table Table;

Table *table_new(Arena *arena);

/* To be called before the first cell is added. If all headers are "", the table has no header
 * line. */
void table_column(Table *table, const char *header, TableAlign align);

/* Adds several columns, separated by bars. A leading `>` makes a column right-aligned. */
void table_columns(Table *table, const char *headers);

/* Adds cells, row by row: as many as the format has parts between bars. A cell is a line of text
 * (text_as_line). */
void table_cells(Table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sets the style of the latest cell's row, for terminals with colours. */
void table_row_style(Table *table, TableStyle style);

/* The first n columns name a row, so they are repeated where the others don't fit beside one another. By default 1. */
void table_repeat_columns(Table *table, size_t n);

/* The width to which all tables are folded, column by column; 0, as at the beginning: none. */
void table_fit(size_t columns);

/* The table's lines, without trailing blanks, each with a newline. Columns that don't fit stand below the others. In
 * the table's arena. */
char *table_text(const Table *table, bool color);

/* The same as a table of HTML. Cells may hold any text. A row's style is its class: dim, good or bad. */
const char *table_html(const Table *table);

/* Number of terminal columns of a UTF-8 text. */
size_t text_width(const char *text);
