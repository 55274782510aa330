/* SPDX-License-Identifier: BSD-3-Clause */
/* Statements that threads of OpenMP execute. Private to this folder. */
#pragma once

#include "cost/source/values/scope.h"

typedef const Expr *EmitStatement(Scope *scope, const SourceStatement *statement);

/* Emits a statement that has a team. Returns what `emit` returns. */
const Expr *threads_emit(Scope *scope, const SourceStatement *statement, EmitStatement *emit);
