/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes CSV by field lists; see fields.h. The cells are the values of the record's JSON object. */
#include "base/fields.h"

#include <string.h>

/* Adds a cell's text, in quotes if it needs them. */
static void add_text(Text *line, const char *cell)
{
    if (!strpbrk(cell, "\",\r\n")) {
        text_add(line, "%s", cell);
        return;
    }
    text_add(line, "\"");
    for (const char *c = cell; *c; c++)
        text_add(line, *c == '"' ? "\"\"" : "%c", *c);
    text_add(line, "\"");
}

static void add_value(Text *line, const json_t *value)
{
    Arena *arena = arena_new();
    if (json_is_string(value))
        add_text(line, json_to_text(value, arena));
    else if (json_is_real(value))
        text_add(line, "%.9g", json_real_value(value));
    else if (json_is_integer(value))
        text_add(line, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_boolean(value))
        text_add(line, "%d", json_is_true(value));
    arena_free(arena);
}

/* Adds the names (object is NULL), or the values of an object. */
static void add_cells(const FieldList *list, const json_t *object, Text *line)
{
    for (const Field *field = list->fields; field->name; field++) {
        if (field != list->fields)
            text_add(line, ",");
        if (field->flags & FIELD_INLINE)
            add_cells(field->of, object, line);
        else if (object)
            add_value(line, json_object_get(object, field->name));
        else
            add_text(line, field->name);
    }
}

void fields_to_csv_names(const FieldList *list, Text *text)
{
    add_cells(list, NULL, text);
    text_add(text, "\r\n");
}

void fields_to_csv(const FieldList *list, const void *value, Text *text)
{
    json_t *object = fields_to_json(list, value, 0);
    add_cells(list, object, text);
    text_add(text, "\r\n");
    json_decref(object);
}
