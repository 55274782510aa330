/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds text tables (table.h). Cells stand row by row in one array. Column widths are computed
 * when the text is made. */
#include "report/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define COLUMN_LIMIT 24
#define COLUMN_GAP 2

typedef struct Column {
    const char *header;
    TableAlign align;
} Column;

typedef struct Cell {
    char *text;
    TableStyle style; /* of the row; valid in the row's first cell */
} Cell;

struct Table {
    Arena *arena;
    Column columns[COLUMN_LIMIT];
    size_t n_columns;
    Cell *cells;
    size_t n_cells, capacity;
};

static const char *const style_starts[] = {
    [TABLE_PLAIN] = "", [TABLE_DIM] = "\033[2m", [TABLE_GOOD] = "\033[32m", [TABLE_BAD] = "\033[31m"};

Table *table_new(Arena *arena)
{
    Table *table = arena_alloc(arena, sizeof *table);
    table->arena = arena;
    return table;
}

void table_column(Table *table, const char *header, TableAlign align)
{
    if (table->n_columns < COLUMN_LIMIT)
        table->columns[table->n_columns++] = (Column){arena_strdup(table->arena, header), align};
}

void table_columns(Table *table, const char *headers)
{
    for (;; headers++) {
        size_t length = strcspn(headers, "|");
        bool is_right = *headers == '>';
        table_column(table, arena_strndup(table->arena, headers + is_right, length - is_right),
                     is_right ? TABLE_RIGHT : TABLE_LEFT);
        headers += length;
        if (!*headers)
            return;
    }
}

static void add_cell(Table *table, char *text)
{
    if (table->n_cells == table->capacity) {
        size_t grown = table->capacity ? 2 * table->capacity : 64;
        Cell *cells = arena_new_array(table->arena, Cell, grown);
        if (table->n_cells)
            memcpy(cells, table->cells, table->n_cells * sizeof *cells);
        table->cells = cells;
        table->capacity = grown;
    }
    table->cells[table->n_cells++] = (Cell){text, TABLE_PLAIN};
}

void table_cells(Table *table, const char *format, ...)
{
    enum {
        SEPARATOR = '\x1f'
    }; /* a character that no cell contains; a printed text may contain
                                    a bar */
    char small[256], *split = arena_strdup(table->arena, format);
    va_list arguments;
    for (char *bar = split; (bar = strchr(bar, '|'));)
        *bar = SEPARATOR;
    va_start(arguments, format);
    int length = vsnprintf(small, sizeof small, split, arguments);
    va_end(arguments);
    size_t size_bytes = length < 0 ? 1 : (size_t)length + 1;
    char *text = arena_alloc(table->arena, size_bytes);
    va_start(arguments, format);
    vsnprintf(text, size_bytes, split, arguments);
    va_end(arguments);
    for (char *end; (end = strchr(text, SEPARATOR)); text = end + 1) {
        *end = '\0';
        add_cell(table, text);
    }
    add_cell(table, text);
}

void table_row_style(Table *table, TableStyle style)
{
    if (table->n_cells && table->n_columns)
        table->cells[(table->n_cells - 1) / table->n_columns * table->n_columns].style = style;
}

size_t text_width(const char *text)
{
    size_t width = 0;
    for (const unsigned char *byte = (const unsigned char *)text; *byte; byte++) {
        bool continues = (*byte & 0xC0) == 0x80;
        bool combines = *byte == 0xCC || (*byte == 0xCD && byte[1] < 0xB0); /* U+0300 … U+036F */
        width += !continues && !combines;
    }
    return width;
}

/* Writes a text in pieces; used twice, first to measure the length, then to write. */
typedef struct Writer {
    char *text; /* NULL: only measure */
    size_t used;
} Writer;

static void put(Writer *writer, const char *piece, size_t length)
{
    if (writer->text)
        memcpy(writer->text + writer->used, piece, length);
    writer->used += length;
}

static void put_text(Writer *writer, const char *piece)
{
    put(writer, piece, strlen(piece));
}

static void put_blanks(Writer *writer, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put(writer, " ", 1);
}

/* Writes the blanks before a cell only when something visible follows, so that no line ends in
 * blanks. */
static void put_row(const Table *table, const size_t *widths, const char *const *texts, const char *style,
                    Writer *writer)
{
    size_t owed = 0;
    put_text(writer, style);
    for (size_t i = 0; i < table->n_columns; i++) {
        size_t width = text_width(texts[i]), padding = widths[i] - width;
        if (i > 0)
            owed += COLUMN_GAP;
        if (table->columns[i].align == TABLE_RIGHT)
            owed += padding;
        if (width > 0) {
            put_blanks(writer, owed);
            put_text(writer, texts[i]);
            owed = 0;
        }
        if (table->columns[i].align == TABLE_LEFT)
            owed += padding;
    }
    put_text(writer, *style ? "\033[0m\n" : "\n");
}

static const char *cell_text(const Table *table, size_t row, size_t column)
{
    size_t i = row * table->n_columns + column;
    return i < table->n_cells ? table->cells[i].text : "";
}

static void put_table(const Table *table, const size_t *widths, size_t n_rows, bool color, Writer *writer)
{
    const char *texts[COLUMN_LIMIT];
    bool has_headers = false;
    for (size_t i = 0; i < table->n_columns; i++) {
        texts[i] = table->columns[i].header;
        has_headers |= *texts[i] != '\0';
    }
    if (has_headers)
        put_row(table, widths, texts, color ? "\033[1m" : "", writer);
    for (size_t row = 0; row < n_rows; row++) {
        for (size_t i = 0; i < table->n_columns; i++)
            texts[i] = cell_text(table, row, i);
        TableStyle style = table->cells[row * table->n_columns].style;
        put_row(table, widths, texts, color ? style_starts[style] : "", writer);
    }
}

char *table_text(const Table *table, bool color)
{
    if (table->n_columns == 0)
        return arena_strdup(table->arena, "");
    size_t widths[COLUMN_LIMIT], n_rows = (table->n_cells + table->n_columns - 1) / table->n_columns;
    for (size_t i = 0; i < table->n_columns; i++) {
        widths[i] = text_width(table->columns[i].header);
        for (size_t row = 0; row < n_rows; row++) {
            size_t width = text_width(cell_text(table, row, i));
            widths[i] = width > widths[i] ? width : widths[i];
        }
    }
    Writer writer = {0};
    put_table(table, widths, n_rows, color, &writer);
    writer = (Writer){.text = arena_alloc(table->arena, writer.used + 1)};
    put_table(table, widths, n_rows, color, &writer);
    return writer.text;
}
