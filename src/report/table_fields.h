/* SPDX-License-Identifier: BSD-3-Clause */
/* Text tables whose rows are records: each field that has a heading is a column (base/fields.h). The name of a field
 * and its `look` say how its quantity is formatted. A heading that begins with `>` is of a right-aligned column.
 *
 *     table_field_columns(table, &phase_fields);
 *     table_record(table, &phase_fields, &phases[0]); */
#pragma once

#include "base/fields.h"
#include "report/table.h"

void table_field_columns(Table *table, const FieldList *list);

/* A row. A field without a value is `none`. */
void table_record(Table *table, const FieldList *list, const void *record, const char *none, Arena *arena);
