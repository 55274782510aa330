/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations and calls, appended to the block in the making. Private to the folder. */
#pragma once

#include "cost/source/value.h"

void emit_operation(Scope *scope, CpuOperation operation, CpuType type);
/* Seconds that the user must give, as an operation of this name. */
void emit_named_cost(Scope *scope, const SourcePlace *place, const char *name, const char *message);
void emit_unknown(Scope *scope, const SourceExpression *expression);

/* The call itself, once its arguments have been computed: call.c. values: [n_operands] */
void emit_call(Scope *scope, const SourceExpression *call, const Amount *values);
