/* SPDX-License-Identifier: BSD-3-Clause */
/* Text tables whose rows are records. Each field with a heading is a column (base/fields.h). The
 * field's name and its `look` decide how its value is formatted. A heading that begins with `>`
 * makes the column right-aligned.
 *
 *     table_field_columns(table, &phase_fields);
 *     table_record(table, &phase_fields, &phases[0]); */
#pragma once

#include "base/fields.h"
#include "report/table.h"

void table_field_columns(Table *table, const FieldList *list);

/* Adds a row. `none` stands for a missing value. */
void table_record(Table *table, const FieldList *list, const void *record, const char *none, Arena *arena);
