/* SPDX-License-Identifier: BSD-3-Clause */
/* See process.h. */
#include "base/process.h"

#include "base/marked.h"
#include "base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Nobody but a broken program writes longer lines: the longest of ours hold some thousand samples. */
enum { LINE_LIMIT = 16 << 20, PATIENCE_MS = 5000, STEP_MS = 10, CANNOT_EXECUTE = 127 };

struct Process {
    const char *mark; /* word in the environment of all that it starts */
    pid_t id;
    int output;
    int end;      /* can be read once the child has ended; -1: where the kernel has no such thing */
    Text text;    /* what was read */
    size_t taken; /* of it, as lines */
};

static _Noreturn void become(const char *const argv[], char *mark, int output)
{
    sigset_t none;
    setpgid(0, 0);
    putenv(mark);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    int in = open("/dev/null", O_RDONLY);
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (in >= 0 && dup2(in, 0) == 0 && dup2(output, 1) == 1 && dup2(output, 2) == 2) {
        close_range(3, ~0U, 0);
        execvp(argv[0], (char *const *)argv);
    }
    fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
    _exit(CANNOT_EXECUTE);
}

bool process_start(const char *const argv[], Arena *arena, Process **process, Err *err)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return err_set(err, ERR_ENVIRONMENT, "%s: no pipe to it: %s", argv[0], strerror(errno));
    static unsigned n_started;
    char *mark = arena_printf(arena, "FIRMA_COMM_LAUNCH=%d.%u", (int)getpid(), n_started++);
    fflush(NULL);
    pid_t id = fork();
    if (id == 0)
        become(argv, mark, ends[1]);
    close(ends[1]);
    if (id < 0) {
        close(ends[0]);
        return err_set(err, ERR_ENVIRONMENT, "%s: cannot be started: %s", argv[0], strerror(errno));
    }
    setpgid(id, id); /* whoever of the two comes first */
    *process = arena_alloc(arena, sizeof **process);
    **process = (Process){.mark = mark, .id = id, .output = ends[0], .end = pidfd_open(id, 0)};
    return true;
}

/* A whole line of what was read; NULL: not yet. */
static const char *next_line(Process *process)
{
    char *start = process->text.bytes.items + process->taken;
    size_t rest = process->text.bytes.count - process->taken;
    char *end = rest ? memchr(start, '\n', rest) : NULL;
    if (!end)
        return NULL;
    *end = '\0';
    process->taken += (size_t)(end - start) + 1;
    return start;
}

static void forget_taken(Process *process)
{
    size_t rest = process->text.bytes.count - process->taken;
    if (process->taken)
        memmove(process->text.bytes.items, process->text.bytes.items + process->taken, rest);
    process->text.bytes.count = rest;
    process->taken = 0;
}

/* No more is read. A last line that isn't ended gets its newline. */
static void end_reading(Process *process)
{
    if (process->text.bytes.count)
        text_add(&process->text, "\n");
    close(process->output);
    process->output = -1;
}

/* Reads what is there; false at the end. */
static bool read_more(Process *process)
{
    char piece[1 << 16];
    ssize_t n = read(process->output, piece, sizeof piece);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return true;
    bool too_long = process->text.bytes.count > LINE_LIMIT;
    if (n <= 0 || too_long)
        return false;
    vec_reserve(&process->text.bytes, (size_t)n);
    memcpy(process->text.bytes.items + process->text.bytes.count, piece, (size_t)n);
    process->text.bytes.count += (size_t)n;
    return true;
}

ProcessNews process_read(Process *process, int timeout_ms, const char **line)
{
    for (;;) {
        if ((*line = next_line(process)))
            return PROCESS_LINE;
        forget_taken(process);
        if (process->output < 0)
            return PROCESS_ENDED;
        /* Somebody that it has left behind may hold the other end of the pipe for ever. */
        struct pollfd pollers[] = {{process->output, POLLIN, 0}, {process->end, POLLIN, 0}};
        if (poll(pollers, 2, timeout_ms) == 0)
            return PROCESS_QUIET;
        bool has_left = pollers[1].revents != 0; /* all that it has said is in the pipe by now, which one read takes */
        if (has_left)
            poll(pollers, 1, 0);
        if ((pollers[0].revents && !read_more(process)) || has_left)
            end_reading(process);
    }
}

static bool has_ended(Process *process, int patience_ms, int *status)
{
    const struct timespec step = {0, STEP_MS * 1000000L};
    for (int waited_ms = 0;; waited_ms += STEP_MS) {
        if (waitpid(process->id, status, WNOHANG) == process->id)
            return true;
        if (waited_ms >= patience_ms)
            return false;
        nanosleep(&step, NULL);
    }
}

int process_stop(Process *process)
{
    int status = 0;
    bool ended = has_ended(process, process->output < 0 ? PATIENCE_MS : 0, &status);
    if (!ended) {
        kill(-process->id, SIGTERM);
        ended = has_ended(process, PATIENCE_MS, &status);
    }
    kill(-process->id, SIGKILL);
    while (!ended && waitpid(process->id, &status, 0) < 0 && errno == EINTR)
        continue;
    marked_sweep(process->mark, false, 0); /* Hydra's proxies aren't in its group, nor are what they started */
    if (process->output >= 0)
        close(process->output);
    if (process->end >= 0)
        close(process->end);
    process->output = process->end = -1;
    vec_free(&process->text.bytes);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
