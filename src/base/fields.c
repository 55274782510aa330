/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes JSON by field lists; see fields.h. */
#include "base/fields.h"

#include "base/fields_values.h"
#include <math.h>

uint64_t field_count(const Field *field, const FieldContext *context, const void *record)
{
    const char *count = (const char *)record + field->count_offset;
    switch (field->shape) {
    case SHAPE_FIXED:
        return field->count;
    case SHAPE_EACH:
        return *context->n_each;
    case SHAPE_LIST:
    case SHAPE_SAME:
        return field->count_size == sizeof(uint32_t) ? *(const uint32_t *)(const void *)count
                                                     : *(const uint64_t *)(const void *)count;
    case SHAPE_ONE:
    case SHAPE_POINTED:
        break;
    }
    return 1;
}

/* NULL if a pointer in the record is NULL. */
static const void *field_values(const Field *field, const void *record)
{
    const char *at = (const char *)record + field->offset;
    return field->shape == SHAPE_ONE || field->shape == SHAPE_FIXED ? at : *(const void *const *)(const void *)at;
}

/* Returns NULL if the record has no such value. */
static json_t *value_to_json(const Field *field, const FieldContext *context, const void *value)
{
    uint64_t number = 0;
    switch (field->type) {
    case FIELD_BOOL:
        number = *(const bool *)value;
        if (!field->choices)
            return number || !(field->flags & FIELD_ABSENT) ? json_boolean(number) : NULL;
        break;
    case FIELD_INT32:
        if (*(const int32_t *)value < 0 && field->flags & (FIELD_ABSENT | FIELD_NULL))
            return NULL;
        return json_integer(*(const int32_t *)value);
    case FIELD_UINT32:
        number = *(const uint32_t *)value;
        if (number == UINT32_MAX && field->flags & (FIELD_ABSENT | FIELD_NULL))
            return NULL;
        break;
    case FIELD_UINT64:
        number = *(const uint64_t *)value;
        if (number == UINT64_MAX && field->flags & (FIELD_ABSENT | FIELD_NULL))
            return NULL;
        break;
    case FIELD_REAL:
        return isfinite(*(const double *)value) ? json_real(*(const double *)value) : NULL;
    case FIELD_NANOSECONDS:
        return json_real((double)*(const int64_t *)value / 1e9);
    case FIELD_TEXT:
        return *(const char *const *)value ? json_from_text(*(const char *const *)value) : NULL;
    case FIELD_STRUCT: {
        json_t *object = json_object();
        fields_add_in_context(field->of, context, value, object);
        return object;
    }
    case FIELD_CUSTOM:
        break;
    }
    return field->choices ? json_string(field->choices[number]) : json_integer((json_int_t)number);
}

static json_t *field_to_json(const Field *field, const FieldContext *context, const void *record)
{
    if (field->type == FIELD_CUSTOM)
        return field->write ? field->write(context, record) : NULL;
    const char *values = field_values(field, record);
    if (field->shape == SHAPE_ONE || field->shape == SHAPE_POINTED)
        return values ? value_to_json(field, context, values) : NULL;
    uint64_t n = field_count(field, context, record);
    if (field->flags & (FIELD_ABSENT | FIELD_NULL) && (!values || !n))
        return NULL;
    json_t *array = json_array();
    for (uint64_t i = 0; i < n; i++) {
        json_t *value = value_to_json(field, context, values + i * field->stride + field->inner);
        json_array_append_new(array, value ? value : json_null());
    }
    return array;
}

void fields_add_in_context(const FieldList *list, const FieldContext *context, const void *value, json_t *object)
{
    for (const Field *field = list->fields; field->name; field++) {
        if (field->flags & FIELD_INLINE) {
            const void *inner = field_values(field, value);
            if (inner)
                fields_add_in_context(field->of, context, inner, object);
            continue;
        }
        json_t *member = field_to_json(field, context, value);
        if (member)
            json_object_set_new(object, field->name, member);
        else if (field->flags & FIELD_NULL)
            json_object_set_new(object, field->name, json_null());
    }
}

void fields_add_to_json(const FieldList *list, const void *value, uint32_t n_each, json_t *object)
{
    const FieldContext context = {.root = value, .n_each = &n_each};
    fields_add_in_context(list, &context, value, object);
}

json_t *fields_to_json(const FieldList *list, const void *value, uint32_t n_each)
{
    json_t *object = json_object();
    fields_add_to_json(list, value, n_each, object);
    return object;
}

json_t *fields_to_json_array(const FieldList *list, const void *values, size_t count, uint32_t n_each)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, fields_to_json(list, (const char *)values + i * list->size, n_each));
    return array;
}
