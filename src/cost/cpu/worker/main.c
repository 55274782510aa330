/* SPDX-License-Identifier: BSD-3-Clause */
/* firma-cpu-c SECONDS: measures operations of compiled C, round by round. Each round times each
 * kernel once for a short while. So a short disturbance affects a few samples of many kernels. The
 * lines that it prints: cost/cpu/records.h. */
#include "cost/cpu/worker/worker.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 10, LEAST_ROUNDS = 3, KERNELS_LIMIT = 512 };
static const double LEAST_SLICE_S = 100e-6, MOST_SLICE_S = 1e-3;

typedef struct Timed {
    Kernel kernel;
    uint64_t iterations;
    double least_s;            /* the shortest measured time of an operation */
    const struct Timed *minus; /* the kernel whose time is subtracted; NULL: none */
} Timed;

static Timed timed[KERNELS_LIMIT];
static size_t n_timed;
static volatile uint64_t result_of_set;

static double clock_s(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double now_s(void)
{
    return clock_s(CLOCK_MONOTONIC);
}

/* CPU time: other programs' use of the processor doesn't count. */
static double cpu_s(void)
{
    return clock_s(CLOCK_THREAD_CPUTIME_ID);
}

static void loop_alone(uint64_t n)
{
    for (; n; n--)
        __asm__ volatile("");
}

static double time_s(void (*run)(uint64_t), uint64_t n)
{
    double before_s = cpu_s();
    run(n);
    return cpu_s() - before_s;
}

static const Timed *find(const char *operation_and_way)
{
    for (size_t i = 0; i < n_timed; i++) {
        char name[128];
        snprintf(name, sizeof name, "%s %s", timed[i].kernel.operation, timed[i].kernel.way);
        if (strcmp(name, operation_and_way) == 0)
            return &timed[i];
    }
    return NULL;
}

static void add_kernels(const Kernel *kernels, size_t n)
{
    for (size_t i = 0; i < n && n_timed < KERNELS_LIMIT; i++, n_timed++)
        timed[n_timed] = (Timed){.kernel = kernels[i], .least_s = INFINITY, .minus = find(kernels[i].minus)};
}

/* Finds how many iterations take a slice. This also warms up the kernel. */
static void calibrate(Timed *one, double slice_s)
{
    uint64_t n = 1;
    double took_s = time_s(one->kernel.run, n);
    while ((took_s = time_s(one->kernel.run, n)) < slice_s / 4)
        n *= 2;
    one->iterations = (uint64_t)((double)n * slice_s / took_s) + 1;
}

static void measure_loop(Timed *loop)
{
    double took_s = time_s(loop_alone, loop->iterations) / (double)loop->iterations;
    loop->least_s = fmin(loop->least_s, took_s);
}

static void measure(Timed *one, double loop_s)
{
    double took_s = time_s(one->kernel.run, one->iterations) / (double)one->iterations - loop_s;
    if (one->minus)
        took_s -= one->minus->least_s * fmin(one->kernel.per_iteration, one->minus->kernel.per_iteration);
    double cost_s = fmax(0, took_s / one->kernel.per_iteration);
    one->least_s = fmin(one->least_s, cost_s);
    printf("sample %s %s %.4g\n", one->kernel.operation, one->kernel.way, cost_s);
}

static void measure_set(void)
{
    for (size_t i = 0; i < n_set_programs; i++) {
        double before_s = cpu_s();
        result_of_set = set_programs[i].run();
        printf("set %s %.6g\n", set_programs[i].name, cpu_s() - before_s);
    }
}

static double limited(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

int main(int n, char **words)
{
    double start_s = now_s(), seconds = n == 2 ? strtod(words[1], NULL) : 0;
    if (seconds <= 0) {
        fprintf(stderr, "usage: %s SECONDS\n", words[0]);
        return 2;
    }
    add_kernels(step_kernels, n_step_kernels);
    add_kernels(memory_kernels, n_memory_kernels);
    add_kernels(other_kernels, n_other_kernels);
    add_kernels(text_kernels, n_text_kernels);
    add_kernels(block_kernels, n_block_kernels);
    printf("compiler %s -O2\n", COMPILER);
    for (const char *const *name = free_operations; *name; name++)
        printf("free %s\n", *name);
    double slice_s = limited(seconds / (double)(n_timed * (ROUNDS + 2)), LEAST_SLICE_S, MOST_SLICE_S);
    Timed loop = {.kernel = {.run = loop_alone}, .least_s = INFINITY};
    calibrate(&loop, slice_s);
    for (size_t i = 0; i < n_timed; i++)
        calibrate(&timed[i], slice_s);
    for (unsigned i = 0; i < ROUNDS; i++)
        measure_loop(&loop);
    for (unsigned round = 0; round < LEAST_ROUNDS || now_s() - start_s < seconds; round++) {
        double before_s = now_s(), cpu_before_s = cpu_s();
        measure_loop(&loop);
        for (size_t i = 0; i < n_timed; i++)
            measure(&timed[i], loop.least_s);
        measure_set();
        printf("round %.6g %.6g\n", now_s() - before_s, cpu_s() - cpu_before_s);
        fflush(stdout);
    }
    printf("done\n");
    return 0;
}
