/* SPDX-License-Identifier: BSD-3-Clause */
/* See known.h. */
#include "cost/source/values/known.h"

#include <string.h>

#define NO_VALUE KNOWN_HAS_NO_VALUE

static const KnownFunction functions[] = {
    {"sqrt", CPU_SQRT, EXPR_SQRT},   {"sin", CPU_SIN, NO_VALUE},        {"cos", CPU_COS, NO_VALUE},
    {"tan", CPU_TAN, NO_VALUE},      {"exp", CPU_EXP, EXPR_EXP},        {"log", CPU_LOG, EXPR_LOG},
    {"pow", CPU_POW, EXPR_POW},      {"abs", CPU_ABS, EXPR_ABS},        {"fabs", CPU_ABS, EXPR_ABS},
    {"labs", CPU_ABS, EXPR_ABS},     {"llabs", CPU_ABS, EXPR_ABS},      {"floor", CPU_FLOOR, EXPR_FLOOR},
    {"ceil", CPU_FLOOR, EXPR_CEIL},  {"round", CPU_FLOOR, NO_VALUE},    {"trunc", CPU_FLOOR, EXPR_FLOOR},
    {"rint", CPU_FLOOR, NO_VALUE},   {"lround", CPU_FLOOR, NO_VALUE},   {"nearbyint", CPU_FLOOR, NO_VALUE},
    {"lrint", CPU_FLOOR, NO_VALUE},  {"llround", CPU_FLOOR, NO_VALUE},  {"llrint", CPU_FLOOR, NO_VALUE},
    {"max", CPU_COMPARE, EXPR_MAX},  {"min", CPU_COMPARE, EXPR_MIN},    {"fmax", CPU_COMPARE, EXPR_MAX},
    {"fmin", CPU_COMPARE, EXPR_MIN}, {"log2", CPU_MATH, EXPR_LOG2},     {"log10", CPU_MATH, NO_VALUE},
    {"log1p", CPU_MATH, NO_VALUE},   {"exp2", CPU_MATH, NO_VALUE},      {"expm1", CPU_MATH, NO_VALUE},
    {"asin", CPU_MATH, NO_VALUE},    {"acos", CPU_MATH, NO_VALUE},      {"atan", CPU_MATH, NO_VALUE},
    {"atan2", CPU_MATH, NO_VALUE},   {"sinh", CPU_MATH, NO_VALUE},      {"cosh", CPU_MATH, NO_VALUE},
    {"tanh", CPU_MATH, NO_VALUE},    {"asinh", CPU_MATH, NO_VALUE},     {"acosh", CPU_MATH, NO_VALUE},
    {"atanh", CPU_MATH, NO_VALUE},   {"cbrt", CPU_MATH, NO_VALUE},      {"hypot", CPU_MATH, NO_VALUE},
    {"fmod", CPU_MATH, NO_VALUE},    {"remainder", CPU_MATH, NO_VALUE}, {"erf", CPU_MATH, NO_VALUE},
    {"erfc", CPU_MATH, NO_VALUE},    {"tgamma", CPU_MATH, NO_VALUE},    {"lgamma", CPU_MATH, NO_VALUE},
    {"fma", CPU_MATH, NO_VALUE},     {"ldexp", CPU_MATH, NO_VALUE},     {"frexp", CPU_MATH, NO_VALUE},
    {"modf", CPU_MATH, NO_VALUE},    {"copysign", CPU_MATH, NO_VALUE},  {"j0", CPU_MATH, NO_VALUE},
    {"j1", CPU_MATH, NO_VALUE},      {"signum", CPU_MATH, NO_VALUE},    {"floorMod", CPU_MOD, EXPR_MOD},
};

static const KnownFunction libc_functions[] = {
    {"rand", CPU_RANDOM, NO_VALUE},       {"random", CPU_RANDOM, NO_VALUE},
    {"rand_r", CPU_RANDOM, NO_VALUE},     {"drand48", CPU_RANDOM, NO_VALUE},
    {"erand48", CPU_RANDOM, NO_VALUE},    {"lrand48", CPU_RANDOM, NO_VALUE},
    {"nrand48", CPU_RANDOM, NO_VALUE},    {"mrand48", CPU_RANDOM, NO_VALUE},
    {"jrand48", CPU_RANDOM, NO_VALUE},    {"malloc", CPU_ALLOCATE, NO_VALUE},
    {"calloc", CPU_ALLOCATE, NO_VALUE},   {"realloc", CPU_ALLOCATE, NO_VALUE},
    {"alloca", CPU_ALLOCATE, NO_VALUE},   {"aligned_alloc", CPU_ALLOCATE, NO_VALUE},
    {"memalign", CPU_ALLOCATE, NO_VALUE}, {"posix_memalign", CPU_ALLOCATE, NO_VALUE},
};

static const KnownFunction java_methods[] = {
    {"nextInt", CPU_RANDOM, NO_VALUE},   {"nextLong", CPU_RANDOM, NO_VALUE},    {"nextDouble", CPU_RANDOM, NO_VALUE},
    {"nextFloat", CPU_RANDOM, NO_VALUE}, {"nextBoolean", CPU_RANDOM, NO_VALUE}, {"nextGaussian", CPU_RANDOM, NO_VALUE},
};

static const KnownFunction *find_in(const KnownFunction *list, size_t count, const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(list[i].name) == length && strncmp(list[i].name, name, length) == 0)
            return &list[i];
    return NULL;
}
#define FIND_IN(list, name, length) find_in((list), sizeof(list) / sizeof *(list), (name), (length))

static const KnownFunction *find_java(const char *name)
{
    static const KnownFunction random = {"random", CPU_RANDOM, NO_VALUE};
    const char *dot = strrchr(name, '.'), *method = dot ? dot + 1 : name;
    size_t length = strcspn(method, "(");
    bool is_math = dot && ((size_t)(dot - name) == 4 || (size_t)(dot - name) == 10) && dot >= name + 4 &&
                   strncmp(dot - 4, "Math", 4) == 0;
    if (is_math && length == 6 && strncmp(method, "random", 6) == 0)
        return &random;
    return is_math ? FIND_IN(functions, method, length) : dot ? FIND_IN(java_methods, method, length) : NULL;
}

const KnownFunction *known_find(const char *language, const char *name)
{
    if (strcmp(language, "java") == 0)
        return find_java(name);
    if (strncmp(name, "__builtin_", 10) == 0)
        name += 10;
    size_t length = strlen(name);
    const KnownFunction *found = FIND_IN(libc_functions, name, length);
    if (!found && strcmp(name, "max") != 0 && strcmp(name, "min") != 0)
        found = FIND_IN(functions, name, length);
    if (!found && length > 3 && (name[length - 1] == 'f' || name[length - 1] == 'l'))
        found = FIND_IN(functions, name, length - 1);
    return found;
}
