/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads run times from CSV; see runs_rows.h. libcsv splits lines into fields. This file counts
 * lines and columns byte by byte, so that an error can name the place where a field begins. */
#include "model/runs_rows.h"

#include "base/json.h"
#include <csv.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum Column { COLUMN_N, COLUMN_P, COLUMN_TIME, COLUMN_SEQUENTIAL, COLUMN_SLOWDOWN, N_COLUMNS } Column;

static const char *const column_names[N_COLUMNS] = {"n", "p", "time", "sequential", "slowdown"};
static const char *const other_names[N_COLUMNS] = {NULL, "workers", "time_s", NULL, NULL};

enum { NOT_THERE = -1, FIELD_LIMIT = 64 };

typedef struct Table {
    const char *file;
    RunRows *rows;
    int columns[N_COLUMNS];       /* column number of each, or NOT_THERE */
    int field, n_names;           /* number of the current field in its line; of fields in the first line */
    unsigned line, column;        /* of the current byte */
    unsigned at_line, at_column;  /* where the current field began */
    bool between;                 /* the next byte begins a field */
    bool has_names, has_contents; /* the first line was read; the current line has a field that isn't empty */
    RunRow row;
    bool given[N_COLUMNS]; /* the current line has a value in this column */
    bool failed;
    Err *err;
} Table;

static bool refuse(Table *table, const char *what, const char *field)
{
    table->failed = true;
    return err_set(table->err, ERR_INPUT, "%s:%u:%u: `%.*s`%s", table->file, table->at_line, table->at_column,
                   FIELD_LIMIT, field, what);
}

static bool refuse_quotes(Table *table)
{
    if (table->failed)
        return false;
    table->failed = true;
    return err_set(table->err, ERR_INPUT, "%s:%u:%u: the quotes in this field don't enclose it", table->file,
                   table->at_line, table->at_column);
}

static bool add_name(Table *table, const char *name)
{
    for (int i = 0; i < N_COLUMNS; i++) {
        if (strcasecmp(name, column_names[i]) != 0 && !(other_names[i] && strcasecmp(name, other_names[i]) == 0))
            continue;
        if (table->columns[i] != NOT_THERE)
            return refuse(table, " names a second column of the same kind", name);
        table->columns[i] = table->field;
    }
    return true;
}

static bool read_real(Table *table, const char *field, double least, double most, double *value)
{
    char *end;
    *value = strtod(field, &end);
    if (end == field || *end || !isfinite(*value) || strpbrk(field, "xX"))
        return refuse(table, " is not a number", field) ||
               (strchr(field, ',') && err_hint(table->err, "write decimals with a point"));
    if (!(*value > 0))
        return refuse(table, " is not above 0", field);
    char what[64];
    bool is_above = *value > most;
    snprintf(what, sizeof what, " is %s the limit of %g", is_above ? "above" : "below", is_above ? most : least);
    return (*value >= least && !is_above) || refuse(table, what, field);
}

static bool read_processes(Table *table, const char *field, uint32_t *p)
{
    double value;
    if (!read_real(table, field, 0, RUNS_PROCESSES_LIMIT, &value))
        return false;
    *p = (uint32_t)value;
    return *p == value || refuse(table, " is not a whole number of processes", field);
}

static bool read_value(Table *table, Column column, const char *field)
{
    RunRow *row = &table->row;
    if (!*field && column >= COLUMN_SEQUENTIAL)
        return true;
    table->given[column] = true;
    switch (column) {
    case COLUMN_N:
        return read_real(table, field, 0, RUNS_SIZE_LIMIT, &row->n);
    case COLUMN_P:
        return read_processes(table, field, &row->p);
    case COLUMN_TIME:
        return read_real(table, field, SECONDS_LEAST, SECONDS_LIMIT, &row->time_s);
    case COLUMN_SLOWDOWN:
        return read_real(table, field, 0, RUNS_SLOWDOWN_LIMIT, &row->slowdown);
    default:
        return read_real(table, field, SECONDS_LEAST, SECONDS_LIMIT, &row->sequential_s);
    }
}

static void take_field(void *bytes, size_t length, void *argument)
{
    Table *table = argument;
    const char *field = bytes; /* libcsv ends it with a zero */
    if (table->failed)
        return;
    if (!table->has_names)
        add_name(table, field);
    else
        for (int i = 0; i < N_COLUMNS && !table->failed; i++)
            if (table->columns[i] == table->field)
                read_value(table, (Column)i, field);
    if (table->has_names && table->field >= table->n_names && length && !table->failed)
        refuse(table, " is in no named column", field);
    table->has_contents |= length > 0;
    table->field++;
    table->between = true;
}

static bool check_names(Table *table)
{
    for (int i = 0; i < N_COLUMNS; i++) {
        bool is_needed = i == COLUMN_P || i == COLUMN_TIME;
        if (!is_needed || table->columns[i] != NOT_THERE)
            continue;
        table->failed = true;
        err_set(table->err, ERR_INPUT, "%s:%u: no column is named `%s`", table->file, table->at_line, column_names[i]);
        return err_hint(table->err, "name the columns in the first line: n,p,time (time in seconds; n, the problem "
                                    "size, may be left out)");
    }
    table->rows->has_sizes = table->columns[COLUMN_N] != NOT_THERE;
    table->n_names = table->field;
    return table->has_names = true;
}

static bool add_row(Table *table)
{
    for (int i = 0; i < COLUMN_SEQUENTIAL; i++) {
        if (table->columns[i] == NOT_THERE || table->given[i])
            continue;
        table->failed = true;
        return err_set(table->err, ERR_INPUT, "%s:%u: no value in column `%s`", table->file, table->at_line,
                       column_names[i]);
    }
    if (table->rows->rows.count == RUNS_LIMIT) {
        table->failed = true;
        return err_set(table->err, ERR_INPUT, "%s:%u: more than the limit of %d runs", table->file, table->at_line,
                       RUNS_LIMIT);
    }
    *vec_push(&table->rows->rows) = table->row;
    return true;
}

static void begin_line(Table *table)
{
    table->field = 0;
    table->has_contents = false;
    table->row = (RunRow){.n = 1};
    memset(table->given, 0, sizeof table->given);
}

static void end_line(int byte, void *argument)
{
    (void)byte;
    Table *table = argument;
    if (!table->failed && table->has_contents) {
        if (table->has_names)
            add_row(table);
        else
            check_names(table);
    }
    begin_line(table);
    table->between = true;
}

/* The separator that the first line contains. Names of columns contain no separators. */
static unsigned char separator_of(const char *text)
{
    size_t length = strcspn(text, "\r\n");
    return memchr(text, '\t', length) ? '\t' : memchr(text, ';', length) ? ';' : ',';
}

static void read_byte(Table *table, struct csv_parser *parser, const char *byte)
{
    bool is_blank = *byte == ' ' || *byte == '\r' || *byte == '\n';
    if (table->between && !is_blank) {
        table->at_line = table->line;
        table->at_column = table->column;
        table->between = false;
    }
    if (csv_parse(parser, byte, 1, take_field, end_line, table) != 1)
        refuse_quotes(table);
    if (*byte == '\n') {
        table->line++;
        table->column = 1;
    } else if (((unsigned char)*byte & 0xc0) != 0x80) { /* the first byte of a character of UTF-8 */
        table->column++;
    }
}

bool runs_read_csv(const char *file, const char *text, RunRows *rows, Err *err)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    Table table = {.file = file, .rows = rows, .line = 1, .column = 1, .between = true, .err = err};
    struct csv_parser parser;
    for (int i = 0; i < N_COLUMNS; i++)
        table.columns[i] = NOT_THERE;
    if (strncmp(text, byte_order_mark, sizeof byte_order_mark - 1) == 0)
        text += sizeof byte_order_mark - 1;
    if (csv_init(&parser, CSV_APPEND_NULL | CSV_STRICT | CSV_STRICT_FINI) != 0)
        return err_set(err, ERR_BUG, "libcsv cannot be initialised");
    csv_set_delim(&parser, separator_of(text));
    begin_line(&table);
    for (const char *byte = text; *byte && !table.failed; byte++)
        read_byte(&table, &parser, byte);
    if (csv_fini(&parser, take_field, end_line, &table) != 0)
        refuse_quotes(&table);
    csv_free(&parser);
    if (!table.failed && !table.has_names)
        return err_set(err, ERR_INPUT, "%s: the file is empty", file);
    return !table.failed;
}
