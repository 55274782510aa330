/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions without source that the machine model has costs for: mathematics, random numbers,
 * allocation. Private to cost/source. */
#pragma once

#include "cost/expr/expr.h"
#include "model/cpu.h"

#define KNOWN_HAS_NO_VALUE (-1)

typedef struct KnownFunction {
    const char *name;
    CpuOperation operation; /* its type is the type that the function returns */
    int value;              /* an ExprFunction, or KNOWN_HAS_NO_VALUE */
} KnownFunction;

/* Finds sqrt, sqrtf, __builtin_sqrt; Math.sqrt; in Java, nextDouble of any object. NULL: not
 * known. */
const KnownFunction *known_find(const char *language, const char *name);
