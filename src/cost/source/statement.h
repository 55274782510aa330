/* SPDX-License-Identifier: BSD-3-Clause */
/* Statements: blocks, conditionals, jumps. Private to the folder. */
#pragma once

#include "cost/source/scope.h"

/* Appends them to the block; the probability that the list ends normally, that is, that what follows is reached. */
const Expr *emit_list(Scope *scope, SourceStatement *const *list, size_t count);
