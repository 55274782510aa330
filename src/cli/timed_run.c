/* SPDX-License-Identifier: BSD-3-Clause */
/* See timed_run.h. */
#include "cli/timed_run.h"

#include "base/interrupts.h"
#include "base/monotonic.h"
#include "base/process.h"

#include <errno.h>
#include <string.h>

enum { LOOK_MS = 200 };

/* Writes the command's lines to the log until the launcher ends. Returns false if firma was
 * interrupted. */
static bool follow(Process *process, FILE *log, LauncherComplaint *complaint)
{
    const char *line;
    for (;;) {
        switch (process_read(process, LOOK_MS, &line)) {
        case PROCESS_LINE:
            fprintf(log, "%s\n", line);
            launcher_complaint_hear(complaint, line);
            break;
        case PROCESS_ENDED:
            return !interrupts_take(); /* the signal may have come since the last look */
        case PROCESS_QUIET:
            break;
        }
        if (interrupts_take())
            return false;
    }
}

bool timed_run(const char *const *command, FILE *log, Arena *arena, TimedRun *run, Err *err)
{
    Process *process;
    ProcessOptions how = {.words = command, .output = PROCESS_PIPE, .dies_with_us = SIGTERM, .sweeps = true};
    *run = (TimedRun){0};
    double start_s = monotonic_s();
    if (!process_start(&how, arena, &process, err)) {
        fprintf(log, "%s\n", err->message);
        return false;
    }
    run->interrupted = !follow(process, log, &run->complaint);
    run->time_s = monotonic_s() - start_s;
    run->status = process_stop(process);
    return true;
}

bool timed_run_check_log(FILE *log, const char *path, Err *err)
{
    errno = 0;
    if (fflush(log) == 0 && !ferror(log))
        return true;
    return err_set(err, ERR_ENVIRONMENT, "%s: cannot be written: %s", path, strerror(errno ? errno : EIO));
}
