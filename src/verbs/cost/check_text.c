/* SPDX-License-Identifier: BSD-3-Clause */
/* See flow.h. */
#include "verbs/cost/check_text.h"

#include "base/json.h"
#include "base/text.h"
#include "report/format.h"
#include "report/table.h"
#include <math.h>
#include <string.h>

/* The number that an expression is with the parameters' values. False: one has none, or it is no number. */
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

/* From each batch as long as there are steps that were not drawn; `drawn` by `first` of the batch that waits. */
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
                    batch->source, batch->entry, batch->language, *batch->options ? " " : "", batch->options,
                    bytes_text(application, batch->receives_bytes, arena),
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
            table_cells(table, "%s, with parameters that have none", expr_text(parameter->value, arena));
            table_row_style(table, TABLE_BAD);
        } else {
            table_cells(table, "%s", amount_text(application, parameter->value, arena));
        }
    }
    text_add(text, "%s\n", table_text(table, color));
}

/* points(n = N, seed = task); Q pi.c:12 = 157/200 */
static void add_bindings(Text *text, const PaslApplication *application, Arena *arena)
{
    for (size_t i = 0; i < application->n_batches; i++) {
        const PaslBatch *batch = &application->batches[i];
        text_add(text, "%s: %s(", batch->name, batch->entry);
        for (size_t k = 0; k < batch->n_arguments; k++)
            text_add(text, "%s%s = %s", k ? ", " : "", batch->arguments[k].name,
                     expr_text(batch->arguments[k].value, arena));
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

static json_t *json_of(const Expr *expr, Arena *arena)
{
    return expr ? json_from_text(expr_text(expr, arena)) : json_null();
}

static json_t *json_of_number(const PaslApplication *application, const Expr *expr, size_t n_known, Arena *arena)
{
    double value;
    if (!number_of(application, expr, n_known, arena, &value))
        return json_null();
    return value == floor(value) && fabs(value) < 1e15 ? json_integer((json_int_t)value) : json_real(value);
}

static json_t *json_of_bindings(const PaslBinding *bindings, size_t count, Arena *arena)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_pack("{s:o, s:o}", "name", json_from_text(bindings[i].name), "value",
                                              json_of(bindings[i].value, arena)));
    return list;
}

static json_t *json_of_batch(const PaslApplication *application, const PaslBatch *batch, Arena *arena)
{
    json_t *object = json_object(), *before = json_array();
    for (size_t i = 0; i < batch->n_before; i++)
        json_array_append_new(before, json_from_text(application->batches[batch->before[i]].name));
    json_object_set_new(object, "name", json_from_text(batch->name));
    json_object_set_new(object, "language", json_from_text(batch->language));
    json_object_set_new(object, "source", json_from_text(batch->source));
    json_object_set_new(object, "options", json_from_text(batch->options));
    json_object_set_new(object, "entry", json_from_text(batch->entry));
    json_object_set_new(object, "tasks", json_of(batch->tasks, arena));
    json_object_set_new(object, "n_tasks", json_of_number(application, batch->tasks, application->n_parameters, arena));
    json_object_set_new(object, "arguments", json_of_bindings(batch->arguments, batch->n_arguments, arena));
    json_object_set_new(object, "values", json_of_bindings(batch->values, batch->n_values, arena));
    json_object_set_new(object, "receives_bytes", json_of(batch->receives_bytes, arena));
    json_object_set_new(object, "returns_bytes", json_of(batch->returns_bytes, arena));
    json_object_set_new(object, "before", before);
    return object;
}

json_t *flow_json(const PaslApplication *application, Arena *arena)
{
    json_t *document = json_object(), *parameters = json_array(), *batches = json_array();
    for (size_t i = 0; i < application->n_parameters; i++) {
        const PaslBinding *parameter = &application->parameters[i];
        json_array_append_new(parameters, json_pack("{s:o, s:o, s:o}", "name", json_from_text(parameter->name), "value",
                                                    json_of(parameter->value, arena), "number",
                                                    json_of_number(application, parameter->value, i, arena)));
    }
    for (size_t i = 0; i < application->n_batches; i++)
        json_array_append_new(batches, json_of_batch(application, &application->batches[i], arena));
    json_object_set_new(document, "application", json_from_text(application->name));
    json_object_set_new(document, "file", json_from_text(application->file));
    json_object_set_new(document, "parameters", parameters);
    json_object_set_new(document, "batches", batches);
    json_object_set_new(document, "flow", json_from_text(flow_drawing(application, arena)));
    return document;
}
