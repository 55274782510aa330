/* SPDX-License-Identifier: BSD-3-Clause */
/* A process that does what its argument says. It exits with status 0 if MPI worked as expected. */
#define _GNU_SOURCE
#include "recorder_exchange.h"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef N_THREADS
#define N_THREADS 3
#define N_WAVES 1000 /* of short threads */
#endif
#define N_MESSAGES 2000

/* No thread ends before all have made calls, so none takes over another one's segment. */
static pthread_barrier_t all_exchanged;

static void *exchange_in_thread(void *argument)
{
    const int failed = exchanges_with_itself(N_MESSAGES, *(int *)argument);
    pthread_barrier_wait(&all_exchanged);
    return failed ? argument : NULL;
}

static void *exchange_once(void *argument)
{
    return exchanges_with_itself(1, *(int *)argument) ? argument : NULL;
}

/* Runs N_THREADS threads to their ends. */
static int run_threads(void *(*run)(void *))
{
    pthread_t threads[N_THREADS];
    int tags[N_THREADS], failed = 0;
    for (int i = 0; i < N_THREADS; i++) {
        tags[i] = i;
        pthread_create(&threads[i], NULL, run, &tags[i]);
    }
    for (int i = 0; i < N_THREADS; i++) {
        void *result;
        pthread_join(threads[i], &result);
        failed |= result != NULL;
    }
    return failed;
}

static int run_long_threads(void)
{
    pthread_barrier_init(&all_exchanged, NULL, N_THREADS);
    return run_threads(exchange_in_thread);
}

/* Waves of threads that make a few calls and end, as programs have that start a thread for each
 * task. */
static int run_short_threads(void)
{
    int failed = 0;
    for (int wave = 0; !failed && wave < N_WAVES; wave++)
        failed = run_threads(exchange_once);
    return failed;
}

/* A real-time thread interrupts another one of lower priority, again and again, on one processor. */
static atomic_bool high_is_ready, low_is_done;

static bool become_real_time(int priority)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    if (pthread_getaffinity_np(pthread_self(), sizeof one, &one) == 0)
        for (int i = 0, n = 0; i < CPU_SETSIZE; i++)
            if (CPU_ISSET(i, &one) && n++)
                CPU_CLR(i, &one);
    return pthread_setaffinity_np(pthread_self(), sizeof one, &one) == 0 &&
           pthread_setschedparam(pthread_self(), SCHED_FIFO, &(struct sched_param){priority}) == 0;
}

static void *exchange_at_high_priority(void *argument)
{
    if (!become_real_time(2))
        return argument;
    high_is_ready = true;
    while (!low_is_done) {
        nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
        if (exchanges_with_itself(1, 2))
            return argument;
    }
    return NULL;
}

static int run_priorities(void)
{
    pthread_t high;
    void *failed;
    if (!become_real_time(1)) {
        puts("not privileged");
        return 0;
    }
    alarm(60);
    for (int i = 0; i < 10; i++) {
        high_is_ready = low_is_done = false;
        pthread_create(&high, NULL, exchange_at_high_priority, &high);
        while (!high_is_ready)
            usleep(1000);
        const int result = exchanges_with_itself(2000, 1);
        low_is_done = true;
        pthread_join(high, &failed);
        if (result || failed)
            return 1;
    }
    return 0;
}

static int poll_often(void)
{
    int found = 0;
    for (int i = 0; i < 1000; i++)
        MPI_Iprobe(0, 1, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE);
    return found;
}

/* Many pending requests. They complete in another order than that of their posting. */
static int post_many(void)
{
    enum { N = 5000 };
    static MPI_Request sends[N], receives[N];
    static int in[N], out[N];
    for (int i = 0; i < N; i++)
        MPI_Irecv(&in[i], 1, MPI_INT, 0, i % 100, MPI_COMM_SELF, &receives[i]);
    for (int i = 0; i < N; i++)
        MPI_Isend(&out[i], 1, MPI_INT, 0, i % 100, MPI_COMM_SELF, &sends[i]);
    for (int i = N; i-- > 0;)
        MPI_Wait(&receives[i], MPI_STATUS_IGNORE);
    MPI_Waitall(N, sends, MPI_STATUSES_IGNORE);
    return 0;
}

/* Four nonblocking collectives and four one-sided operations, all open at the same time. Open MPI
 * has no windows for threads: there, all eight are collectives. */
static int open_eight_requests(void)
{
    enum { N = 8 };
    MPI_Request requests[N];
#ifndef OPEN_MPI
    static int memory[N], values[N];
    MPI_Win window;
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_SELF, &window);
    MPI_Win_lock_all(0, window);
    for (int i = 1; i < N; i += 2)
        MPI_Rput(&values[i], 1, MPI_INT, 0, i, 1, MPI_INT, window, &requests[i]);
    for (int i = 0; i < N; i += 2)
        MPI_Ibarrier(MPI_COMM_SELF, &requests[i]);
#else
    for (int i = 0; i < N; i++)
        MPI_Ibarrier(MPI_COMM_SELF, &requests[i]);
#endif
    MPI_Waitall(N, requests, MPI_STATUSES_IGNORE);
#ifndef OPEN_MPI
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
#endif
    return 0;
}

static int fork_a_child(void)
{
    const pid_t child = fork();
    if (child == 0) {
        int size;
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        _exit(size == 1 ? 0 : 1);
    }
    int status = 1;
    waitpid(child, &status, 0);
    return status != 0 || exchanges_with_itself(1, 1);
}

/* A receive with a small buffer fails under some MPIs, and a send to an invalid rank fails. The
 * program goes on. */
static int fail_a_receive(void)
{
    int out[2] = {1, 2}, in[1];
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Irecv(in, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[0]);
    MPI_Isend(out, 2, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[1]);
    if (MPI_Waitall(2, requests, statuses) != MPI_SUCCESS)
        puts("the receive failed");
    const int refused = MPI_Send(out, 1, MPI_INT, 99, 1, MPI_COMM_SELF) != MPI_SUCCESS;
    return !refused || exchanges_with_itself(1, 1);
}

/* Messages of two numbers are received in every way with a buffer for one. The tag is the number of
 * the exchange. */
static int receive_long_messages(void)
{
    static int out[2] = {1, 2}, in[2];
    MPI_Request send, request;
    MPI_Status status;
    MPI_Message message;
    int done = 0, index, tag = 0;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* MPI_Waitany uses this handler, too */
    MPI_Isend(out, 2, MPI_INT, 0, ++tag, MPI_COMM_SELF, &send);
    MPI_Recv(in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Wait(&send, &status);
    MPI_Sendrecv(out, 2, MPI_INT, 0, ++tag, in, 1, MPI_INT, 0, tag, MPI_COMM_SELF, &status);
    MPI_Irecv(in, 1, MPI_INT, 0, ++tag, MPI_COMM_SELF, &request);
    MPI_Isend(out, 2, MPI_INT, 0, tag, MPI_COMM_SELF, &send);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Wait(&send, &status);
    MPI_Irecv(in, 1, MPI_INT, 0, ++tag, MPI_COMM_SELF, &request);
    MPI_Isend(out, 2, MPI_INT, 0, tag, MPI_COMM_SELF, &send);
    for (int i = 0; !done && i < 1000000 && request != MPI_REQUEST_NULL; i++)
        MPI_Test(&request, &done, &status);
    MPI_Wait(&send, &status);
    MPI_Irecv(in, 1, MPI_INT, 0, ++tag, MPI_COMM_SELF, &request);
    MPI_Isend(out, 2, MPI_INT, 0, tag, MPI_COMM_SELF, &send);
    MPI_Waitany(1, &request, &index, MPI_STATUS_IGNORE);
    MPI_Wait(&send, &status);
    MPI_Irecv(in, 1, MPI_INT, 0, ++tag, MPI_COMM_SELF, &request);
    MPI_Isend(out, 2, MPI_INT, 0, tag, MPI_COMM_SELF, &send);
    MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
    MPI_Wait(&send, &status);
    MPI_Isend(out, 2, MPI_INT, 0, ++tag, MPI_COMM_SELF, &send);
    MPI_Mprobe(0, tag, MPI_COMM_SELF, &message, &status);
    MPI_Mrecv(in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Wait(&send, &status);
    MPI_Isend(out, 2, MPI_INT, 0, ++tag, MPI_COMM_SELF, &send);
    MPI_Recv(in, 2, MPI_INT, 0, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    return MPI_Wait(&send, &status);
}

/* 50 000 polls, a pause, 50 000 polls of another kind, and two that end the streak. */
static int poll_in_streaks(void)
{
    static int out, in;
    int found = 0, done = 0;
    MPI_Request request, send;
    for (int i = 0; i < 50000; i++)
        MPI_Iprobe(0, 1, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE);
    usleep(20000);
    MPI_Irecv(&in, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request);
    for (int i = 0; i < 50001; i++)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    MPI_Isend(&out, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &send);
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    return found || !done || MPI_Wait(&send, MPI_STATUS_IGNORE);
}

static jmp_buf before_the_call;

static void jump_out(MPI_Comm *comm, int *error, ...)
{
    (void)comm;
    (void)error;
    longjmp(before_the_call, 1);
}

static void send_to_nobody(void)
{
    MPI_Send(NULL, 0, MPI_BYTE, 1000, 0, MPI_COMM_WORLD);
}

static void __attribute__((noinline)) send_to_nobody_from_deeper(void)
{
    volatile char room[4096]; /* its call has a deeper frame than later calls */
    room[0] = 0;
    send_to_nobody();
    room[1] = 0;
}

/* A send whose error handler leaves it by longjmp; then an exchange. */
static int leave_a_call(bool deep)
{
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(jump_out, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    if (!setjmp(before_the_call)) {
        if (deep)
            send_to_nobody_from_deeper();
        else
            send_to_nobody();
    }
    const volatile int result = exchanges_with_itself(1, 1); /* a call from this frame, not by a jump */
    return result;
}

/* Stacks of two coroutines in one piece of memory, the later one below. */
#define STACK_BYTES 262144
static char *stacks;
static ucontext_t outside, sender, resumed_sender;

static void switch_away(MPI_Comm *comm, int *error, ...)
{
    (void)comm;
    (void)error;
    swapcontext(&resumed_sender, &outside);
}

static void start_on_stack(ucontext_t *context, int number, void (*function)(void), ucontext_t *next)
{
    getcontext(context);
    context->uc_stack = (stack_t){.ss_sp = stacks + number * STACK_BYTES, .ss_size = STACK_BYTES};
    context->uc_link = next;
    makecontext(context, function, 0);
}

static void exchange_in_coroutine(void)
{
    exchanges_with_itself(3, 1);
}

/* A send in a coroutine whose error handler switches to another one. The send returns later, or its
 * stack is freed. */
static int leave_a_coroutine(bool comes_back)
{
    static ucontext_t done, other;
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(switch_away, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    stacks = mmap(NULL, 2 * STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    start_on_stack(&sender, 1, send_to_nobody, &done);
    swapcontext(&outside, &sender);
    if (comes_back) {
        const int result = exchanges_with_itself(3, 1);
        swapcontext(&done, &resumed_sender);
        return result || exchanges_with_itself(3, 1);
    }
    munmap(stacks + STACK_BYTES, STACK_BYTES);
    start_on_stack(&other, 0, exchange_in_coroutine, &done);
    swapcontext(&done, &other);
    return 0;
}

/* For a while, rdtsc raises SIGSEGV. Open MPI's own MPI_Finalize couldn't do without. */
static int forbid_the_clock(void)
{
    return exchanges_with_itself(100, 1) || prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0) != 0 ||
           exchanges_with_itself(100, 1) || prctl(PR_SET_TSC, PR_TSC_ENABLE, 0, 0, 0) != 0;
}

/* From now on, opening a file ends the process; MPI_Finalize may open some. */
static int forbid_opening_files(void)
{
    struct sock_filter instructions[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof instructions / sizeof *instructions, instructions};
    if (exchanges_with_itself(100, 1) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0)
        return 1;
    if (exchanges_with_itself(20000, 1))
        return 1;
    puts("finished");
    fflush(stdout);
    _exit(0);
}

/* From now on, no file may grow beyond 200 kB. */
static int fill_the_disk(void)
{
    const struct rlimit limit = {200000, 200000};
    setrlimit(RLIMIT_FSIZE, &limit);
    return exchanges_with_itself(20000, 1);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int level, result = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    if (!strcmp(what, "threads"))
        result = run_long_threads();
    else if (!strcmp(what, "short threads"))
        result = run_short_threads();
    else if (!strcmp(what, "priorities"))
        result = run_priorities();
    else if (!strcmp(what, "polls"))
        result = poll_often();
    else if (!strcmp(what, "long"))
        result = receive_long_messages();
    else if (!strcmp(what, "streak"))
        result = poll_in_streaks();
    else if (!strcmp(what, "many"))
        result = post_many();
    else if (!strcmp(what, "full"))
        result = fill_the_disk();
    else if (!strcmp(what, "requests"))
        result = open_eight_requests();
    else if (!strcmp(what, "fork"))
        result = fork_a_child();
    else if (!strcmp(what, "failure"))
        result = fail_a_receive();
    else if (!strcmp(what, "jump"))
        result = leave_a_call(true);
    else if (!strcmp(what, "coroutine"))
        result = leave_a_coroutine(true);
    else if (!strcmp(what, "freed coroutine"))
        result = leave_a_coroutine(false);
    else if (!strcmp(what, "no clock"))
        result = forbid_the_clock();
    else if (!strcmp(what, "no files"))
        result = forbid_opening_files();
    else if (!strcmp(what, "shallow jump"))
        result = leave_a_call(false);
    else
        result = exchanges_with_itself(argc > 2 ? atoi(argv[2]) : 10, 1);
    if (!strcmp(what, "kill"))
        raise(SIGKILL);
    if (!strcmp(what, "unfinished"))
        _exit(0);
    if (!strcmp(what, "abort"))
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Finalize();
    if (!result)
        puts("finished");
    return result;
}
