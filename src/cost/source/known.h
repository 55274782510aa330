/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions without source whose costs the machine model has: mathematics, random numbers, allocation. Private to the
 * folder. */
#pragma once

#include "cost/expr/expr.h"
#include "model/cpu.h"

#define KNOWN_HAS_NO_VALUE (-1)

typedef struct KnownFunction {
    const char *name;
    CpuOperation operation; /* of the type that the function returns */
    int value;              /* the ExprFunction that it is, or KNOWN_HAS_NO_VALUE */
} KnownFunction;

/* NULL: it isn't known. sqrt, sqrtf, __builtin_sqrt; Math.sqrt; any object's nextDouble in Java. */
const KnownFunction *known_find(const char *language, const char *name);
