/* SPDX-License-Identifier: BSD-3-Clause */
/* The program that measures C: what its parts share. It runs for so many seconds and prints lines (protocol.h). */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Something that is timed by repeating it. */
typedef struct Kernel {
    const char *operation; /* "sum_double" */
    const char *way;       /* "latency", "throughput", … */
    void (*run)(uint64_t iterations);
    double per_iteration; /* operations */
    const char *minus;    /* "sum_double latency": the operation and way that is taken off, which comes before; or "" */
} Kernel;

extern const Kernel step_kernels[], memory_kernels[], other_kernels[];
extern const size_t n_step_kernels, n_memory_kernels, n_other_kernels;
/* Operations that often cost nothing, as the compiler leaves nothing of them. */
extern const char *const free_operations[];

/* The set of benchmarks that relative performance comes from. */
typedef struct SetProgram {
    const char *name;
    uint64_t (*run)(void); /* result: used, so that the work isn't left out */
} SetProgram;
extern const SetProgram set_programs[];
extern const size_t n_set_programs;
