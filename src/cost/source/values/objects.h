/* SPDX-License-Identifier: BSD-3-Clause */
/* Which objects a function gets by pointers. Private to cost/source. */
#pragma once

#include "cost/source/values/generator.h"

/* Whether the parameter, a pointer in C, leads to the same few objects in all calls, as in find(&table, key): each call
 * passes the address of a variable, or such a parameter of its own; and the function doesn't change it. */
bool object_is_fixed(Generator *all, const SourceFunction *function, const SourceVariable *parameter);

/* Whether the function stores a field of this name, in whatever object. */
bool object_field_is_stored(const SourceFunction *function, const char *field);
