/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of the C and Java libraries that count as loops over operations: copies, fills, searches, sorts.
 * docs/SOURCES.md, *Libraries*. Private to this folder. */
#pragma once

#include "cost/source/values/scope.h"

/* Emits the operations of a call of this function. object: whose method is called (Java); NULL: none. False: it
 * isn't such a function. */
bool library_emit(Scope *scope, const SourceExpression *call, const char *name, const SourceExpression *object,
                  const Amount *values);
