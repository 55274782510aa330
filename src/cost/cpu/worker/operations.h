/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of measured operations and types, for both languages. The C program compiles it; for
 * Java, the preprocessor makes a program of it.
 *
 * A step is one operation on x; y and z are its other operands. Steps are repeated in chains: in
 * one chain (latency), or in several chains side by side (throughput). No value becomes subnormal,
 * nor 0 where that would be faster. If a step needs another operation for this, the other
 * operation's time is subtracted.
 *
 * y and z are 3q + 2 and 5 for whole types, 2 and 0.7 for floating types. */

#define STEP_sum(T, x, y, z) ((x) + (y))
#define STEP_sub(T, x, y, z) ((x) - (y))
#define STEP_mul(T, x, y, z) ((x) * (y))
#define STEP_div(T, x, y, z) ((y) / (x))
#define STEP_mod(T, x, y, z) ((y) % (x) + (z))
#define STEP_bitwise(T, x, y, z) ((x) ^ (y))
#define STEP_shift(T, x, y, z) ((x) >> (z))
#define STEP_negate(T, x, y, z) (-((x) ^ (y)))
#define STEP_negate_sum(T, x, y, z) (-((x) + (y)))
#define STEP_compare(T, x, y, z) ((x) < (y) ? (y) : (z))
#define STEP_sqrt(T, x, y, z) MATH(sqrt)((x) + (y))
#define STEP_sin(T, x, y, z) MATH(sin)((x) + (y))
#define STEP_cos(T, x, y, z) MATH(cos)((x) + (y))
#define STEP_tan(T, x, y, z) MATH(tan)((x) + (y))
#define STEP_exp(T, x, y, z) MATH(exp)((y) - (x))
#define STEP_log(T, x, y, z) MATH(log)((x) + (y))
#define STEP_pow(T, x, y, z) MATH(pow)((x) + (y), z)
#define STEP_floor(T, x, y, z) MATH(floor)((x) - (y))
#define STEP_atan(T, x, y, z) MATH(atan)((x) + (y))
#define STEP_log10(T, x, y, z) MATH(log10)((x) + (y))
#define STEP_cbrt(T, x, y, z) MATH(cbrt)((x) + (y))
#define STEP_hypot(T, x, y, z) MATH(hypot)((x), (y))
/* Two casts: to another type and back. Half of the time counts as one cast. */
#define STEP_by_double(T, x, y, z) ((T)((double)(x) + 0.7))
#define STEP_by_float(T, x, y, z) ((T)((float)(x) + 0.7f))
#define STEP_by_int32(T, x, y, z) ((T)(INT32)((x) + (z)))

/* OF(operation, type, step, operations in a step, subtracted operation or `nothing`, its type). The
 * subtracted operation comes earlier in the table. */
#define OPERATIONS_OF_WHOLE(OF, type)                                                                                  \
    OF(sum, type, sum, 1, nothing, type)                                                                               \
    OF(sub, type, sub, 1, nothing, type)                                                                               \
    OF(mul, type, mul, 1, nothing, type)                                                                               \
    OF(div, type, div, 1, nothing, type)                                                                               \
    OF(mod, type, mod, 1, sum, type)                                                                                   \
    OF(bitwise, type, bitwise, 1, nothing, type)                                                                       \
    OF(shift, type, shift, 1, nothing, type)                                                                           \
    OF(negate, type, negate, 1, bitwise, type)                                                                         \
    OF(abs, type, abs, 1, sub, type)

#define OPERATIONS_OF_FLOATING(OF, type)                                                                               \
    OF(sum, type, sum, 1, nothing, type)                                                                               \
    OF(sub, type, sub, 1, nothing, type)                                                                               \
    OF(mul, type, mul, 1, nothing, type)                                                                               \
    OF(div, type, div, 1, nothing, type)                                                                               \
    OF(negate, type, negate_sum, 1, sum, type)                                                                         \
    OF(abs, type, abs, 1, sub, type)                                                                                   \
    OF(sqrt, type, sqrt, 1, sum, type)

#define COMPARISONS(OF)                                                                                                \
    OF(compare, int8, compare, 1, nothing, int8)                                                                       \
    OF(compare, int16, compare, 1, nothing, int16)                                                                     \
    OF(compare, int32, compare, 1, nothing, int32)                                                                     \
    OF(compare, int64, compare, 1, nothing, int64)                                                                     \
    OF(compare, float, compare, 1, nothing, float)                                                                     \
    OF(compare, double, compare, 1, nothing, double)

#define OPERATIONS_OF_MATHEMATICS(OF, type)                                                                            \
    OF(sin, type, sin, 1, sum, type)                                                                                   \
    OF(cos, type, cos, 1, sum, type)                                                                                   \
    OF(tan, type, tan, 1, sum, type)                                                                                   \
    OF(exp, type, exp, 1, sub, type)                                                                                   \
    OF(log, type, log, 1, sum, type)                                                                                   \
    OF(pow, type, pow, 1, sum, type)                                                                                   \
    OF(floor, type, floor, 1, sub, type)                                                                               \
    OF(math, type, atan, 1, sum, type)                                                                                 \
    OF(math, type, log10, 1, sum, type)                                                                                \
    OF(math, type, cbrt, 1, sum, type)                                                                                 \
    OF(math, type, hypot, 1, nothing, type)

#define CASTS(OF)                                                                                                      \
    OF(cast, int8, by_double, 2, sum, double)                                                                          \
    OF(cast, int16, by_double, 2, sum, double)                                                                         \
    OF(cast, int32, by_double, 2, sum, double)                                                                         \
    OF(cast, int64, by_double, 2, sum, double)                                                                         \
    OF(cast, int32, by_float, 2, sum, float)                                                                           \
    OF(cast, int64, by_float, 2, sum, float)                                                                           \
    OF(cast, float, by_int32, 2, sum, float)                                                                           \
    OF(cast, double, by_int32, 2, sum, double)                                                                         \
    OF(cast, double, by_float, 2, sum, float)

/* Operations on memory, and calls: the same for each type. */
#define OPERATIONS_OF_ANY(OF)                                                                                          \
    OF(int8)                                                                                                           \
    OF(int16)                                                                                                          \
    OF(int32)                                                                                                          \
    OF(int64)                                                                                                          \
    OF(float)                                                                                                          \
    OF(double)                                                                                                         \
    OF(reference)

#define ALL_STEPS(OF)                                                                                                  \
    OPERATIONS_OF_WHOLE(OF, int8)                                                                                      \
    OPERATIONS_OF_WHOLE(OF, int16)                                                                                     \
    OPERATIONS_OF_WHOLE(OF, int32)                                                                                     \
    OPERATIONS_OF_WHOLE(OF, int64)                                                                                     \
    OPERATIONS_OF_FLOATING(OF, float)                                                                                  \
    OPERATIONS_OF_FLOATING(OF, double)                                                                                 \
    OPERATIONS_OF_MATHEMATICS(OF, double)                                                                              \
    COMPARISONS(OF)                                                                                                    \
    CASTS(OF)
