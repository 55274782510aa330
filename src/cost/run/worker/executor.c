/* SPDX-License-Identifier: BSD-3-Clause */
/* See executor.h. */
#include "cost/run/worker/executor.h"

#include "base/monotonic.h"
#include "base/process.h"
#include "base/text.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ANSWER_ROOM = 1024, START_LIMIT_S = 60, STEP_MS = 1000 };

struct Executor {
    const char *name;
    Process *process;
    int line; /* a socket for both directions */
    double limit_s;
};

/* Waits for the executor's end, and describes the end for people. */
static const char *describe_end(Executor *executor, char text[ANSWER_ROOM])
{
    process_wait(executor->process, -1);
    int signal = process_signal(executor->process);
    if (signal)
        snprintf(text, ANSWER_ROOM, "was killed by signal %d (%s)", signal, strsignal(signal));
    else
        snprintf(text, ANSWER_ROOM, "ended its process with status %d", process_status(executor->process));
    return text;
}

static bool kill_executor(Executor *executor, double limit_s, Err *err)
{
    char text[ANSWER_ROOM];
    process_kill(executor->process, SIGKILL);
    describe_end(executor, text);
    return err_set(err, ERR_NEGATIVE, "exceeded the timeout of %g s, and was stopped", limit_s);
}

/* Waits until there is something to read. False: the deadline has passed. */
static bool wait_readable(const Executor *executor, double deadline_s)
{
    struct pollfd poller = {executor->line, POLLIN, 0};
    for (;;) {
        double left_ms = 1000 * (deadline_s - monotonic_s());
        if (left_ms <= 0)
            return false;
        if (poll(&poller, 1, left_ms < STEP_MS ? (int)left_ms + 1 : STEP_MS) > 0)
            return true;
    }
}

/* Reads the executor's next line, without its newline. */
static bool read_answer(Executor *executor, double limit_s, char answer[ANSWER_ROOM], Err *err)
{
    size_t length = 0;
    double deadline_s = limit_s > 0 ? monotonic_s() + limit_s : INFINITY;
    while (length < ANSWER_ROOM - 1) {
        if (!wait_readable(executor, deadline_s))
            return kill_executor(executor, limit_s, err);
        ssize_t n = read(executor->line, answer + length, 1);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return err_set(err, ERR_NEGATIVE, "%s", describe_end(executor, answer));
        if (answer[length] == '\n')
            break;
        length++;
    }
    answer[length] = '\0';
    return true;
}

static bool check_ready(Executor *executor, Err *err)
{
    char answer[ANSWER_ROOM];
    if (!read_answer(executor, START_LIMIT_S, answer, err))
        return err_prefix(err, "%s, which runs tasks,", executor->name);
    if (strcmp(answer, "ready") == 0)
        return true;
    return err_set(err, ERR_INPUT, "%s", strncmp(answer, "failed ", 7) == 0 ? answer + 7 : answer);
}

bool executor_start(const char *const *words, double limit_s, Arena *arena, Executor **result, Err *err)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return err_set(err, ERR_ENVIRONMENT, "%s: cannot create a socket pair: %s", words[0], strerror(errno));
    const ProcessOptions how = {.words = words,
                                .input = ends[1],
                                .output = ends[1],
                                .errors = PROCESS_OURS,
                                .group = PROCESS_OUR_GROUP,
                                .dies_with_us = SIGKILL};
    Process *process;
    bool ok = process_start(&how, arena, &process, err);
    close(ends[1]);
    if (!ok) {
        close(ends[0]);
        return false;
    }
    Executor *executor = arena_new_array(arena, Executor, 1);
    *executor = (Executor){.name = words[0], .process = process, .line = ends[0], .limit_s = limit_s};
    if (!check_ready(executor, err)) {
        executor_end(executor);
        return false;
    }
    *result = executor;
    return true;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static bool send_order(Executor *executor, uint64_t entry, const double *arguments, uint64_t n_arguments, Err *err)
{
    Text text = {0};
    text_add(&text, "%" PRIu64, entry);
    for (uint64_t i = 0; i < n_arguments; i++)
        text_add(&text, " %016" PRIx64, bits_of(arguments[i]));
    text_add(&text, "\n");
    ssize_t n = send(executor->line, text.bytes.items, text.bytes.count, MSG_NOSIGNAL);
    bool ok = n == (ssize_t)text.bytes.count;
    vec_free(&text.bytes);
    char words[ANSWER_ROOM];
    return ok || err_set(err, ERR_NEGATIVE, "couldn't start: its process %s", describe_end(executor, words));
}

static bool parse_answer(const char *answer, double *seconds, double *value, Err *err)
{
    int64_t time_ns;
    uint64_t bits;
    if (strncmp(answer, "failed ", 7) == 0)
        return err_set(err, ERR_NEGATIVE, "%s", answer + 7);
    if (sscanf(answer, "done %" SCNd64 " %" SCNx64, &time_ns, &bits) != 2)
        return err_set(err, ERR_NEGATIVE, "made its process print the unexpected line `%s`", answer);
    *seconds = (double)time_ns * 1e-9;
    memcpy(value, &bits, sizeof bits);
    return true;
}

bool executor_run(Executor *executor, uint64_t entry, const double *arguments, uint64_t n_arguments, double *seconds,
                  double *value, Err *err)
{
    char answer[ANSWER_ROOM];
    return send_order(executor, entry, arguments, n_arguments, err) &&
           read_answer(executor, executor->limit_s, answer, err) && parse_answer(answer, seconds, value, err);
}

void executor_end(Executor *executor)
{
    if (!executor)
        return;
    close(executor->line);
    process_kill(executor->process, SIGKILL);
    process_wait(executor->process, -1);
}
