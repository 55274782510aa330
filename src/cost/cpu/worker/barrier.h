/* SPDX-License-Identifier: BSD-3-Clause */
/* Barriers for the compiler. After BARRIER_type(x), the compiler doesn't know the value of x, but x
 * is still in a register. So it can't compute, remove or vectorise the measured operations. */
#pragma once

#include <stdint.h>

#if defined __x86_64__ || defined __i386__
#define FLOATING_REGISTER "+x"
#elif defined __aarch64__
#define FLOATING_REGISTER "+w"
#elif defined __riscv
#define FLOATING_REGISTER "+f"
#elif defined __powerpc__
#define FLOATING_REGISTER "+d"
#else
#define FLOATING_REGISTER "+m"
#endif

#define BARRIER_whole(x) __asm__ volatile("" : "+r"(x))
#define BARRIER_floating(x) __asm__ volatile("" : FLOATING_REGISTER(x))
#define BARRIER_int8(x) BARRIER_whole(x)
#define BARRIER_int16(x) BARRIER_whole(x)
#define BARRIER_int32(x) BARRIER_whole(x)
#define BARRIER_int64(x) BARRIER_whole(x)
#define BARRIER_reference(x) BARRIER_whole(x)
#define BARRIER_float(x) BARRIER_floating(x)
#define BARRIER_double(x) BARRIER_floating(x)

typedef int8_t C_int8;
typedef int16_t C_int16;
typedef int32_t C_int32;
typedef int64_t C_int64;
typedef float C_float;
typedef double C_double;
typedef intptr_t C_reference; /* for the processor the same, and arithmetic is possible */

#define REPEAT_4(...) __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__
#define REPEAT_8(...) REPEAT_4(__VA_ARGS__) REPEAT_4(__VA_ARGS__)
#define REPEAT_32(...) REPEAT_8(__VA_ARGS__) REPEAT_8(__VA_ARGS__) REPEAT_8(__VA_ARGS__) REPEAT_8(__VA_ARGS__)
