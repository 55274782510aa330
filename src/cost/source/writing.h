/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of the C library that write: into texts, as snprintf, or to streams, as printf and puts. docs/SOURCES.md,
 * *Libraries*. Private to this folder. */
#pragma once

#include "cost/source/values/scope.h"

/* Emits the operations of a call of this function. False: it isn't such a function, or it's in the side of a guard,
 * which isn't reached. */
bool writing_emit(Scope *scope, const SourceExpression *call, const char *name);
