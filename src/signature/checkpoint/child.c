/* SPDX-License-Identifier: BSD-3-Clause */
/* See child.h. */
#include "signature/checkpoint/child.h"

#include "base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CANNOT_EXECUTE = 127, LINES_SHOWN = 3 };

static _Noreturn void become(const char *const argv[], const char *console)
{
    sigset_t none;
    int in = open("/dev/null", O_RDONLY), out = open(console, O_WRONLY | O_CREAT | O_APPEND, 0600);
    setsid();
    umask(077);
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (in >= 0 && out >= 0 && dup2(in, 0) == 0 && dup2(out, 1) == 1 && dup2(out, 2) == 2) {
        close_range(3, ~0U, 0);
        execvp(argv[0], (char *const *)argv);
    }
    fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
    _exit(CANNOT_EXECUTE);
}

bool child_start(const char *const argv[], const char *console, pid_t *process, Err *err)
{
    *process = fork();
    if (*process == 0)
        become(argv, console);
    return *process > 0 || err_set(err, ERR_ENVIRONMENT, "%s: cannot be started: %s", argv[0], strerror(errno));
}

static int status_of(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int child_wait(pid_t process)
{
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
        continue;
    return status_of(status);
}

bool child_has_ended(pid_t process, int *status)
{
    int raw;
    if (waitpid(process, &raw, WNOHANG) != process)
        return false;
    *status = status_of(raw);
    return true;
}

/* "(00.096158) Error (criu/files.c:12): text" without what a user can't use; noise that hinders nothing is left out. */
static const char *useful_part(const char *line)
{
    const char *error = strstr(line, "Error (");
    if (!error || strstr(line, "rlimit: Can't setup") || strstr(line, "tun: Unable to create"))
        return NULL;
    const char *text = strstr(error, "): ");
    return text ? text + strlen("): ") : error;
}

const char *child_errors(const char *log, const char *console, Arena *arena)
{
    char *line = NULL;
    size_t capacity = 0, count = 0;
    const char *last = "", *const files[] = {console, log};
    Text errors = {0};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        FILE *file = fopen(files[i], "r");
        while (file && getline(&line, &capacity, file) > 0) {
            line[strcspn(line, "\n")] = '\0';
            const char *useful = useful_part(line);
            if (useful && count++ < LINES_SHOWN)
                text_add(&errors, count > 1 ? "; %s" : "%s", useful);
            if (line[strspn(line, " \t")])
                last = arena_strdup(arena, line);
        }
        if (file)
            fclose(file);
    }
    free(line);
    const char *told = text_take(&errors, arena);
    return count ? told : last;
}
