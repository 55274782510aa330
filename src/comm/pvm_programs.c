/* SPDX-License-Identifier: BSD-3-Clause */
/* See pvm_programs.h. */
#include "comm/pvm_programs.h"

#include "base/marked.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CANNOT_EXECUTE = 127, SLICE_MS = 5 };

static _Noreturn void become(const PvmProgram *program, pid_t parent)
{
    sigset_t none;
    int in = open(program->input ? program->input : "/dev/null", O_RDONLY);
    int out = open(program->output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    setsid();
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (size_t i = 0; program->environment[i]; i++)
        putenv((char *)program->environment[i]);
    if (program->dies_with_us && (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 || getppid() != parent))
        _exit(CANNOT_EXECUTE);
    if (in >= 0 && out >= 0 && dup2(in, 0) == 0 && dup2(out, 1) == 1 && dup2(out, 2) == 2) {
        close_range(3, ~0U, 0);
        execvp(program->argv[0], (char *const *)program->argv);
    }
    fprintf(stderr, "%s: %s\n", program->argv[0], strerror(errno));
    _exit(CANNOT_EXECUTE);
}

bool pvm_program_start(const PvmProgram *program, pid_t *process, Err *err)
{
    pid_t parent = getpid(), child = fork();
    if (child == 0)
        become(program, parent);
    if (child < 0)
        return err_set(err, ERR_ENVIRONMENT, "%s: cannot be started: %s", program->argv[0], strerror(errno));
    *process = child;
    return true;
}

bool pvm_program_wait(pid_t process, int timeout_ms)
{
    for (int waited_ms = 0;; waited_ms += SLICE_MS) {
        pid_t ended = waitpid(process, NULL, WNOHANG);
        if (ended == process || (ended < 0 && errno == ECHILD))
            return true;
        if (waited_ms >= timeout_ms)
            return false;
        usleep(SLICE_MS * 1000);
    }
}

bool pvm_program_run(const PvmProgram *program, int timeout_ms, Err *err)
{
    pid_t process;
    if (!pvm_program_start(program, &process, err))
        return false;
    if (pvm_program_wait(process, timeout_ms))
        return true;
    kill(-process, SIGKILL); /* it leads a session of its own */
    waitpid(process, NULL, 0);
    return err_set(err, ERR_ENVIRONMENT, "%s: not done after %d s", program->argv[0], timeout_ms / 1000);
}

bool pvm_program_is_there(const char *name)
{
    const char *path = getenv("PATH");
    char file[4096];
    for (const char *place = path ? path : "/usr/bin:/bin"; *place;) {
        size_t length = strcspn(place, ":");
        snprintf(file, sizeof file, "%.*s/%s", (int)length, place, name);
        if (access(file, X_OK) == 0)
            return true;
        place += length + (place[length] == ':');
    }
    return false;
}

/* ---- what is left ---- */

void pvm_programs_sweep(const char *directory, int patience_ms)
{
    Arena *scratch = arena_new();
    marked_sweep(arena_printf(scratch, "PVM_TMP=%s", directory), true, patience_ms);
    arena_free(scratch);
}
