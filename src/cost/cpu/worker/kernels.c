/* SPDX-License-Identifier: BSD-3-Clause */
/* firma-cpu-kernels ROUNDS NEW SECONDS LIBRARY ENTRY N TIMES …: times kernels that were compiled with the
 * options of an application (cost/cpu/kernels). First, each kernel runs NEW times in a process of its own, one after the
 * other, until SECONDS are up. Then, each round runs each kernel once, so that a short disturbance affects few runs of
 * many kernels; after SECONDS of CPU time, no round begins. Memory that a kernel frees is kept for the next one, so that
 * after the first round no page is new. Prints `new INDEX S` and `run INDEX S`, with a run's CPU seconds, and `done` at
 * the end. */
#include <dlfcn.h>
#include <limits.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef double (*Entry)(long n, long times);

typedef struct Run {
    Entry entry;
    long n, times;
} Run;

enum { WORD_ROUNDS = 1, WORD_NEW, WORD_SECONDS, WORD_LIBRARY, WORDS_FIRST, WORDS_EACH = 3 };

static volatile double result;

/* CPU time: other programs' use of the processor doesn't count. */
static double clock_s(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double cpu_s(void)
{
    return clock_s(CLOCK_THREAD_CPUTIME_ID);
}

static void run(const Run *one, const char *name, int index)
{
    double before_s = cpu_s();
    result = one->entry(one->n, one->times);
    printf("%s %d %.6g\n", name, index, cpu_s() - before_s);
    fflush(stdout);
}

static bool run_in_child(const Run *one, int index)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        run(one, "new", index);
        _exit(0);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* False: a run failed. */
static bool run_new(const Run *runs, int n_runs, long rounds, double limit_s)
{
    double begin_s = clock_s(CLOCK_MONOTONIC);
    for (int i = 0; i < n_runs; i++)
        for (long round = 0; round < rounds && clock_s(CLOCK_MONOTONIC) - begin_s < limit_s; round++)
            if (!run_in_child(&runs[i], i))
                return false;
    return true;
}

int main(int n, char **words)
{
    int n_runs = (n - WORDS_FIRST) / WORDS_EACH;
    void *library = n_runs > 0 ? dlopen(words[WORD_LIBRARY], RTLD_NOW | RTLD_LOCAL) : NULL;
    Run *runs = calloc((size_t)(n_runs > 0 ? n_runs : 1), sizeof *runs);
    if (!library || !runs) {
        fprintf(stderr, "%s: %s\n", words[0], n_runs > 0 ? dlerror() : "a part of `firma machine cpu`");
        return 2;
    }
    for (int i = 0; i < n_runs; i++) {
        char **own = words + WORDS_FIRST + (size_t)i * WORDS_EACH;
        runs[i] = (Run){NULL, strtol(own[1], NULL, 10), strtol(own[2], NULL, 10)};
        *(void **)&runs[i].entry = dlsym(library, own[0]);
        if (!runs[i].entry) {
            fprintf(stderr, "%s: %s\n", words[0], dlerror());
            return 2;
        }
    }
    const long rounds = strtol(words[WORD_ROUNDS], NULL, 10), n_new = strtol(words[WORD_NEW], NULL, 10);
    const double limit_s = strtod(words[WORD_SECONDS], NULL);
    if (!run_new(runs, n_runs, n_new, limit_s)) {
        fprintf(stderr, "%s: a kernel failed\n", words[0]);
        return 2;
    }
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    for (long round = 0; round < rounds && (round == 0 || cpu_s() < limit_s); round++)
        for (int i = 0; i < n_runs; i++)
            run(&runs[i], "run", i);
    printf("done\n");
    return 0;
}
