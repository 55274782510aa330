/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads JSON by field lists; see fields.h. */
#include "base/fields_values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

JsonPlace json_place_in(const JsonPlace *place, const char *name)
{
    return json_place(place->file, "%s%s%s", place->path, place->path[0] ? "." : "", name);
}

JsonPlace json_place_at(const JsonPlace *place, const char *name, size_t index)
{
    return json_place(place->file, "%s%s%s[%zu]", place->path, place->path[0] && *name ? "." : "", name, index);
}

bool json_refuse(const JsonPlace *place, const char *name, Err *err, const char *format, ...)
{
    char why[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    const JsonPlace at = *name ? json_place_in(place, name) : *place;
    return err_set(err, ERR_INPUT, "%s: %s%s%s", at.file, at.path, at.path[0] ? ": " : "", why);
}

bool json_check_index(const JsonPlace *place, const char *name, uint32_t index, uint32_t count, Err *err)
{
    return index < count || json_refuse(place, name, err, "index %u, but the list has %u items", index, count);
}

static bool is_time(const Field *field)
{
    size_t length = strlen(field->name);
    return length > 2 && strcmp(field->name + length - 2, "_s") == 0;
}

/* ---- values: each returns NULL, or why the value is refused ---- */

static const char *read_choice(const Field *field, const json_t *json, Arena *arena, uint64_t *number)
{
    size_t n = 0;
    for (; field->choices[n]; n++)
        if (json_is_string(json) && strcmp(field->choices[n], json_string_value(json)) == 0) {
            *number = n;
            return NULL;
        }
    const char *expected = "expected";
    for (size_t i = 0; i < n; i++)
        expected = arena_printf(arena, "%s%s %s", expected, i == 0 ? "" : i + 1 < n ? "," : " or", field->choices[i]);
    return expected;
}

static const char *read_whole(const Field *field, const json_t *json, uint64_t most, Arena *arena, uint64_t *number)
{
    if (field->choices)
        return read_choice(field, json, arena, number);
    if (!json_is_integer(json) || json_integer_value(json) < 0)
        return "expected a whole number, not negative";
    *number = (uint64_t)json_integer_value(json);
    most = field->limit > 0 && field->shape == SHAPE_ONE ? (uint64_t)field->limit : most;
    return *number > most ? arena_printf(arena, "larger than the limit of %lu", (unsigned long)most) : NULL;
}

static const char *read_real(const Field *field, const json_t *json, Arena *arena, double *number)
{
    *number = json_number_value(json);
    if (is_time(field) && !(field->limit > 0))
        return json_is_seconds(json) ? NULL : SECONDS_EXPECTED;
    if (!json_is_number(json) || !isfinite(*number))
        return "expected a number";
    if (*number < 0 && field->flags & FIELD_NOT_NEGATIVE)
        return "expected a number, not negative";
    return field->limit > 0 && *number > field->limit ? arena_printf(arena, "more than %g", field->limit) : NULL;
}

static const char *read_text(const Field *field, const json_t *json, Arena *arena, const char **text)
{
    if (!json_is_string(json))
        return "expected a text in quotes";
    *text = json_to_text(json, arena);
    if (!(field->flags & FIELD_LINE))
        return NULL;
    return !**text ? "expected a text that isn't empty" : text_is_line(*text) ? NULL : "contains a control character";
}

/* Reads a value that isn't a record. A field with FIELD_NULL takes null as no value. */
static const char *read_value(const Field *field, const json_t *json, Arena *arena, void *value)
{
    bool is_none = json_is_null(json) && field->flags & FIELD_NULL;
    uint64_t number = 0;
    const char *why = NULL;
    switch (field->type) {
    case FIELD_BOOL:
        if (field->choices)
            why = read_choice(field, json, arena, &number);
        else
            why = json_is_boolean(json) ? NULL : "expected true or false";
        *(bool *)value = json_is_true(json) || number;
        return why;
    case FIELD_INT32:
        why = is_none ? NULL : read_whole(field, json, INT32_MAX, arena, &number);
        *(int32_t *)value = is_none ? -1 : (int32_t)number;
        return why;
    case FIELD_UINT32:
        why = is_none ? NULL : read_whole(field, json, UINT32_MAX, arena, &number);
        *(uint32_t *)value = is_none ? UINT32_MAX : (uint32_t)number;
        return why;
    case FIELD_UINT64:
        why = is_none ? NULL : read_whole(field, json, INT64_MAX, arena, &number);
        *(uint64_t *)value = is_none ? UINT64_MAX : number;
        return why;
    case FIELD_REAL:
        if (!is_none)
            return read_real(field, json, arena, value);
        *(double *)value = NAN;
        return NULL;
    case FIELD_TEXT:
        return is_none ? NULL : read_text(field, json, arena, value);
    case FIELD_NANOSECONDS:
    case FIELD_STRUCT:
    case FIELD_CUSTOM:
        break;
    }
    return NULL;
}

/* ---- fields ---- */

static bool read_one(const Field *field, const FieldContext *context, const json_t *json, const JsonPlace *place,
                     void *value, Err *err)
{
    if (field->type == FIELD_STRUCT) {
        const JsonPlace at = json_place_in(place, field->name);
        return fields_from_json(field->of, context, json, &at, value, err);
    }
    const char *why = read_value(field, json, context->arena, value);
    return !why || json_refuse(place, field->name, err, "%s", why);
}

static bool read_item(const Field *field, const FieldContext *context, const json_t *json, const JsonPlace *place,
                      size_t i, void *value, Err *err)
{
    if (field->type == FIELD_STRUCT) {
        const JsonPlace at = json_place_at(place, field->name, i);
        return fields_from_json(field->of, context, json, &at, value, err);
    }
    const char *why = read_value(field, json, context->arena, value);
    if (!why)
        return true;
    const JsonPlace at = json_place_at(place, field->name, i);
    return json_refuse(&at, "", err, "%s", why);
}

/* Checks the number of items: the record's own number for SHAPE_SAME, SHAPE_EACH and SHAPE_FIXED;
 * the limit for SHAPE_LIST. */
static bool check_count(const Field *field, const FieldContext *context, size_t n, const JsonPlace *place,
                        const void *record, Err *err)
{
    if (field->shape != SHAPE_LIST) {
        size_t expected = (size_t)field_count(field, context, record);
        return n == expected || json_refuse(place, field->name, err, "expected %zu items, found %zu", expected, n);
    }
    size_t limit = field->limit > 0 ? (size_t)field->limit : UINT32_MAX;
    return n <= limit || json_refuse(place, field->name, err, "more than the limit of %zu", limit);
}

static bool read_items(const Field *field, const FieldContext *context, const json_t *array, const JsonPlace *place,
                       void *record, Err *err)
{
    size_t n = json_array_size(array);
    char *member = (char *)record + field->offset, *values = member;
    if (!json_is_array(array))
        return json_refuse(place, field->name, err, "expected an array");
    if (!check_count(field, context, n, place, record, err))
        return false;
    if (field->shape != SHAPE_FIXED && !*(void **)(void *)member)
        *(void **)(void *)member = arena_alloc_array(context->arena, n, field->stride);
    if (field->shape != SHAPE_FIXED)
        values = *(void **)(void *)member;
    void *count = (char *)record + field->count_offset;
    if (field->shape == SHAPE_LIST && field->count_size == sizeof(uint32_t))
        *(uint32_t *)count = (uint32_t)n;
    else if (field->shape == SHAPE_LIST)
        *(uint64_t *)count = n;
    for (size_t i = 0; i < n; i++)
        if (!read_item(field, context, json_array_get(array, i), place, i, values + i * field->stride + field->inner,
                       err))
            return false;
    return true;
}

static bool read_own(const Field *field, const FieldContext *context, json_t *json, const JsonPlace *place,
                     void *record, Err *err)
{
    const JsonPlace at = json_place_in(place, field->name);
    if (!field->read)
        return true;
    if (field->shape == SHAPE_ONE && !json_is_object(json))
        return json_refuse(&at, "", err, "expected an object");
    if (field->shape != SHAPE_ONE && !json_is_array(json))
        return json_refuse(&at, "", err, "expected an array");
    return (field->shape != SHAPE_EACH || check_count(field, context, json_array_size(json), place, record, err)) &&
           field->read(context, json, &at, record, err);
}

/* Sets the value of a field that the file doesn't have. */
static void set_default(const Field *field, void *record)
{
    void *member = (char *)record + field->offset;
    if (field->type == FIELD_STRUCT && field->shape == SHAPE_ONE)
        for (const Field *inner = field->of->fields; inner->name; inner++)
            set_default(inner, member);
    else if (field->shape == SHAPE_ONE && field->flags & FIELD_ABSENT && field->type == FIELD_REAL)
        *(double *)member = NAN;
    else if (field->shape == SHAPE_ONE && !(field->flags & FIELD_ABSENT) && field->type == FIELD_TEXT)
        *(const char **)member = "";
}

static bool read_field(const Field *field, const FieldContext *context, const json_t *object, const JsonPlace *place,
                       void *record, Err *err)
{
    void *member = (char *)record + field->offset;
    if (field->flags & FIELD_INLINE)
        return fields_from_json(field->of, context, object, place, member, err);
    if (field->flags & FIELD_UNREAD)
        return true;
    json_t *json = json_object_get(object, field->name);
    if (!json && field->flags & (FIELD_OPTIONAL | FIELD_ABSENT)) {
        set_default(field, record);
        return true;
    }
    if (field->type == FIELD_CUSTOM || field->read)
        return read_own(field, context, json, place, record, err);
    return field->shape == SHAPE_ONE ? read_one(field, context, json, place, member, err)
                                     : read_items(field, context, json, place, record, err);
}

static bool has_field(const FieldList *list, const char *name)
{
    for (const Field *field = list->fields; field->name; field++)
        if (field->flags & FIELD_INLINE ? has_field(field->of, name) : strcmp(field->name, name) == 0)
            return true;
    return list->is_document && (strcmp(name, "format") == 0 || strcmp(name, "version") == 0);
}

static bool check_others(const FieldList *list, const json_t *object, const JsonPlace *place, Err *err)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, key, value) {
        if (!has_field(list, key))
            return json_refuse(place, "", err, "unknown member `%.80s`", key);
    }
    return true;
}

bool fields_from_json(const FieldList *list, const FieldContext *context, const json_t *object, const JsonPlace *place,
                      void *value, Err *err)
{
    if (!json_is_object(object))
        return json_refuse(place, "", err, "expected an object");
    if (list->refuses_others && !check_others(list, object, place, err))
        return false;
    for (const Field *field = list->fields; field->name; field++)
        if (!read_field(field, context, object, place, value, err))
            return false;
    return !list->check || list->check(context, place, value, err);
}
