/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix of volumes as CSV: line i has what task i sends to each task. If the first cell is no
 * number, the first line and the first column hold the tasks' names. libcsv splits lines into
 * fields; it gets one line of the file after another, so that errors can name the line. */
#include "base/files.h"
#include "base/text.h"
#include "placement/exchange/volumes.h"

#include <csv.h>
#include <string.h>

/* A matrix as CSV has a cell for each pair. */
enum { CSV_TASKS_LIMIT = 1 << 13, FIELD_SHOWN = 40 };

typedef struct Table {
    const char *file;
    Arena *arena;
    Volumes *volumes;
    VEC(const char *) names;
    uint32_t line, row, column; /* row: of the matrix; column: of the line */
    bool has_begun, has_names, failed;
    Err *err;
} Table;

__attribute__((format(printf, 2, 3))) static void refuse(Table *table, const char *format, ...)
{
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    table->failed = true;
    err_set(table->err, ERR_INPUT, "%s:%u: %s", table->file, table->line, text_as_line(what, table->arena));
}

static bool read_number(const char *field, double *number)
{
    char *end;
    const char *begin = field + strspn(field, " \t");
    *number = text_number(begin, &end);
    return end != begin && !end[strspn(end, " \t")];
}

static void add_name(Table *table, const char *name)
{
    if (table->column == 0)
        return;
    if (!*name || !text_is_line(name))
        refuse(table, "column %u: the name of a task is empty, or has characters that can't be seen",
               table->column + 1);
    else
        *vec_push(&table->names) = arena_strdup(table->arena, name);
}

static void check_name(Table *table, const char *name)
{
    if (table->row >= table->names.count)
        refuse(table, "more lines than the %zu tasks that the first line names", table->names.count);
    else if (strcmp(name, table->names.items[table->row]) != 0)
        refuse(table, "the line begins with `%.*s`, but task %u in the first line is `%.*s`", FIELD_SHOWN, name,
               table->row, FIELD_SHOWN, table->names.items[table->row]);
}

static void add_volume(Table *table, uint32_t to, const char *field)
{
    double bytes;
    if (!read_number(field, &bytes) || !(bytes >= 0 && bytes <= BYTES_LIMIT))
        refuse(table, "column %u: `%.*s`: expected bytes, a number from 0 to %g", table->column + 1, FIELD_SHOWN, field,
               BYTES_LIMIT);
    else if (to >= CSV_TASKS_LIMIT)
        refuse(table, "more than the limit of %d tasks", CSV_TASKS_LIMIT);
    else if (bytes > 0)
        volumes_add(table->volumes, (Volume){table->row, to, table->line, bytes});
}

static void take_field(void *bytes, size_t length, void *argument)
{
    Table *table = argument;
    const char *field = length ? bytes : ""; /* libcsv ends it with a zero */
    double number;
    if (table->failed)
        return;
    if (!table->has_begun) {
        table->has_begun = true;
        table->has_names = !read_number(field, &number);
        table->row = table->has_names ? UINT32_MAX : 0;
    }
    if (table->row == UINT32_MAX)
        add_name(table, field);
    else if (table->has_names && table->column == 0)
        check_name(table, field);
    else
        add_volume(table, table->column - table->has_names, field);
    table->column++;
}

static void end_row(int byte, void *argument)
{
    Table *table = argument;
    (void)byte;
    if (table->failed)
        return;
    uint32_t n = table->column - table->has_names;
    if (table->row == UINT32_MAX || (table->row == 0 && !table->has_names))
        table->volumes->n_tasks = n;
    if (n != table->volumes->n_tasks)
        refuse(table, "%u columns, but the first line has %u", n, table->volumes->n_tasks);
    table->row++;
    table->column = 0;
}

static unsigned char separator_of(const char *text)
{
    size_t length = strcspn(text, "\r\n");
    return memchr(text, '\t', length) ? '\t' : memchr(text, ';', length) ? ';' : ',';
}

static void read_lines(Table *table, struct csv_parser *parser, const char *text)
{
    for (table->line = 1; *text && !table->failed; table->line++) {
        size_t length = strcspn(text, "\n");
        length += text[length] == '\n';
        if (csv_parse(parser, text, length, take_field, end_row, table) != length && !table->failed)
            refuse(table, "%s", csv_strerror(csv_error(parser)));
        text += length;
    }
    table->line -= table->line > 1;
    if (!table->failed && csv_fini(parser, take_field, end_row, table) != 0)
        refuse(table, "%s", csv_strerror(csv_error(parser)));
}

static bool check_names(const Table *table, Err *err)
{
    json_t *numbers = NULL;
    const JsonPlace place = json_place(table->file, "line 1");
    bool ok = task_names_collect(table->names.items, (uint32_t)table->names.count, &place, &numbers, err);
    json_decref(numbers);
    return ok;
}

static bool check_table(Table *table, Err *err)
{
    Volumes *volumes = table->volumes;
    if (table->failed)
        return false;
    if (!table->has_begun || !volumes->n_tasks)
        return err_set(err, ERR_INPUT, "%s: holds no matrix", table->file);
    if (table->row != volumes->n_tasks)
        return err_set(err, ERR_INPUT, "%s:%u: %u lines of %u columns; a line and a column of each task were expected",
                       table->file, table->line, table->row, volumes->n_tasks);
    return !table->has_names || check_names(table, err);
}

bool volumes_read_csv(const char *path, Arena *arena, Volumes *volumes, Err *err)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    const char *text;
    struct csv_parser parser;
    Table table = {.file = path, .arena = arena, .volumes = volumes, .err = err};
    if (!files_load_text(path, arena, &text, err))
        return false;
    if (csv_init(&parser, CSV_APPEND_NULL | CSV_STRICT | CSV_STRICT_FINI) != 0)
        return err_set(err, ERR_BUG, "libcsv cannot be initialised");
    if (strncmp(text, byte_order_mark, sizeof byte_order_mark - 1) == 0)
        text += sizeof byte_order_mark - 1;
    csv_set_delim(&parser, separator_of(text));
    read_lines(&table, &parser, text);
    csv_free(&parser);
    bool ok = check_table(&table, err);
    if (table.has_names)
        volumes->names = vec_copy(&table.names, arena);
    vec_free(&table.names);
    return ok;
}

/* ---- writing ---- */

static bool are_named(const Ttig *ttig)
{
    char number[16];
    for (uint32_t i = 0; i < ttig->n_nodes; i++) {
        snprintf(number, sizeof number, "%u", i);
        if (strcmp(number, ttig->nodes[i].name) != 0)
            return true;
    }
    return false;
}

static const char *csv_word(const char *word, Arena *arena)
{
    size_t length = strlen(word), size = 2 * length + 3;
    char *quoted = arena_new_array(arena, char, size);
    csv_write(quoted, size, word, length);
    return quoted;
}

bool volumes_csv_text(const Ttig *ttig, Arena *arena, const char **written, Err *err)
{
    bool named = are_named(ttig);
    Text text = {0};
    if (ttig->n_nodes > CSV_TASKS_LIMIT)
        return err_set(err, ERR_INPUT, "%u tasks: a CSV file holds at most %d", ttig->n_nodes, CSV_TASKS_LIMIT) ||
               err_hint(err, "the format of the Matrix Market holds them: name the file *.mtx");
    if (named)
        text_add(&text, "bytes from row to column");
    for (uint32_t i = 0; named && i < ttig->n_nodes; i++)
        text_add(&text, ",%s", csv_word(ttig->nodes[i].name, arena));
    text_add(&text, named ? "\n" : "");
    for (uint32_t i = 0, edge = 0; i < ttig->n_nodes; i++) {
        if (named)
            text_add(&text, "%s,", csv_word(ttig->nodes[i].name, arena));
        for (uint32_t k = 0; k < ttig->n_nodes; k++) {
            bool is_next = edge < ttig->n_edges && ttig->edges[edge].from == i && ttig->edges[edge].to == k;
            text_add(&text, "%s%s", k ? "," : "", is_next ? volume_text(ttig->edges[edge].bytes, arena) : "0");
            edge += is_next;
        }
        text_add(&text, "\n");
    }
    *written = text_take(&text, arena);
    return true;
}
