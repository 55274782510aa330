/* SPDX-License-Identifier: BSD-3-Clause */
/* Text tables: aligned columns under headers, for terminals and logs. Cells are UTF-8.
 *
 *     Table *table = table_new(arena);
 *     table_columns(table, "phase|>weight");
 *     table_cells(table, "%u|%s", 1, "3 952");
 *     fputs(table_text(table, color), stdout);                                                            */
#pragma once

#include "base/arena.h"
#include <stdbool.h>

typedef enum TableAlign { TABLE_LEFT, TABLE_RIGHT } TableAlign;

typedef enum TableStyle { TABLE_PLAIN, TABLE_DIM, TABLE_GOOD, TABLE_BAD } TableStyle;

typedef struct Table Table;

Table *table_new(Arena *arena);

/* All columns come before the first cell. A table whose headers are all "" has no header line. */
void table_column(Table *table, const char *header, TableAlign align);

/* Several of them, between bars; one that is right-aligned begins with `>`. */
void table_columns(Table *table, const char *headers);

/* Cells are added row by row: as many as the format has parts between bars. */
void table_cells(Table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* How the latest cell's row looks, where there are colours. */
void table_row_style(Table *table, TableStyle style);

/* Lines without trailing blanks, each ending in a newline; in the table's arena. */
char *table_text(const Table *table, bool color);

/* Columns that a UTF-8 text takes on a terminal. */
size_t text_width(const char *text);
