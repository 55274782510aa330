/* SPDX-License-Identifier: BSD-3-Clause */
/* See names.h. */
#include "cost/expr/names.h"

#include <string.h>

static const ExprFunctionName functions[] = {
    {"floor", EXPR_FLOOR, 1, 1},    {"ceil", EXPR_CEIL, 1, 1}, {"max", EXPR_MAX, 1, SIZE_MAX},
    {"min", EXPR_MIN, 1, SIZE_MAX}, {"pow", EXPR_POW, 2, 2},   {"sqrt", EXPR_SQRT, 1, 1},
    {"log", EXPR_LOG, 1, 1},        {"log2", EXPR_LOG2, 1, 1}, {"exp", EXPR_EXP, 1, 1},
    {"abs", EXPR_ABS, 1, 1},        {"mod", EXPR_MOD, 2, 2},   {"harmonic", EXPR_HARMONIC, 1, 1},
    {"step", EXPR_STEP, 1, 1},
};
enum { N_FUNCTIONS = sizeof functions / sizeof *functions };

const ExprFunctionName *expr_function_by_name(const char *name)
{
    for (size_t i = 0; i < N_FUNCTIONS; i++)
        if (strcmp(functions[i].name, name) == 0)
            return &functions[i];
    return NULL;
}

const char *expr_function_name(ExprFunction function)
{
    for (size_t i = 0; i < N_FUNCTIONS; i++)
        if (functions[i].function == function)
            return functions[i].name;
    return "";
}
