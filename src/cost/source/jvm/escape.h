/* SPDX-License-Identifier: BSD-3-Clause */
/* New objects that the JVM doesn't allocate, since nothing outlives the compiled code that uses them. Private to
 * cost/source. Source: docs/METHOD.md, section 17. */
#pragma once

#include "cost/source/values/generator.h"

/* Marks such objects in the program (is_not_allocated), and calls whose result is a new object that is kept
 * (allocates). Only in warm Java. */
void escape_mark(Generator *all);
