/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of operations on values in registers, made from the table in operations.h. Each operation
 * has a kernel of one chain, in which a step waits for the previous one (latency), and a kernel of
 * eight chains side by side (throughput). */
#include "cost/cpu/worker/worker.h"

#include "cost/cpu/worker/barrier.h"
#include "cost/cpu/worker/operations.h"
#include <stdlib.h>
#include <tgmath.h>

#define MATH(name) name
#define INT32 int32_t
#define STEP_logical(T, x, y, z) (!(x))
#define STEP_abs(T, x, y, z) ABSOLUTE((x) - (y))
#define ABSOLUTE(x) _Generic((x), float : (fabsf), double : (fabs), long : labs, long long : llabs, default : abs)(x)

/* Volatile, so that the compiler doesn't know the values. */
static const volatile int8_t int8_operands[] = {7, 3 * 37 + 2, 5};
static const volatile int16_t int16_operands[] = {7, 3 * 10003 + 2, 5};
static const volatile int32_t int32_operands[] = {7, 3 * 333337 + 2, 5};
static const volatile int64_t int64_operands[] = {7, 3LL * 1000000000039 + 2, 5};
static const volatile intptr_t reference_operands[] = {7, 3 * 333337 + 2, 5};
static const volatile float float_operands[] = {1.5F, 2, 0.7F};
static const volatile double double_operands[] = {1.5, 2, 0.7};

#define STEP_OF(chain, type, step)                                                                                     \
    x##chain = (C_##type)STEP_##step(C_##type, x##chain, y, z);                                                        \
    BARRIER_##type(x##chain);

#define EACH_CHAIN(DO, ...)                                                                                            \
    DO(0, __VA_ARGS__)                                                                                                 \
    DO(1, __VA_ARGS__)                                                                                                 \
    DO(2, __VA_ARGS__) DO(3, __VA_ARGS__) DO(4, __VA_ARGS__) DO(5, __VA_ARGS__) DO(6, __VA_ARGS__) DO(7, __VA_ARGS__)
#define CHAIN_OF(chain, type) C_##type x##chain = type##_operands[0];

#define OPERANDS(type)                                                                                                 \
    C_##type y = type##_operands[1], z = type##_operands[2];                                                           \
    (void)y, (void)z;

#define DEFINE_KERNELS(operation, type, step, count, minus, minus_type)                                                \
    static void operation##_##type##_##step##_latency(uint64_t n)                                                      \
    {                                                                                                                  \
        OPERANDS(type)                                                                                                 \
        CHAIN_OF(0, type)                                                                                              \
        for (; n; n--) {                                                                                               \
            REPEAT_32(STEP_OF(0, type, step))                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    static void operation##_##type##_##step##_throughput(uint64_t n)                                                   \
    {                                                                                                                  \
        OPERANDS(type)                                                                                                 \
        EACH_CHAIN(CHAIN_OF, type)                                                                                     \
        for (; n; n--) {                                                                                               \
            REPEAT_4(EACH_CHAIN(STEP_OF, type, step))                                                                  \
        }                                                                                                              \
    }

#define OPERATIONS_OF_REFERENCES(OF)                                                                                   \
    OF(sum, reference, sum, 1, nothing, reference)                                                                     \
    OF(sub, reference, sub, 1, nothing, reference)                                                                     \
    OF(compare, reference, compare, 1, nothing, reference)                                                             \
    OF(logical, reference, logical, 1, nothing, reference)

/* Functions of float exist in C only. */
#define OPERATIONS_OF_C(OF)                                                                                            \
    ALL_STEPS(OF)                                                                                                      \
    OPERATIONS_OF_MATHEMATICS(OF, float)                                                                               \
    OPERATIONS_OF_REFERENCES(OF)                                                                                       \
    OF(logical, int8, logical, 1, nothing, int8)                                                                       \
    OF(logical, int16, logical, 1, nothing, int16)                                                                     \
    OF(logical, int32, logical, 1, nothing, int32)                                                                     \
    OF(logical, int64, logical, 1, nothing, int64)                                                                     \
    OF(logical, float, logical, 1, nothing, float)                                                                     \
    OF(logical, double, logical, 1, nothing, double)

OPERATIONS_OF_C(DEFINE_KERNELS)

#define LIST_KERNELS(operation, type, step, count, minus, minus_type)                                                  \
    {#operation "_" #type, "throughput", operation##_##type##_##step##_throughput, 32.0 * (count),                     \
     #minus "_" #minus_type " throughput"},                                                                            \
        {#operation "_" #type, "latency", operation##_##type##_##step##_latency, 32.0 * (count),                       \
         #minus "_" #minus_type " latency"},

const Kernel step_kernels[] = {OPERATIONS_OF_C(LIST_KERNELS)};
const size_t n_step_kernels = sizeof step_kernels / sizeof *step_kernels;
