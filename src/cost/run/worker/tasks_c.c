/* SPDX-License-Identifier: BSD-3-Clause */
/* firma-cost-tasks: runs tasks in C for a worker (cost/run/protocol.h). Its arguments are libraries
 * with one entry each, made by cost/run/compile_c.c, after the clock. */
#include "cost/run/protocol.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ARGUMENTS_LIMIT = 2000, ARRAYS_LIMIT = 1000 };

/* A library's functions: see compile_c.c. */
typedef struct Task {
    double (*run)(const double *arguments, void *const *arrays);
    unsigned long (*bytes)(const double *arguments, int array);
    void (*fill)(const double *arguments, int array, void *to, double (*draw)(unsigned long long *state));
    int n_arrays;
    /* Of a source that counts; NULL: it doesn't. */
    const double *counts;
    const unsigned long *n_counts;
    const char *counts_file;
} Task;

/* Gives tasks an empty stdin and stderr as stdout, so that their output isn't mistaken for answers.
 * Returns the original stdin. */
static FILE *redirect_streams(int *answers)
{
    FILE *orders = fdopen(fcntl(0, F_DUPFD_CLOEXEC, 3), "r");
    *answers = fcntl(1, F_DUPFD_CLOEXEC, 3);
    int empty = open("/dev/null", O_RDONLY);
    if (!orders || *answers < 0 || empty < 0 || dup2(empty, 0) != 0 || dup2(2, 1) != 1)
        return NULL;
    close(empty);
    return orders;
}

static bool load(const char *path, int answers, Task *task)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const int *n_arrays = library ? dlsym(library, "firma_arrays") : NULL;
    if (n_arrays) {
        task->n_arrays = *n_arrays;
        *(void **)&task->run = dlsym(library, "firma_task");
        *(void **)&task->bytes = dlsym(library, "firma_bytes");
        *(void **)&task->fill = dlsym(library, "firma_fill");
        task->counts = dlsym(library, "firma_counts");
        task->n_counts = dlsym(library, "firma_n_counts");
        task->counts_file = dlsym(library, "firma_counts_file");
    }
    if (!task->run || !task->bytes || !task->fill)
        dprintf(answers, "failed %s\n", dlerror());
    return task->run && task->bytes && task->fill;
}

/* From 0 to 1, 1 excluded: SplitMix64 (Steele, Lea, Flood 2014), as in FirmaTasks.java. */
static double draw(unsigned long long *state)
{
    unsigned long long z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* False: there is no memory for an array of *bytes. */
static bool make_arrays(const Task *task, const double *arguments, void **arrays, unsigned long *bytes)
{
    for (int i = 0; i < task->n_arrays; i++) {
        *bytes = task->bytes(arguments, i);
        if (!(arrays[i] = malloc(*bytes ? *bytes : 1)))
            return false;
        task->fill(arguments, i, arrays[i], draw);
    }
    return true;
}

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* How long this thread was ready to run, but had no processor; 0: the kernel doesn't tell. It is read within the
 * task's time, which would become negative if the thread waited outside of it. */
static int64_t waited_ns(void)
{
    int64_t waited = 0;
    FILE *file = fopen("/proc/thread-self/schedstat", "r");
    if (file && fscanf(file, "%*s %" SCNd64, &waited) != 1)
        waited = 0;
    if (file)
        fclose(file);
    return waited;
}

/* Replaces the counters of the tasks before by those that include the last one. The process may be killed at any
 * time. */
static bool write_counts(const Task *task)
{
    FILE *file = fopen(task->counts_file, "w");
    if (!file)
        return false;
    bool is_written = fwrite(task->counts, sizeof *task->counts, *task->n_counts, file) == *task->n_counts;
    return fclose(file) == 0 && is_written;
}

static bool is_without_waiting;

static void run(const Task *task, const double *arguments, int answers)
{
    void *arrays[ARRAYS_LIMIT] = {NULL};
    unsigned long bytes;
    if (!make_arrays(task, arguments, arrays, &bytes))
        dprintf(answers, "failed there is no memory for an array of %lu bytes\n", bytes);
    else {
        int64_t start_ns = now_ns(), before_ns = is_without_waiting ? waited_ns() : 0;
        double value = task->run(arguments, arrays);
        int64_t waited = is_without_waiting ? waited_ns() - before_ns : 0, time_ns = now_ns() - start_ns - waited;
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        fflush(NULL);
        if (task->counts && !write_counts(task))
            dprintf(answers, "failed its counts can't be written to %s\n", task->counts_file);
        else
            dprintf(answers, "done %" PRId64 " %016" PRIx64 "\n", time_ns, bits);
    }
    for (int i = 0; i < task->n_arrays; i++)
        free(arrays[i]);
}

static void execute_order(char *order, const Task *tasks, int n_tasks, int answers)
{
    double arguments[ARGUMENTS_LIMIT];
    char *rest;
    unsigned long entry = strtoul(order, &rest, 10);
    for (int n = 0; *rest == ' ' && n < ARGUMENTS_LIMIT; n++) {
        uint64_t bits = strtoull(rest + 1, &rest, 16);
        memcpy(&arguments[n], &bits, sizeof bits);
    }
    if (entry < (unsigned long)n_tasks)
        run(&tasks[entry], arguments, answers);
    else
        dprintf(answers, "failed there is no entry %lu\n", entry);
}

int main(int argc, char **argv)
{
    int answers, n_tasks = argc - 2;
    FILE *orders = redirect_streams(&answers);
    Task *tasks = calloc((size_t)argc, sizeof *tasks);
    char *order = NULL;
    size_t room = 0;
    if (n_tasks < 1 || !orders || !tasks) {
        fprintf(stderr, "%s is a part of firma: see `firma cost --help`\n", argv[0]);
        return 2;
    }
    is_without_waiting = strcmp(argv[1], RUN_CLOCK_RUNNING) == 0;
    for (int i = 0; i < n_tasks; i++)
        if (!load(argv[i + 2], answers, &tasks[i]))
            return 1;
    dprintf(answers, "ready\n");
    while (getline(&order, &room, orders) > 0)
        execute_order(order, tasks, n_tasks, answers);
    return 0;
}
