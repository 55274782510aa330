/* SPDX-License-Identifier: BSD-3-Clause */
/* See check_text.h. */
#include "verbs/cost/check_text.h"

#include "base/text.h"
#include "report/format.h"
#include "report/table.h"
#include <math.h>
#include <string.h>

/* Evaluates an expression with the parameters' values. False: a parameter has no value, or the
 * result isn't a number. */
static bool number_of(const PaslApplication *application, const Expr *expr, size_t n_known, Arena *arena, double *value)
{
    ExprBinding *bindings = arena_new_array(arena, ExprBinding, n_known);
    size_t count = 0;
    Interval interval;
    Err err;
    for (size_t i = 0; i < n_known; i++) {
        const PaslBinding *parameter = &application->parameters[i];
        if (parameter->value && expr_evaluate(parameter->value, bindings, count, &bindings[count].value, NULL, &err))
            bindings[count++].name = parameter->name;
    }
    if (!expr || !expr_evaluate(expr, bindings, count, &interval, NULL, &err) || interval.low != interval.high)
        return false;
    *value = interval.low;
    return true;
}

bool flow_parameter_value(const PaslApplication *application, size_t parameter, Arena *arena, double *value)
{
    return number_of(application, application->parameters[parameter].value, parameter, arena, value);
}

/* "100", "P = 100", "P" */
static const char *amount_text(const PaslApplication *application, const Expr *expr, Arena *arena)
{
    double value, number;
    const char *text = expr_text(expr, arena);
    if (expr_is_number(expr, &number) || !number_of(application, expr, application->n_parameters, arena, &value))
        return text;
    return arena_printf(arena, "%s = %.12g", text, value);
}

/* Moves from a batch to a later one, by a step that no chain has yet. False: there is none.
 * drawn[first[to] + i]: step i of those to batch `to`. */
static bool draw_step(const PaslApplication *application, const size_t *first, bool *drawn, size_t *batch)
{
    for (size_t to = *batch + 1; to < application->n_batches; to++)
        for (size_t i = 0; i < application->batches[to].n_before; i++)
            if (application->batches[to].before[i] == *batch && !drawn[first[to] + i]) {
                drawn[first[to] + i] = true;
                *batch = to;
                return true;
            }
    return false;
}

const char *flow_drawing(const PaslApplication *application, Arena *arena)
{
    size_t n = application->n_batches;
    size_t *first = arena_new_array(arena, size_t, n + 1);
    bool *has_steps = arena_new_array(arena, bool, n);
    for (size_t i = 0; i < n; i++) {
        const PaslBatch *batch = &application->batches[i];
        first[i + 1] = first[i] + batch->n_before;
        for (size_t k = 0; k < batch->n_before; k++)
            has_steps[i] = has_steps[batch->before[k]] = true;
    }
    bool *drawn = arena_new_array(arena, bool, first[n]);
    Text text = {0};
    for (size_t start = 0; start < n; start++) {
        if (!has_steps[start])
            text_add(&text, "%s\n", application->batches[start].name);
        for (size_t batch = start; draw_step(application, first, drawn, &batch); batch = start) {
            text_add(&text, "%s -> %s", application->batches[start].name, application->batches[batch].name);
            while (draw_step(application, first, drawn, &batch))
                text_add(&text, " -> %s", application->batches[batch].name);
            text_add(&text, "\n");
        }
    }
    return text_take(&text, arena);
}

static const char *bytes_text(const PaslApplication *application, const Expr *bytes, Arena *arena)
{
    double value;
    if (number_of(application, bytes, application->n_parameters, arena, &value) && value >= 0)
        return format_bytes(arena, value);
    return arena_printf(arena, "%s B", expr_text(bytes, arena));
}

static const char *entry_text(const PaslBatch *batch, Arena *arena)
{
    return batch->depth ? arena_printf(arena, "%s, depth %u", batch->entry, batch->depth) : batch->entry;
}

static const char *batches_text(const PaslApplication *application, bool color, Arena *arena)
{
    static const char *const left[] = {"batch", "tasks", "source", "entry", "language"};
    Table *table = table_new(arena);
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        table_column(table, left[i], TABLE_LEFT);
    table_columns(table, ">receives|>returns");
    for (size_t i = 0; i < application->n_batches; i++) {
        const PaslBatch *batch = &application->batches[i];
        table_cells(table, "%s|%s|%s|%s|%s%s%s|%s|%s", batch->name, amount_text(application, batch->tasks, arena),
                    batch->source, entry_text(batch, arena), batch->language, *batch->options ? " " : "",
                    batch->options, bytes_text(application, batch->receives_bytes, arena),
                    bytes_text(application, batch->returns_bytes, arena));
    }
    return table_text(table, color);
}

static void add_parameters(Text *text, const PaslApplication *application, bool color, Arena *arena)
{
    if (!application->n_parameters)
        return;
    Table *table = table_new(arena);
    table_columns(table, "parameter|value");
    for (size_t i = 0; i < application->n_parameters; i++) {
        const PaslBinding *parameter = &application->parameters[i];
        double value;
        table_cells(table, "%s", parameter->name);
        if (!parameter->value) {
            table_cells(table, "none: --set %s=…", parameter->name);
            table_row_style(table, TABLE_BAD);
        } else if (!flow_parameter_value(application, i, arena, &value)) {
            table_cells(table, "%s, which needs parameters without a value", expr_text(parameter->value, arena));
            table_row_style(table, TABLE_BAD);
        } else {
            table_cells(table, "%s", amount_text(application, parameter->value, arena));
        }
    }
    text_add(text, "%s\n", table_text(table, color));
}

/* An expression, or `double[N] random(task)`. */
static const char *value_text(const PaslBinding *binding, Arena *arena)
{
    const char *value = expr_text(binding->value, arena);
    if (!binding->element)
        return value;
    return arena_printf(arena, binding->fill == PASL_RANDOM ? "%s[%s] %s(%s)" : "%s[%s] %s", binding->element, value,
                        pasl_fills[binding->fill], expr_text(binding->seed, arena));
}

/* points(n = N, seed = task); Q pi.c:12 = 157/200 */
static void add_bindings(Text *text, const PaslApplication *application, Arena *arena)
{
    for (size_t i = 0; i < application->n_batches; i++) {
        const PaslBatch *batch = &application->batches[i];
        text_add(text, "%s: %s(", batch->name, batch->entry);
        for (size_t k = 0; k < batch->n_arguments; k++)
            text_add(text, "%s%s = %s", k ? ", " : "", batch->arguments[k].name,
                     value_text(&batch->arguments[k], arena));
        text_add(text, ")\n");
        for (size_t k = 0; k < batch->n_values; k++)
            text_add(text, "  %s = %s\n", batch->values[k].name, expr_text(batch->values[k].value, arena));
    }
}

char *flow_text(const PaslApplication *application, bool color, Arena *arena)
{
    Text text = {0};
    text_add(&text, "application %s\n\n", application->name);
    add_parameters(&text, application, color, arena);
    text_add(&text, "%s\n", batches_text(application, color, arena));
    add_bindings(&text, application, arena);
    text_add(&text, "\nflow\n");
    for (const char *line = flow_drawing(application, arena); *line; line += *line == '\n') {
        int length = (int)strcspn(line, "\n");
        text_add(&text, "  %.*s\n", length, line);
        line += length;
    }
    return arena_strdup(arena, text_take(&text, arena));
}

/* ---- JSON ---- */

/* A named expression as text, and its number. NULL and NAN: it has none. */
typedef struct ValueRow {
    const char *name, *text;
    double number;
} ValueRow;

typedef struct BatchRow {
    const PaslBatch *batch;
    const char *receives_bytes, *returns_bytes, *const *before;
    size_t n_before;
    ValueRow tasks;
    const ValueRow *arguments, *values;
} BatchRow;

typedef struct FlowDocument {
    const PaslApplication *application;
    const char *flow;
    const ValueRow *parameters;
    const BatchRow *batches;
    size_t n_parameters, n_batches;
} FlowDocument;

static json_t *number_json(const FieldContext *context, const void *record)
{
    double value = ((const ValueRow *)record)->number;
    (void)context;
    if (!isfinite(value))
        return NULL;
    return value == floor(value) && fabs(value) < 1e15 ? json_integer((json_int_t)value) : json_real(value);
}

static const FieldList value_fields = FIELDS(ValueRow, FIELD(ValueRow, name, "as in the flow file"),
                                             FIELD_AS(ValueRow, text, "value", "an expression", .flags = FIELD_NULL));

static const FieldList parameter_fields = FIELDS(
    ValueRow, FIELD(ValueRow, name, "as in the flow file"),
    FIELD_AS(ValueRow, text, "value", "an expression; null: --set must give it", .flags = FIELD_NULL),
    FIELD_OWN("number", SHAPE_ONE, number_json, NULL, "its value; null: it depends on a parameter that must be given",
              .flags = FIELD_NULL, .noun = "number"));

static const FieldList tasks_fields =
    FIELDS(ValueRow, FIELD_AS(ValueRow, text, "tasks", "how many tasks: an expression"),
           FIELD_OWN("n_tasks", SHAPE_ONE, number_json, NULL, "the same as a number; null: a parameter must be given",
                     .flags = FIELD_NULL, .noun = "number"));

static const FieldList code_fields =
    FIELDS(PaslBatch, FIELD(PaslBatch, name, "as in the flow file"),
           FIELD(PaslBatch, language, "`c`, `java`, `pamela`"), FIELD(PaslBatch, source, "the file"),
           FIELD(PaslBatch, options, "for the compiler"), FIELD(PaslBatch, entry, "the function that a task calls"),
           FIELD(PaslBatch, depth, "levels of recursions that the source doesn't count; 0: not given"));

static json_t *arguments_json(const FieldContext *context, const void *record)
{
    const BatchRow *row = record;
    (void)context;
    return fields_to_json_array(&value_fields, row->arguments, row->batch->n_arguments, 0);
}

static json_t *values_json(const FieldContext *context, const void *record)
{
    const BatchRow *row = record;
    (void)context;
    return fields_to_json_array(&value_fields, row->values, row->batch->n_values, 0);
}

static const FieldList batch_fields = FIELDS(
    BatchRow, FIELD_INLINE_POINTED(BatchRow, batch, code_fields), FIELD_INLINE_MEMBER(BatchRow, tasks, tasks_fields),
    FIELD_OWN("arguments", SHAPE_LIST, arguments_json, NULL, "of the function, in order", .of = &value_fields),
    FIELD_OWN("values", SHAPE_LIST, values_json, NULL, "of the model's parameters", .of = &value_fields),
    FIELD(BatchRow, receives_bytes, "what a task is sent: an expression"),
    FIELD(BatchRow, returns_bytes, "what a task sends back: an expression"),
    FIELD_LIST(BatchRow, before, n_before, "before", "names of the batches that it waits for"));

static const FieldList application_fields =
    FIELDS(PaslApplication, FIELD_AS(PaslApplication, name, "application", "its name"),
           FIELD(PaslApplication, file, "the flow file"));

const FieldList flow_fields = FIELDS(
    FlowDocument, FIELD_INLINE_POINTED(FlowDocument, application, application_fields),
    FIELD_LIST(FlowDocument, parameters, n_parameters, "parameters", "in the file's order", .of = &parameter_fields),
    FIELD_LIST(FlowDocument, batches, n_batches, "batches", "in an order that the flow allows", .of = &batch_fields),
    FIELD(FlowDocument, flow, "chains of batches, a line each: `a -> b`"));

static const char *text_of(const Expr *expr, Arena *arena)
{
    return expr ? expr_text(expr, arena) : NULL;
}

static ValueRow value_row(const PaslApplication *application, const char *name, const Expr *expr, size_t n_known,
                          Arena *arena)
{
    ValueRow row = {name, text_of(expr, arena), NAN};
    if (!number_of(application, expr, n_known, arena, &row.number))
        row.number = NAN;
    return row;
}

static const ValueRow *binding_rows(const PaslBinding *bindings, size_t count, Arena *arena)
{
    ValueRow *rows = arena_new_array(arena, ValueRow, count);
    for (size_t i = 0; i < count; i++)
        rows[i] =
            (ValueRow){bindings[i].name,
                       bindings[i].element ? value_text(&bindings[i], arena) : text_of(bindings[i].value, arena), NAN};
    return rows;
}

static BatchRow batch_row(const PaslApplication *application, const PaslBatch *batch, Arena *arena)
{
    const char **before = arena_new_array(arena, const char *, batch->n_before);
    for (size_t i = 0; i < batch->n_before; i++)
        before[i] = application->batches[batch->before[i]].name;
    return (BatchRow){.batch = batch,
                      .receives_bytes = text_of(batch->receives_bytes, arena),
                      .returns_bytes = text_of(batch->returns_bytes, arena),
                      .before = before,
                      .n_before = batch->n_before,
                      .tasks = value_row(application, batch->name, batch->tasks, application->n_parameters, arena),
                      .arguments = binding_rows(batch->arguments, batch->n_arguments, arena),
                      .values = binding_rows(batch->values, batch->n_values, arena)};
}

json_t *flow_json(const PaslApplication *application, Arena *arena)
{
    ValueRow *parameters = arena_new_array(arena, ValueRow, application->n_parameters);
    BatchRow *batches = arena_new_array(arena, BatchRow, application->n_batches);
    for (size_t i = 0; i < application->n_parameters; i++) {
        const PaslBinding *parameter = &application->parameters[i];
        parameters[i] = value_row(application, parameter->name, parameter->value, i, arena);
    }
    for (size_t i = 0; i < application->n_batches; i++)
        batches[i] = batch_row(application, &application->batches[i], arena);
    const FlowDocument document = {application, flow_drawing(application, arena), parameters,
                                   batches,     application->n_parameters,        application->n_batches};
    return fields_to_json(&flow_fields, &document, 0);
}
