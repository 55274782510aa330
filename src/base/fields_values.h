/* SPDX-License-Identifier: BSD-3-Clause */
/* What writing (fields.c) and reading (fields_read.c) by field lists share; see fields.h. */
#pragma once

#include "base/fields.h"

/* The number of values of a record's field. */
uint64_t field_count(const Field *field, const FieldContext *context, const void *record);

void fields_add_in_context(const FieldList *list, const FieldContext *context, const void *value, json_t *object);
