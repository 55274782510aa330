/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds text tables (table.h). Cells stand row by row in one array. Column widths are computed
 * when the text is made. */
#include "report/table.h"

#include "base/text.h"
#include "report/html.h"
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#define COLUMN_LIMIT 24
#define COLUMN_GAP 2

typedef struct Column {
    const char *header;
    TableAlign align;
} Column;

typedef struct Cell {
    const char *text;
    TableStyle style; /* of the row; valid in the row's first cell */
} Cell;

struct Table {
    Arena *arena;
    Column columns[COLUMN_LIMIT];
    size_t n_columns, n_names;
    Cell *cells;
    size_t n_cells, capacity;
};

/* Columns that stand beside one another. */
typedef struct Part {
    size_t columns[COLUMN_LIMIT], n;
} Part;

/* There is one terminal, so its width is static. */
static size_t terminal_columns;

static const char *const style_starts[] = {
    [TABLE_PLAIN] = "", [TABLE_DIM] = STYLE_DIM, [TABLE_GOOD] = STYLE_GOOD, [TABLE_BAD] = STYLE_BAD};

Table *table_new(Arena *arena)
{
    Table *table = arena_alloc(arena, sizeof *table);
    table->arena = arena;
    table->n_names = 1;
    return table;
}

void table_fit(size_t columns)
{
    terminal_columns = columns;
}

void table_repeat_columns(Table *table, size_t n)
{
    table->n_names = n;
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

static void add_cell(Table *table, const char *text)
{
    if (table->n_cells == table->capacity) {
        size_t grown = table->capacity ? 2 * table->capacity : 64;
        Cell *cells = arena_new_array(table->arena, Cell, grown);
        if (table->n_cells)
            memcpy(cells, table->cells, table->n_cells * sizeof *cells);
        table->cells = cells;
        table->capacity = grown;
    }
    table->cells[table->n_cells++] = (Cell){text_is_line(text) ? text : text_as_line(text, table->arena), TABLE_PLAIN};
}

static size_t count_char(const char *text, char c)
{
    size_t count = 0;
    for (; (text = strchr(text, c)); text++)
        count++;
    return count;
}

/* Prints with a separator instead of each bar of the format. A printed text may contain bars. */
static char *print_cells(Arena *arena, const char *format, char separator, va_list arguments)
{
    va_list again;
    char *split = arena_strdup(arena, format);
    for (char *bar = split; (bar = strchr(bar, '|'));)
        *bar = separator;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, split, again);
    va_end(again);
    size_t size_bytes = length < 0 ? 1 : (size_t)length + 1;
    char *text = arena_alloc(arena, size_bytes);
    va_copy(again, arguments);
    vsnprintf(text, size_bytes, split, again);
    va_end(again);
    return text;
}

/* Names out of files may hold any bytes, so the separator is one that the printed texts don't
 * hold. */
void table_cells(Table *table, const char *format, ...)
{
    va_list arguments;
    char separator = '\x1f', *text;
    va_start(arguments, format);
    for (size_t bars = count_char(format, '|');; separator--) {
        text = print_cells(table->arena, format, separator, arguments);
        if (separator == '\x01' || count_char(text, separator) == bars)
            break;
    }
    va_end(arguments);
    for (char *end; (end = strchr(text, separator)); text = end + 1) {
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

/* wcwidth() needs a locale whose characters are Unicode's, whatever the user's is. */
size_t text_width(const char *text)
{
    static locale_t unicode;
    size_t width = 0;
    uint32_t point;
    if (!unicode)
        unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    locale_t before = unicode ? uselocale(unicode) : (locale_t)0;
    for (; *text; text += text_character(text, &point)) {
        text_character(text, &point);
        int columns = (unsigned char)*text < 0x80 || point == TEXT_NO_CHARACTER ? 1 : wcwidth((wchar_t)point);
        width += columns < 0 ? 1 : (size_t)columns;
    }
    if (before)
        uselocale(before);
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

static const char *cell_text(const Table *table, size_t row, size_t column)
{
    size_t i = row * table->n_columns + column;
    return i < table->n_cells ? table->cells[i].text : "";
}

/* Writes the blanks before a cell only when something visible follows, so that no line ends in
 * blanks. */
static void put_row(const Table *table, const Part *part, const size_t *widths, const char *const *texts,
                    const char *style, Writer *writer)
{
    size_t owed = 0;
    put_text(writer, style);
    for (size_t k = 0; k < part->n; k++) {
        size_t i = part->columns[k], width = text_width(texts[i]), padding = widths[i] - width;
        if (k > 0)
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
    put_text(writer, *style ? STYLE_END "\n" : "\n");
}

static void put_part(const Table *table, const Part *part, const size_t *widths, size_t n_rows, bool color,
                     Writer *writer)
{
    const char *texts[COLUMN_LIMIT];
    bool has_headers = false;
    for (size_t i = 0; i < table->n_columns; i++) {
        texts[i] = table->columns[i].header;
        has_headers |= *texts[i] != '\0';
    }
    if (has_headers)
        put_row(table, part, widths, texts, color ? STYLE_BOLD : "", writer);
    for (size_t row = 0; row < n_rows; row++) {
        for (size_t i = 0; i < table->n_columns; i++)
            texts[i] = cell_text(table, row, i);
        TableStyle style = table->cells[row * table->n_columns].style;
        put_row(table, part, widths, texts, color ? style_starts[style] : "", writer);
    }
}

/* The columns from `first` on that fit beside the row's names; at least one. Returns the end of them. */
static size_t fill_part(const Table *table, const size_t *widths, size_t first, Part *part)
{
    size_t used = 0, end = first;
    part->n = 0;
    for (size_t i = 0; i < table->n_names && i < first; i++) {
        part->columns[part->n++] = i;
        used += widths[i] + COLUMN_GAP;
    }
    for (; end < table->n_columns; end++) {
        bool is_needed = end == first || end <= table->n_names; /* names never stand alone */
        if (terminal_columns && !is_needed && used + widths[end] > terminal_columns)
            break;
        part->columns[part->n++] = end;
        used += widths[end] + COLUMN_GAP;
    }
    return end;
}

static void put_table(const Table *table, const size_t *widths, size_t n_rows, bool color, Writer *writer)
{
    for (size_t first = 0, end; first < table->n_columns; first = end) {
        Part part;
        end = fill_part(table, widths, first, &part);
        put_text(writer, first ? "\n" : "");
        put_part(table, &part, widths, n_rows, color, writer);
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

static void add_html_row(const Table *table, const char *tag, const char *class, const char *const *texts, Text *html)
{
    text_add(html, "<tr%s%s>", *class ? " class=" : "", class);
    for (size_t i = 0; i < table->n_columns; i++)
        text_add(html, "<%s%s>%s", tag, table->columns[i].align == TABLE_RIGHT ? " class=r" : "",
                 html_escape(texts[i], table->arena));
    text_add(html, "\n");
}

const char *table_html(const Table *table)
{
    static const char *const classes[] = {
        [TABLE_PLAIN] = "", [TABLE_DIM] = "dim", [TABLE_GOOD] = "good", [TABLE_BAD] = "bad"};
    const char *texts[COLUMN_LIMIT];
    Text html = {0};
    text_add(&html, "<table>");
    for (size_t i = 0; i < table->n_columns; i++)
        texts[i] = table->columns[i].header;
    add_html_row(table, "th", "", texts, &html);
    for (size_t row = 0; row * table->n_columns < table->n_cells; row++) {
        for (size_t i = 0; i < table->n_columns; i++)
            texts[i] = cell_text(table, row, i);
        add_html_row(table, "td", classes[table->cells[row * table->n_columns].style], texts, &html);
    }
    text_add(&html, "</table>");
    return text_take(&html, table->arena);
}
