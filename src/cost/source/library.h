/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of the C and Java libraries that count as loops over operations: copies, fills, searches, sorts.
 * docs/SOURCES.md, *Libraries*. Private to this folder. */
#pragma once

#include "cost/source/values/scope.h"

/* Whether it's the name of this function of C, or the one that compilers make of it: __builtin_memcpy,
 * __builtin___memcpy_chk. */
bool library_is_named(const char *name, const char *function);
/* Emits the operations of a call of this function. object: whose method is called (Java); NULL: none. False: it
 * isn't such a function. */
bool library_emit(Scope *scope, const SourceExpression *call, const char *name, const SourceExpression *object,
                  const Amount *values);
