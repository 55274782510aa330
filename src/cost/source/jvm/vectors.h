/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops whose iterations the JVM computes several at once. Private to cost/source. Source: docs/METHOD.md, section 17. */
#pragma once

#include "cost/source/values/scope.h"

/* How many iterations of the loop an instruction computes; 1: one. `index`: the loop's variable; NULL: none. */
int vector_lanes(const Generator *all, const SourceStatement *body, const SourceVariable *index);
