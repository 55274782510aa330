/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of functions in texts, and their numbers of arguments. */
#pragma once

#include "cost/expr/expr.h"

typedef struct ExprFunctionName {
    const char *name;
    ExprFunction function;
    size_t n_least, n_most;
} ExprFunctionName;

/* NULL if there is no such function. */
const ExprFunctionName *expr_function_by_name(const char *name);
const char *expr_function_name(ExprFunction function);
