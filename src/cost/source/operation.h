/* SPDX-License-Identifier: BSD-3-Clause */
/* Appends operations and calls to the current block. Private to this folder. */
#pragma once

#include "cost/source/values/value.h"

void emit_operation(Scope *scope, CpuOperation operation, CpuType type);
/* So many of them. */
void emit_operations(Scope *scope, CpuOperation operation, CpuType type, const Expr *count);
/* A cost in seconds that the user must give, as an operation of this name. */
void emit_named_cost(Scope *scope, const SourcePlace *place, const char *name, const char *message);
void emit_unknown(Scope *scope, const SourceExpression *expression);

/* call.c: appends the call itself; its arguments have been emitted. values: [n_operands]. */
void emit_call(Scope *scope, const SourceExpression *call, const Amount *values);
