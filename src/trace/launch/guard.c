/* SPDX-License-Identifier: BSD-3-Clause */
/* See guard.h. The guard finds the job's processes by the recording's directory in their
 * environment, as launch_stop() does. */
#include "trace/launch/guard.h"

#include "base/marked.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { PATIENCE_MS = 5000 };

static int watch_firma(void *self)
{
    const char *mark = self;
    char byte;
    while (read(STDIN_FILENO, &byte, 1) < 0 && errno == EINTR)
        continue;
    marked_signal(mark, false, SIGTERM);
    marked_sweep(mark, false, PATIENCE_MS);
    return 0;
}

bool guard_start(Launch *launch, Err *err)
{
    int ends[2];
    char *mark = arena_printf(launch->arena, RECORD_DIRECTORY_VARIABLE "=%s", launch->recording);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return err_set(err, ERR_ENVIRONMENT, "cannot make a pipe: %s", strerror(errno));
    const ProcessOptions how = {.run = watch_firma, .self = mark, .input = ends[0], .group = PROCESS_OWN_SESSION};
    bool ok = process_start(&how, launch->arena, &launch->guard, err);
    close(ends[0]);
    launch->guard_pipe = ends[1];
    if (!ok)
        close(ends[1]);
    return ok;
}

void guard_end(Launch *launch)
{
    if (!launch->guard)
        return;
    process_kill(launch->guard, SIGKILL);
    process_wait(launch->guard, -1);
    close(launch->guard_pipe); /* not before: the guard would take that for firma's end */
    launch->guard = NULL;
}
