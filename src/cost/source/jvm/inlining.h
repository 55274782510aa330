/* SPDX-License-Identifier: BSD-3-Clause */
/* Which calls the JVM replaces by the called method's code, once it has compiled what runs often. Private to
 * cost/source. Source: docs/METHOD.md, section 17. */
#pragma once

#include "cost/source/values/generator.h"

/* Whether the model is of code that a JVM has compiled. */
bool is_warm_java(const Generator *all);

/* Whether a call of this method costs nothing besides its body, if it's known which method is called. */
bool call_is_inlined(Generator *all, const SourceFunction *function);
