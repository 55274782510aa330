/* SPDX-License-Identifier: BSD-3-Clause */
/* firma-cost-tasks: runs tasks in C for a worker (cost/run/protocol.h). Its arguments are libraries
 * with one entry each, made by cost/run/compile_c.c. */
#include <dlfcn.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ARGUMENTS_LIMIT = 1000 };

typedef double (*Task)(const double *arguments);

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

static Task load(const char *path, int answers)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    Task task = NULL;
    if (library)
        *(void **)&task = dlsym(library, "firma_task");
    if (!task)
        dprintf(answers, "failed %s\n", dlerror());
    return task;
}

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void run(Task task, const double *arguments, int answers)
{
    int64_t start_ns = now_ns();
    double value = task(arguments);
    int64_t time_ns = now_ns() - start_ns;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    fflush(NULL);
    dprintf(answers, "done %" PRId64 " %016" PRIx64 "\n", time_ns, bits);
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
        run(tasks[entry], arguments, answers);
    else
        dprintf(answers, "failed there is no entry %lu\n", entry);
}

int main(int argc, char **argv)
{
    int answers, n_tasks = argc - 1;
    FILE *orders = redirect_streams(&answers);
    Task *tasks = calloc((size_t)argc, sizeof *tasks);
    char *order = NULL;
    size_t room = 0;
    if (n_tasks < 1 || !orders || !tasks) {
        fprintf(stderr, "%s is a part of firma: see `firma cost --help`\n", argv[0]);
        return 2;
    }
    for (int i = 0; i < n_tasks; i++)
        if (!(tasks[i] = load(argv[i + 1], answers)))
            return 1;
    dprintf(answers, "ready\n");
    while (getline(&order, &room, orders) > 0)
        execute_order(order, tasks, n_tasks, answers);
    return 0;
}
