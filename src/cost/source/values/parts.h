/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of place.h share. Private to them. */
#pragma once

#include "cost/source/values/place.h"

/* Stands for all parts of a variable that have no value of their own. */
#define OTHER_PARTS "*"

static inline bool is_reference(const SourceExpression *expression)
{
    return expression->type == CPU_REFERENCE;
}

/* place.c. The last index of a part, and its length without it; false: it ends with none. How many indexes it ends with. */
bool place_last_index(const char *part, size_t *length, int64_t *index);
size_t place_count_indexes(const char *part);
/* A finding, of an expression that reads or writes a part of the variable as another type. */
void place_note_other_type(const Scope *scope, const Place *place, const SourceExpression *expression);
/* So many elements further. */
Place place_step(const Scope *scope, const Place *place, int64_t steps);
Allocation *allocation_new(const Scope *scope, const SourceExpression *expression);

/* place_values.c: what is known of a part; NULL: nothing. */
const VariableValue *place_entry(const Scope *scope, const Place *place);

/* place_forget.c: the values of all parts below; what is known of the variable, and of all its parts. */
void place_forget_below(Scope *scope, const Place *place);
void place_forget_all(Scope *scope, const SourceVariable *variable);
