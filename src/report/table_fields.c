/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes table rows from records (table_fields.h). The values come from the record's JSON. */
#include "report/table_fields.h"

#include "report/format.h"

#include <math.h>
#include <string.h>

static bool ends_in(const char *name, const char *end)
{
    size_t length = strlen(name), end_length = strlen(end);
    return length >= end_length && strcmp(name + length - end_length, end) == 0;
}

static const char *number_text(const Field *field, double number, Arena *arena)
{
    const char *sign = number < 0 ? "-" : "";
    if (field->look == LOOK_SHARE)
        return format_percent(arena, number);
    if (ends_in(field->name, "_s"))
        return arena_printf(arena, "%s%s", sign, format_seconds(arena, fabs(number)));
    if (ends_in(field->name, "bytes"))
        return format_bytes(arena, number);
    if (ends_in(field->name, "_percent"))
        return arena_printf(arena, "%.2f %%", number);
    return arena_printf(arena, "%.3g", number);
}

static const char *cell_text(const Field *field, const json_t *value, const char *none, Arena *arena)
{
    if (json_is_string(value))
        return json_to_text(value, arena);
    if (json_is_boolean(value))
        return json_is_true(value) ? "yes" : "no";
    if (json_is_integer(value) && field->look == LOOK_DIGITS)
        return arena_printf(arena, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    if (json_is_integer(value) && !ends_in(field->name, "bytes"))
        return format_count(arena, (uint64_t)json_integer_value(value));
    return json_is_number(value) ? number_text(field, json_number_value(value), arena) : none;
}

void table_field_columns(Table *table, const FieldList *list)
{
    for (const Field *field = list->fields; field->name; field++)
        if (field->flags & FIELD_INLINE)
            table_field_columns(table, field->of);
        else if (field->heading)
            table_columns(table, field->heading);
}

static void add_cells(Table *table, const FieldList *list, const json_t *object, const char *none, Arena *arena)
{
    for (const Field *field = list->fields; field->name; field++)
        if (field->flags & FIELD_INLINE)
            add_cells(table, field->of, object, none, arena);
        else if (field->heading)
            table_cells(table, "%s", cell_text(field, json_object_get(object, field->name), none, arena));
}

void table_record(Table *table, const FieldList *list, const void *record, const char *none, Arena *arena)
{
    json_t *object = fields_to_json(list, record, 0);
    add_cells(table, list, object, none, arena);
    json_decref(object);
}
