/* SPDX-License-Identifier: BSD-3-Clause */
/* Running a small command for what it prints: see capture.h. */
#include "trace/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OUTPUT_LIMIT_BYTES (1u << 20)
#define NOT_STARTED 127

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

static void become(const char *const argv[], int output)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setpgid(0, 0);
    int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (input >= 0 && dup2(input, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
        dup2(output, STDERR_FILENO) >= 0)
        execvp(argv[0], (char *const *)argv);
    _exit(NOT_STARTED);
}

/* Until the end of the output; false: out of time. What exceeds the buffer is read and dropped. */
static bool read_all(int output, int64_t deadline_ms, char *buffer, size_t *used)
{
    char spill[4096];
    *used = 0;
    for (;;) {
        int64_t left_ms = deadline_ms - now_ms();
        struct pollfd readable = {output, POLLIN, 0};
        if (left_ms <= 0)
            return false;
        int ready = poll(&readable, 1, (int)left_ms);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return false;
        bool full = *used == OUTPUT_LIMIT_BYTES;
        ssize_t got =
            full ? read(output, spill, sizeof spill) : read(output, buffer + *used, OUTPUT_LIMIT_BYTES - *used);
        if (got == 0)
            return true;
        if (got < 0 && errno != EINTR)
            return false;
        if (got > 0 && !full)
            *used += (size_t)got;
    }
}

/* Waits for the end of a process whose output has ended: it may live on a little, but not beyond the deadline. */
static bool reap(pid_t pid, int64_t deadline_ms, int *status)
{
    int state;
    for (;;) {
        pid_t got = waitpid(pid, &state, WNOHANG);
        if (got == pid)
            break;
        if ((got < 0 && errno != EINTR) || now_ms() > deadline_ms)
            return false;
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    *status = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    return true;
}

bool capture_output(const char *const argv[], int timeout_ms, Arena *arena, char **text, int *status)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    int64_t deadline_ms = now_ms() + timeout_ms;
    pid_t pid = fork();
    if (pid == 0)
        become(argv, ends[1]);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return false;
    }
    char *buffer = memory_resize(NULL, OUTPUT_LIMIT_BYTES);
    size_t used;
    int ended_as = 0;
    bool fine = read_all(ends[0], deadline_ms, buffer, &used) && reap(pid, deadline_ms, &ended_as);
    close(ends[0]);
    if (!fine) {
        kill(-pid, SIGKILL);
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
    }
    fine = fine && ended_as != NOT_STARTED;
    if (fine) {
        *text = arena_strndup(arena, buffer, used);
        *status = ended_as;
    }
    free(buffer);
    return fine;
}
