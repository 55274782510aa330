/* SPDX-License-Identifier: BSD-3-Clause */
/* checkpoint_try(): only a trial can tell whether jobs can be saved and restored here. */
#include "base/files.h"
#include "base/words.h"
#include "signature/checkpoint/checkpoint.h"
#include "signature/checkpoint/child.h"
#include "signature/checkpoint/job.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

enum { TRIAL_TIMEOUT_MS = 30000, POLL_MS = 5 };

typedef struct Trial {
    const CheckpointTool *tool;
    MpiFlavour flavour;
    const char *run, *output, *state, *own;
    uint32_t n_ranks;
    Process *launcher; /* NULL: not started */
    Arena *arena;
} Trial;

static bool start(Trial *trial, const char *const argv[], Err *err)
{
    const char *const *before;
    if (!checkpoint_launch_words(trial->tool, trial->flavour, trial->own, trial->arena, &before, err))
        return false;
    const char *const last[] = {trial->run, NULL};
    const char *const *words = words_join((const char *const *const[]){before, argv, last, NULL}, trial->arena);
    const ProcessOptions how = child_options(words, trial->output);
    return (mkdir(trial->run, 0700) == 0 || err_set(err, ERR_ENVIRONMENT, "%s: %s", trial->run, strerror(errno))) &&
           process_start(&how, trial->arena, &trial->launcher, err);
}

static bool all_sleep(const Trial *trial)
{
    for (uint32_t rank = 0; rank < trial->n_ranks; rank++) {
        if (!files_exist(arena_printf(trial->arena, "%s/asleep.%u", trial->run, rank)))
            return false;
    }
    return true;
}

static bool await_sleep(Trial *trial, Err *err)
{
    for (int waited_ms = 0; waited_ms < TRIAL_TIMEOUT_MS; waited_ms += POLL_MS) {
        if (all_sleep(trial))
            return true;
        if (process_wait(trial->launcher, POLL_MS))
            return err_set(err, ERR_ENVIRONMENT, "the job ended with status %s: %s",
                           process_status_text(process_status(trial->launcher), trial->arena),
                           child_errors("", trial->output, trial->arena));
    }
    return err_set(err, ERR_ENVIRONMENT, "the job didn't start within %d s", TRIAL_TIMEOUT_MS / 1000);
}

static bool save(Trial *trial, Err *err)
{
    const CheckpointSave what = {.launcher = process_id(trial->launcher),
                                 .state = trial->state,
                                 .directory = trial->own,
                                 .paths = &trial->run,
                                 .n_paths = 1};
    if (!checkpoint_save(trial->tool, &what, trial->arena, NULL, err))
        return false;
    return process_wait(trial->launcher, -1);
}

static bool restore(Trial *trial, Err *err)
{
    const char *copy = arena_printf(trial->arena, "%s.restored", trial->run);
    const CheckpointBind bind = {copy, trial->run};
    const CheckpointRestore what = {.state = trial->state, .binds = &bind, .n_binds = 1};
    Restored *restored;
    if (!checkpoint_take_out(trial->state, trial->run, copy, trial->arena, err) ||
        !files_save_text(arena_printf(trial->arena, "%s/go", copy), "", err) ||
        !checkpoint_restore(trial->tool, &what, trial->arena, &restored, err))
        return false;
    bool ended = restored_wait(restored, TRIAL_TIMEOUT_MS);
    restored_end(restored);
    if (ended && restored_status(restored) == 0)
        return true;
    return ended ? err_set(err, ERR_ENVIRONMENT, "the restored job ended with status %d", restored_status(restored))
                 : err_set(err, ERR_ENVIRONMENT, "the restored job hung");
}

/* Kills the launcher last, so that it can't start other processes or remove processes from the
 * list. */
static void kill_job(Process *launcher, Arena *arena)
{
    Job job = {0};
    Err ignored;
    job_find_processes(process_id(launcher), arena, &job, &ignored);
    for (size_t i = job.processes.count; i-- > 0;)
        kill((pid_t)job.processes.items[i].id, SIGKILL);
    process_wait(launcher, -1);
    job_free(&job);
}

bool checkpoint_try(const CheckpointTool *tool, MpiFlavour flavour, const char *const argv[], uint32_t n_ranks,
                    const char *directory, Arena *arena, Err *err)
{
    Trial trial = {.tool = tool,
                   .flavour = flavour,
                   .run = arena_printf(arena, "%s/run", directory),
                   .output = arena_printf(arena, "%s/output", directory),
                   .state = arena_printf(arena, "%s/state", directory),
                   .own = arena_printf(arena, "%s/running", directory),
                   .n_ranks = n_ranks,
                   .arena = arena};
    bool ok = start(&trial, argv, err) && await_sleep(&trial, err) && save(&trial, err) && restore(&trial, err);
    if (trial.launcher && !process_wait(trial.launcher, 0))
        kill_job(trial.launcher, arena);
    return ok;
}
