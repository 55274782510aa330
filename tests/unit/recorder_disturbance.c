/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that disturb the recorder as the argument says, and go on. With the recorder, they must
 * end as without. */
#include "recorder_exchange.h"
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <sys/wait.h>
#include <unistd.h>

#define N_CANCELLED 200
#define N_EXCHANGES 20000 /* fill several halves of a segment */

/* Calls that take no lock of MPI, but the recorder's: messages to nobody. */
static atomic_int n_sent;

static void *send_to_nobody_for_ever(void *type)
{
    pthread_setcanceltype(*(int *)type, NULL);
    for (;;) {
        MPI_Request request;
        MPI_Isend(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        n_sent++;
        if (*(int *)type == PTHREAD_CANCEL_DEFERRED)
            pthread_testcancel();
    }
    return NULL;
}

static int cancel_threads(int type)
{
    for (int i = 0; i < N_CANCELLED; i++) {
        pthread_t thread;
        n_sent = 0;
        pthread_create(&thread, NULL, send_to_nobody_for_ever, &type);
        while (n_sent < i % 10)
            sched_yield();
        pthread_cancel(thread);
        pthread_join(thread, NULL);
        if (exchanges_with_itself(1, 1))
            return 1;
        free(malloc((size_t)1 << 20)); /* locks of the C library weren't left behind, either */
    }
    return 0;
}

static int cancel_deferred(void)
{
    return cancel_threads(PTHREAD_CANCEL_DEFERRED);
}

static int cancel_asynchronous(void)
{
    return cancel_threads(PTHREAD_CANCEL_ASYNCHRONOUS);
}

/* The child becomes another program, while threads of the parent go on. */
static int become_in_a_child(void)
{
    for (int i = 0; i < 10; i++) {
        const pid_t child = vfork();
        if (child == 0) {
            execl("/bin/true", "true", (char *)NULL);
            _exit(127);
        }
        int status = 1;
        if (waitpid(child, &status, 0) != child || status != 0 || exchanges_with_itself(10, 1))
            return 1;
    }
    return 0;
}

/* A child made by fork() ends normally, with all exit handlers. */
static int fork_between_calls(void)
{
    for (int i = 0; i < 10; i++) {
        fflush(stdout);
        const pid_t child = fork();
        if (child == 0)
            _exit(system("true"));
        int status = 1;
        if (waitpid(child, &status, 0) != child || status != 0 || exchanges_with_itself(10, 1))
            return 1;
    }
    return 0;
}

static void abort_the_job(int number)
{
    (void)number;
    MPI_Abort(MPI_COMM_WORLD, 5);
}

/* A signal comes while the thread is in one of many calls. If this call has taken MPICH's own lock,
 * MPI_Abort waits for it for ever; so the process is killed after a while. */
static int abort_in_a_handler(void)
{
    const struct itimerval soon = {.it_value = {.tv_usec = 20000}};
    const struct itimerspec later = {.it_value = {.tv_sec = 10}};
    struct sigevent kills = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
    timer_t timer;
    if (timer_create(CLOCK_MONOTONIC, &kills, &timer) != 0 || timer_settime(timer, 0, &later, NULL) != 0)
        return 3;
    signal(SIGALRM, abort_the_job);
    setitimer(ITIMER_REAL, &soon, NULL);
    for (int found = 0;;)
        MPI_Iprobe(0, 1, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE);
}

static int limit(int resource, rlim_t value)
{
    struct rlimit limits;
    getrlimit(resource, &limits);
    limits.rlim_cur = value;
    return setrlimit(resource, &limits);
}

static int limit_files(void)
{
    return limit(RLIMIT_FSIZE, 100000) || exchanges_with_itself(N_EXCHANGES, 1);
}

static int limit_descriptors(void)
{
    struct rlimit before;
    getrlimit(RLIMIT_NOFILE, &before);
    return limit(RLIMIT_NOFILE, 0) || exchanges_with_itself(N_EXCHANGES, 1) || limit(RLIMIT_NOFILE, before.rlim_cur);
}

static pthread_barrier_t memory_is_limited;

static void *exchange_without_memory(void *failed)
{
    pthread_barrier_wait(&memory_is_limited);
    *(int *)failed = exchanges_with_itself(10, 1);
    return NULL;
}

/* A thread makes its first call when the process can't get memory any more. */
static int limit_memory(void)
{
    pthread_t thread;
    struct rlimit before;
    int failed = 1;
    getrlimit(RLIMIT_AS, &before);
    pthread_barrier_init(&memory_is_limited, NULL, 2);
    exchanges_with_itself(10, 1);
    pthread_create(&thread, NULL, exchange_without_memory, &failed);
    if (limit(RLIMIT_AS, 0))
        return 1;
    pthread_barrier_wait(&memory_is_limited);
    pthread_join(thread, NULL);
    limit(RLIMIT_AS, before.rlim_cur);
    return failed;
}

static const struct {
    const char *name;
    int (*run)(void);
} disturbances[] = {
    {"deferred cancellation", cancel_deferred},
    {"asynchronous cancellation", cancel_asynchronous},
    {"vfork", become_in_a_child},
    {"fork", fork_between_calls},
    {"abort in a handler", abort_in_a_handler},
    {"limit of files", limit_files},
    {"limit of descriptors", limit_descriptors},
    {"limit of memory", limit_memory},
};

int main(int argc, char **argv)
{
    int level, result = 2;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    for (size_t i = 0; i < sizeof disturbances / sizeof *disturbances; i++)
        if (argc > 1 && !strcmp(argv[1], disturbances[i].name))
            result = disturbances[i].run();
    MPI_Finalize();
    if (!result)
        puts("finished");
    return result;
}
