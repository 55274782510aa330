/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of cost/cpu/kernels: their operations, and their times. Private to this folder. */
#pragma once

#include "base/arena.h"
#include "base/vec.h"
#include "cost/context/context.h"
#include "cost/context/fit.h"
#include "cost/context/rewrite.h"
#include "cost/lang/pasl.h"

/* Of this machine. */
ContextLimits kernels_caches(void);

/* What the distance of data costs by a class, at a factor of one. */
typedef struct KernelsDistance {
    ContextClass class;
    CpuFar far;
} KernelsDistance;

enum { KERNELS_DISTANCES = 8 };

struct ContextMemory {
    ContextLimits limits;
    double surprise_s; /* what a branch that surprises costs by itself */
    size_t n;
    KernelsDistance distances[KERNELS_DISTANCES];
};

/* The sizes of caches alone, for Java. */
ContextMemory kernels_memory_of_java(void);

/* Counts the operations of each run, as those of any task are counted. They are the same at all options. The
 * flow file has a batch for each run; runs of the same entry are of the same kernel. */
bool kernels_count(const PaslApplication *application, const CpuCosts *single, const ContextMemory *memory,
                   Arena *arena, ContextRun *runs, Err *err);

/* The same for the compiled code: cycles, and what it doesn't tell. ERR_ENVIRONMENT: a tool is missing. */
bool kernels_count_compiled(const PaslApplication *application, const char *options, const char *scheduler,
                            const CpuCosts *single, const ContextMemory *memory, Arena *arena, ContextRun *runs,
                            Err *err);

/* Compiles the kernels, runs each up to several times, and sets the shortest CPU times. `seconds`: after these, no further
 * round begins; in Java also when the JVM doesn't make kernels faster any more. `compiler`: of C, which one it was. */
bool kernels_time(const PaslApplication *application, const char *options, double seconds, Arena *arena,
                  ContextRun *runs, const char **compiler, Err *err);

/* What a byte of new memory costs more than one that was used before: to make its page, and to give it back. */
Interval kernels_new_byte_s(const ContextRun *runs, size_t n);

typedef VEC(const char *) KernelsWords;

/* Compiles kernels in Java into the directory, and adds the words that run them, without the runs. */
bool kernels_prepare_java(const char *source, const char *directory, double seconds, Arena *arena, KernelsWords *words,
                          Err *err);

/* What a program printed: the first line with an error, or else the first line. */
typedef struct KernelsOutput {
    const char *first, *error;
    ContextRun *runs; /* the shortest time of each; NULL: lines hold no times */
    size_t n_runs;
} KernelsOutput;

/* Runs a program to its end. ERR_NEGATIVE: interrupted. */
bool kernels_follow(const char *const *words, KernelsOutput *output, int *status, Arena *arena, Err *err);
