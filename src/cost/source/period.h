/* SPDX-License-Identifier: BSD-3-Clause */
/* Conditionals that hold each so many times: `if (++filled == 64) { flush(); filled = 0; }`. Private to this folder. */
#pragma once

#include "cost/source/values/scope.h"

/* Each how many times the condition holds: it compares a variable or field with a constant, the side sets it back to one,
 * and the function only adds 1 to it elsewhere. 0: it isn't such a conditional. docs/SOURCES.md, *Guards*. */
double choice_period(const Scope *scope, const SourceStatement *choice);
