/* SPDX-License-Identifier: BSD-3-Clause */
/* Conditionals that make room: `if (used == capacity) grow(…)`. Private to this folder. */
#pragma once

#include "cost/source/values/scope.h"

/* Whether this side (0: the condition holds) makes room for more: the condition compares whole numbers, and the side,
 * perhaps in a function that it calls, moves what there is into memory of another size. docs/SOURCES.md, *Guards*. */
bool side_makes_room(const Scope *scope, const SourceStatement *choice, int side);
/* The same of the right side of &&, behind a comparison: `used == capacity && !grow(…)`. */
bool right_makes_room(const Generator *all, const SourceExpression *both);
