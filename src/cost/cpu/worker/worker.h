/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of the measuring program for C share. The program runs for a number of seconds,
 * and prints the lines of cost/cpu/records.h. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* A loop that is timed. */
typedef struct Kernel {
    const char *operation; /* "sum_double" */
    const char *way;       /* "latency", "throughput", … */
    void (*run)(uint64_t iterations);
    double per_iteration; /* operations per iteration */
    /* "sum_double latency": operation and way of an earlier kernel whose time is subtracted; or
     * "". */
    const char *minus;
} Kernel;

extern const Kernel step_kernels[], memory_kernels[], other_kernels[], text_kernels[], block_kernels[];
extern const size_t n_step_kernels, n_memory_kernels, n_other_kernels, n_text_kernels, n_block_kernels;
/* Operations that may cost nothing, because the compiler often removes them. */
extern const char *const free_operations[];

/* A program of the set of benchmarks for relative performance. */
typedef struct SetProgram {
    const char *name;
    uint64_t (*run)(void); /* the result is used, so that the compiler keeps the work */
} SetProgram;
extern const SetProgram set_programs[];
extern const size_t n_set_programs;
