/* SPDX-License-Identifier: BSD-3-Clause */
/* Statements: blocks, conditionals, jumps. Private to this folder. */
#pragma once

#include "cost/source/values/scope.h"

/* Appends a list of statements to the block. Returns the probability that the list's end is
 * reached. */
const Expr *emit_list(Scope *scope, SourceStatement *const *list, size_t count);
