/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of an application's tasks, interruptible and with progress. */
#include "base/interrupts.h"
#include "verbs/cost/run.h"

static void say(const char *line)
{
    cli_print_aside("%s\n", line);
}

bool cost_run_tasks(const CostRunning *running, uint32_t n_workers, const uint64_t *const *counts,
                    const uint64_t *const *numbers, unsigned n_runs, RunTimes *runs, const char **library, Err *err)
{
    const RunRequest request = {.application = running->application,
                                .n_workers = n_workers,
                                .counts = counts,
                                .numbers = numbers,
                                .counting = running->counting,
                                .omp_threads = running->omp_threads,
                                .limit_s = running->limit_s,
                                .without_waiting = numbers != NULL, /* of a sample */
                                .flavour = running->flavour,
                                .launcher = running->launcher,
                                .say = say,
                                .progress = &running->cli->progress};
    Run *run = NULL;
    sigset_t before;
    interrupts_hold(&before);
    bool ok = run_prepare(&request, running->cli->arena, &run, err);
    for (unsigned i = 0; ok && i < n_runs; i++) {
        progress_report(&running->cli->progress, "running", i, n_runs);
        ok = run_once(run, &runs[i], err);
    }
    if (ok)
        *library = run_library(run);
    run_end(run);
    interrupts_release(&before);
    cli_progress_end(running->cli);
    return ok;
}
