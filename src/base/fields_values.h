/* SPDX-License-Identifier: BSD-3-Clause */
/* What writing and reading by field lists share (fields.h). */
#pragma once

#include "base/fields.h"

/* How many values a record's field has, and where they begin; NULL: nowhere. */
uint64_t field_count(const Field *field, const FieldContext *context, const void *record);
const void *field_values(const Field *field, const void *record);

void fields_add_in_context(const FieldList *list, const FieldContext *context, const void *value, json_t *object);
