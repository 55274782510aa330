/* SPDX-License-Identifier: BSD-3-Clause */
/* Stops and continues a job's processes (halt.h). */
#include "signature/checkpoint/halt.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { STOP_TIMEOUT_MS = 2000, POLL_MS = 1 };

void halt_signal(const Job *job, int number)
{
    for (size_t i = 1; i < job->processes.count; i++)
        kill((pid_t)job->processes.items[i].id, number);
}

static bool has_stopped(pid_t process)
{
    char path[64], state = 'X';
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
        state = '?';
    if (file)
        fclose(file);
    return state == 'T' || state == 'Z' || state == 'X';
}

bool halt_is_complete(const Job *job)
{
    for (size_t i = 1; i < job->processes.count; i++) {
        if (!has_stopped((pid_t)job->processes.items[i].id))
            return false;
    }
    return true;
}

/* Waits until the other end of the pipe is closed, by firma or because firma died. Then lets the
 * job go on. */
static int guard(void *self)
{
    const Halt *halt = self;
    char byte;
    close(halt->end);
    while (read(halt->begin, &byte, 1) < 0 && errno == EINTR)
        continue;
    halt_signal(halt->job, SIGCONT);
    return 0;
}

bool halt_begin(const Job *job, Halt *halt, Arena *arena, Err *err)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return err_set(err, ERR_ENVIRONMENT, "cannot make a pipe: %s", strerror(errno));
    *halt = (Halt){.job = job, .begin = ends[0], .end = ends[1]};
    const ProcessOptions how = {.run = guard, .self = halt, .keeps_files = true, .group = PROCESS_OWN_SESSION};
    bool ok = process_start(&how, arena, &halt->guard, err);
    close(ends[0]);
    if (!ok) {
        close(ends[1]);
        return false;
    }
    halt_signal(job, SIGSTOP);
    for (int waited_ms = 0; waited_ms < STOP_TIMEOUT_MS && !halt_is_complete(job); waited_ms += POLL_MS)
        nanosleep(&(struct timespec){.tv_nsec = POLL_MS * 1000000}, NULL);
    return true;
}

void halt_end(const Halt *halt)
{
    close(halt->end);
    process_wait(halt->guard, -1);
}
