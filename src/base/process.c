/* SPDX-License-Identifier: BSD-3-Clause */
/* See process.h. A child that can't execute its program reports errno through a pipe. The pipe
 * closes on exec. So firma can tell a missing program from a program that exits with status 127. */
#include "base/process.h"

#include "base/files.h"
#include "base/marked.h"
#include "base/monotonic.h"
#include "base/text.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The longest lines of firma's own programs hold some thousand samples. A longer line means that
 * the program is broken. */
enum { LINE_LIMIT = 16 << 20, CAPTURE_LIMIT = 1 << 20 };
enum { PATIENCE_MS = 5000, STEP_MS = 5, LONG_STEP_MS = 10000 };
enum { CANNOT_EXECUTE = 127, STATUS_UNKNOWN = 255, REPORT = STDERR_FILENO + 1 };

const char *const process_in_english[] = {"LC_ALL=C", NULL};

struct Process {
    const char *mark; /* word in the environment of all processes that it starts; NULL: none */
    pid_t id;
    bool leads_group; /* leads_group a process group of its own */
    bool has_ended;
    int status; /* as waitpid() sets it */
    int output; /* file descriptor to read from; -1: nothing more to read */
    bool output_ended;
    int end;      /* becomes readable when the child has ended (a pidfd); -1: the kernel has no pidfds */
    Text text;    /* read from the process */
    size_t taken; /* bytes of `text` that were returned as lines */
};

/* ---- starting: in the child ---- */

static void reset_signals(const sigset_t *blocked)
{
    sigset_t none;
    sigemptyset(&none);
    for (int number = 1; !blocked && number < NSIG; number++)
        signal(number, SIG_DFL);
    sigprocmask(SIG_SETMASK, blocked ? blocked : &none, NULL);
}

static bool move_descriptor(int file, int where)
{
    return file == where || dup2(file, where) == where;
}

static bool prepare_child(const ProcessOptions *how, const int files[3], int *report, pid_t parent)
{
    if (how->group == PROCESS_OWN_GROUP ? setpgid(0, 0) != 0 : how->group == PROCESS_OWN_SESSION && setsid() < 0)
        return false;
    if (how->dies_with_us && (prctl(PR_SET_PDEATHSIG, how->dies_with_us) != 0 || getppid() != parent))
        return false;
    for (const char *const *word = how->environment; word && *word; word++)
        putenv((char *)*word);
    umask(how->is_private ? 077 : files_user_umask());
    for (int i = 0; i < 3; i++)
        if (!move_descriptor(files[i], i))
            return false;
    if (!how->keeps_files) {
        if (*report != REPORT && dup3(*report, REPORT, O_CLOEXEC) != REPORT)
            return false;
        *report = REPORT;
        closefrom(REPORT + 1);
    }
    reset_signals(how->blocked);
    return true;
}

/* Sets a limit, which never rises: the user may have set a lower one. */
static bool lower_limit(int resource, uint64_t soft, uint64_t hard)
{
    struct rlimit limit;
    if (getrlimit((__rlimit_resource_t)resource, &limit) != 0)
        return false;
    limit.rlim_max = limit.rlim_max < hard ? limit.rlim_max : hard;
    limit.rlim_cur = limit.rlim_cur < soft ? limit.rlim_cur : soft;
    limit.rlim_cur = limit.rlim_cur < limit.rlim_max ? limit.rlim_cur : limit.rlim_max;
    return setrlimit((__rlimit_resource_t)resource, &limit) == 0;
}

static bool limit_child(const ProcessOptions *how)
{
    enum { CPU_GRACE_S = 5 };
    struct rlimit core;
    if (how->dumps_no_core && getrlimit(RLIMIT_CORE, &core) == 0) {
        core.rlim_cur = 0; /* not the hard limit, which CRIU raises for the processes that it restores */
        setrlimit(RLIMIT_CORE, &core);
    }
    return (!how->memory_bytes || lower_limit(RLIMIT_AS, how->memory_bytes, how->memory_bytes)) &&
           (!how->cpu_s || lower_limit(RLIMIT_CPU, how->cpu_s, how->cpu_s + CPU_GRACE_S));
}

static _Noreturn void execute_child(const ProcessOptions *how, const char *mark, const int files[3], int report,
                                    pid_t parent)
{
    if (mark)
        putenv((char *)mark);
    if (prepare_child(how, files, &report, parent) && limit_child(how)) {
        if (how->run) {
            close(report);
            _exit(how->run(how->self));
        }
        execvp(how->words[0], (char *const *)how->words);
    }
    int failure = errno;
    _exit(write(report, &failure, sizeof failure) == sizeof failure ? CANNOT_EXECUTE : 1);
}

/* ---- starting: in the parent ---- */

static int file_of_text(const char *text)
{
    int file = memfd_create("input", MFD_CLOEXEC);
    for (size_t left = strlen(text); file >= 0 && left > 0;) {
        ssize_t n = write(file, text, left);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            close(file);
            return -1;
        }
        text += n;
        left -= (size_t)n;
    }
    if (file >= 0)
        lseek(file, 0, SEEK_SET);
    return file;
}

static int open_input(const ProcessOptions *how)
{
    if (how->input_text)
        return file_of_text(how->input_text);
    if (how->input == PROCESS_NOTHING)
        return open("/dev/null", O_RDONLY | O_CLOEXEC);
    return how->input == PROCESS_OURS ? STDIN_FILENO : how->input;
}

/* *reading becomes our end of a pipe. */
static int open_output(const ProcessOptions *how, int *reading)
{
    int ends[2], flags = O_WRONLY | O_CREAT | O_CLOEXEC | (how->appends ? O_APPEND : O_TRUNC);
    if (how->output_file)
        return open(how->output_file, flags, how->is_private ? 0600 : 0666);
    if (how->output == PROCESS_NOTHING)
        return open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (how->output != PROCESS_PIPE)
        return how->output == PROCESS_OURS ? STDOUT_FILENO : how->output;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    *reading = ends[0];
    return ends[1];
}

static int errors_of(const ProcessOptions *how)
{
    return how->errors == PROCESS_NOTHING ? STDOUT_FILENO : how->errors == PROCESS_OURS ? STDERR_FILENO : how->errors;
}

static void close_own(int file, int given)
{
    int failure = errno;
    if (file > STDERR_FILENO && file != given)
        close(file);
    errno = failure;
}

/* Returns the child's process id, or -1 with errno set. */
static pid_t fork_child(const ProcessOptions *how, const char *mark, const int files[3])
{
    int report[2], failure = 0;
    pid_t parent = getpid();
    if (pipe2(report, O_CLOEXEC) != 0)
        return -1;
    fflush(NULL);
    pid_t child =
        how->namespaces ? (pid_t)syscall(SYS_clone, how->namespaces | SIGCHLD, NULL, NULL, NULL, NULL) : fork();
    if (child == 0)
        execute_child(how, mark, files, report[1], parent);
    failure = child < 0 ? errno : 0;
    close_own(report[1], -1);
    while (child > 0 && read(report[0], &failure, sizeof failure) < 0 && errno == EINTR)
        continue;
    close_own(report[0], -1);
    if (child > 0 && failure)
        waitpid(child, NULL, 0);
    errno = failure;
    return failure ? -1 : child;
}

bool process_start(const ProcessOptions *how, Arena *arena, Process **process, Err *err)
{
    static unsigned n_started;
    int reading = -1;
    int files[3] = {open_input(how), open_output(how, &reading), errors_of(how)};
    const char *name = how->words ? how->words[0] : "a child process";
    const char *mark = how->sweeps ? arena_printf(arena, PROCESS_MARK "%d.%u", (int)getpid(), n_started++) : NULL;
    assert(!how->words != !how->run);
    bool is_closed = files[1] < 0 && how->output_file;
    pid_t id = files[0] >= 0 && files[1] >= 0 ? fork_child(how, mark, files) : -1;
    close_own(files[0], how->input);
    close_own(files[1], how->output);
    if (id < 0) {
        int failure = errno;
        close_own(reading, -1);
        err_set(err, ERR_ENVIRONMENT, is_closed ? "%s: %s" : "%s: cannot be started: %s",
                is_closed ? how->output_file : name, strerror(failure));
        errno = failure;
        return false;
    }
    *process = arena_alloc(arena, sizeof **process);
    **process = (Process){.mark = mark,
                          .id = id,
                          .leads_group = how->group != PROCESS_OUR_GROUP,
                          .output = reading,
                          .end = pidfd_open(id, 0)};
    return true;
}

/* ---- reading ---- */

/* Returns a whole line of what was read, or NULL if no line is complete. */
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
    assert(process->taken <= process->text.bytes.count);
    size_t rest = process->text.bytes.count - process->taken;
    if (process->taken)
        memmove(process->text.bytes.items, process->text.bytes.items + process->taken, rest);
    process->text.bytes.count = rest;
    process->taken = 0;
}

/* Stops reading. A last line without a newline gets one. */
static void end_reading(Process *process)
{
    size_t count = process->text.bytes.count;
    if (count && process->text.bytes.items[count - 1] != '\n')
        text_add(&process->text, "\n");
    close(process->output);
    process->output = -1;
    process->output_ended = true;
}

/* Reads what has arrived; returns false at the end of the output. */
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
        /* The process may leave children behind that hold the pipe open. So its end is watched as
         * well. */
        struct pollfd pollers[] = {{process->output, POLLIN, 0}, {process->end, POLLIN, 0}};
        if (poll(pollers, 2, timeout_ms) == 0)
            return PROCESS_QUIET;
        /* If the process has ended, all its output is in the pipe, and one read takes all of it. */
        bool has_left = pollers[1].revents != 0;
        if (has_left)
            poll(pollers, 1, 0);
        if ((pollers[0].revents && !read_more(process)) || has_left)
            end_reading(process);
    }
}

/* ---- ending ---- */

static bool reap(Process *process)
{
    pid_t got = process->has_ended ? 0 : waitpid(process->id, &process->status, WNOHANG);
    if (got == 0 || (got < 0 && errno == EINTR))
        return process->has_ended;
    if (got < 0) /* another part of firma has already waited for this child */
        process->status = W_EXITCODE(STATUS_UNKNOWN, 0);
    if (process->end >= 0)
        close(process->end);
    process->end = -1;
    return process->has_ended = true;
}

bool process_wait(Process *process, int timeout_ms)
{
    double deadline_s = timeout_ms < 0 ? INFINITY : monotonic_s() + 1e-3 * timeout_ms;
    while (!reap(process)) {
        double left_ms = 1e3 * (deadline_s - monotonic_s());
        if (left_ms <= 0)
            return false;
        struct pollfd end = {process->end, POLLIN, 0};
        poll(&end, 1, (int)ceil(fmin(left_ms, process->end < 0 ? STEP_MS : LONG_STEP_MS)));
    }
    return true;
}

void process_kill(const Process *process, int number)
{
    if (!process->has_ended)
        kill(process->leads_group ? -process->id : process->id, number);
}

static void stop_reading(Process *process)
{
    if (process->output >= 0)
        close(process->output);
    process->output = -1;
    vec_free(&process->text.bytes);
}

int process_stop(Process *process)
{
    if (!process_wait(process, process->output_ended ? PATIENCE_MS : 0)) {
        process_kill(process, SIGTERM);
        if (!process_wait(process, PATIENCE_MS)) {
            process_kill(process, SIGKILL);
            process_wait(process, -1);
        }
    }
    if (process->leads_group)
        kill(-process->id, SIGKILL);
    if (process->mark)
        marked_sweep(process->mark, false, 0); /* catches Hydra's proxies and their children, which leave the group */
    stop_reading(process);
    return process_status(process);
}

int process_status(const Process *process)
{
    return WIFSIGNALED(process->status) ? 128 + WTERMSIG(process->status) : WEXITSTATUS(process->status);
}

int process_signal(const Process *process)
{
    return WIFSIGNALED(process->status) ? WTERMSIG(process->status) : 0;
}

const char *process_status_text(int status, Arena *arena)
{
    const char *signal = status > 128 ? sigabbrev_np(status - 128) : NULL;
    return signal ? arena_printf(arena, "%d (SIG%s)", status, signal) : arena_printf(arena, "%d", status);
}

pid_t process_id(const Process *process)
{
    return process->id;
}

/* ---- starting, waiting and reading in one call ---- */

static void kill_and_wait(Process *process)
{
    process_kill(process, SIGKILL);
    process_wait(process, -1);
}

bool process_run(const ProcessOptions *options, int timeout_ms, Arena *arena, int *status, Err *err)
{
    Process *process;
    if (!process_start(options, arena, &process, err))
        return false;
    if (!process_wait(process, timeout_ms)) {
        kill_and_wait(process);
        return err_set(err, ERR_ENVIRONMENT, "%s: killed, because it still ran after %d s", options->words[0],
                       timeout_ms / 1000);
    }
    *status = process_status(process);
    return true;
}

bool process_capture(const ProcessOptions *options, int timeout_ms, Arena *arena, char **text, int *status)
{
    double deadline_s = monotonic_s() + 1e-3 * timeout_ms;
    ProcessOptions how = *options;
    ProcessNews news = PROCESS_QUIET;
    Process *process;
    Text said = {0};
    Err ignored;
    how.output = PROCESS_PIPE;
    if (!process_start(&how, arena, &process, &ignored))
        return false;
    for (double left_s; news != PROCESS_ENDED && (left_s = deadline_s - monotonic_s()) > 0;) {
        const char *line;
        news = process_read(process, (int)ceil(1e3 * left_s), &line);
        if (news == PROCESS_LINE && said.bytes.count + strlen(line) < CAPTURE_LIMIT)
            text_add(&said, "%s\n", line);
    }
    bool fine = news == PROCESS_ENDED && process_wait(process, (int)fmax(0, ceil(1e3 * (deadline_s - monotonic_s()))));
    if (!fine)
        kill_and_wait(process);
    stop_reading(process);
    if (fine) {
        *text = arena_strndup(arena, said.bytes.count ? said.bytes.items : "", said.bytes.count);
        *status = process_status(process);
    }
    vec_free(&said.bytes);
    return fine;
}

/* ---- finding ---- */

const char *process_find(const char *word, const char *folders, Arena *arena)
{
    const char *path = getenv("PATH");
    if (strchr(word, '/') || !*word)
        return files_is_executable(word) ? word : NULL;
    if (!folders)
        folders = path ? path : "/bin:/usr/bin"; /* the default of execvp() */
    for (const char *folder = folders;; folder++) {
        size_t length = strcspn(folder, ":");
        const char *file = arena_printf(arena, "%.*s/%s", length ? (int)length : 1, length ? folder : ".", word);
        if (files_is_executable(file))
            return file;
        folder += length;
        if (!*folder)
            return NULL;
    }
}
