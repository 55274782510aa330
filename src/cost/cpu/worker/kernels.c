/* SPDX-License-Identifier: BSD-3-Clause */
/* firma-cpu-kernels ROUNDS SECONDS LIBRARY ENTRY N TIMES …: times kernels that were compiled with the
 * options of an application (cost/cpu/kernels). Each round runs each kernel once, so that a short
 * disturbance affects few runs of many kernels. After SECONDS of CPU time, no round begins. Memory that a kernel frees is
 * kept for the next one, so that after the first round no page is new. Prints `run INDEX S` for each run, with its CPU
 * seconds, and `done` at the end. */
#include <dlfcn.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef double (*Entry)(long n, long times);

typedef struct Run {
    Entry entry;
    long n, times;
} Run;

enum { WORDS_FIRST = 4, WORDS_EACH = 3 };

static volatile double result;

/* CPU time: other programs' use of the processor doesn't count. */
static double cpu_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void run(const Run *one, int index)
{
    double before_s = cpu_s();
    result = one->entry(one->n, one->times);
    printf("run %d %.6g\n", index, cpu_s() - before_s);
    fflush(stdout);
}

int main(int n, char **words)
{
    int n_runs = (n - WORDS_FIRST) / WORDS_EACH;
    long rounds = n > WORDS_FIRST ? strtol(words[1], NULL, 10) : 0;
    void *library = rounds > 0 ? dlopen(words[3], RTLD_NOW | RTLD_LOCAL) : NULL;
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
    double limit_s = strtod(words[2], NULL);
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    for (long round = 0; round < rounds && (round == 0 || cpu_s() < limit_s); round++)
        for (int i = 0; i < n_runs; i++)
            run(&runs[i], i);
    printf("done\n");
    return 0;
}
