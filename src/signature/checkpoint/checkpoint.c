/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of back ends, and saving (checkpoint.h). */
#include "signature/checkpoint/checkpoint.h"

#include "base/files.h"
#include "base/interrupts.h"
#include "base/monotonic.h"
#include "signature/checkpoint/back_end.h"
#include "signature/checkpoint/network.h"
#include "signature/checkpoint/room.h"
#include "signature/checkpoint/state.h"
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Back ends ---- */

static const BackEnd *const back_ends[] = {&back_end_criu, &back_end_dmtcp};
enum { N_BACK_ENDS = sizeof back_ends / sizeof *back_ends };

const char *checkpoint_back_end_name(size_t index)
{
    return index < N_BACK_ENDS ? back_ends[index]->name : NULL;
}

bool checkpoint_find(const char *name, Arena *arena, CheckpointTool *tool, Err *err)
{
    Err problem = {0};
    for (size_t i = 0; i < N_BACK_ENDS; i++) {
        Err own = {0};
        if (name && strcmp(name, back_ends[i]->name) != 0)
            continue;
        if (back_ends[i]->find(arena, tool, &own) && room_check(&own)) {
            tool->back_end = back_ends[i];
            return true;
        }
        if (problem.kind == ERR_NONE)
            problem = own; /* report the best back end's problem */
    }
    if (problem.kind == ERR_NONE)
        return err_set(err, ERR_USAGE, "unknown back end: `%s`", name);
    *err = problem;
    return false;
}

bool checkpoint_launch_words(const CheckpointTool *tool, MpiFlavour flavour, const char *directory, Arena *arena,
                             const char *const **words, Err *err)
{
    if (!tool->back_end->needs_directory)
        return tool->back_end->prepare(tool, flavour, NULL, arena, words, err);
    return (mkdir(directory, 0700) == 0 || err_set(err, ERR_ENVIRONMENT, "%s: %s", directory, strerror(errno))) &&
           tool->back_end->prepare(tool, flavour, directory, arena, words, err);
}

const char *checkpoint_demands(const CheckpointTool *tool)
{
    return tool->back_end->demands;
}

bool checkpoint_hides_ids(const CheckpointTool *tool)
{
    return tool->back_end->virtual_ids;
}

/* ---- Saving ---- */

const char *checkpoint_remote_shell(pid_t launcher, Arena *arena)
{
    static const char *const names[] = {"ssh", "rsh", "srun"};
    Job job = {0};
    Err ended;
    const char *found = NULL;
    job_find_processes(launcher, arena, &job, &ended);
    for (size_t i = 0; i < job.processes.count; i++) {
        const char *program = job_program((pid_t)job.processes.items[i].id, arena);
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            found = strcmp(program, names[k]) == 0 ? names[k] : found;
    }
    job_free(&job);
    return found;
}

/* Disk space of a directory's files. */
static uint64_t measure_directory(const char *path, Arena *arena)
{
    char *roots[] = {arena_strdup(arena, path), NULL};
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    uint64_t blocks = 0;
    for (FTSENT *entry; tree && (entry = fts_read(tree));) {
        if (entry->fts_info == FTS_F)
            blocks += (uint64_t)entry->fts_statp->st_blocks;
    }
    if (tree)
        fts_close(tree);
    return blocks * 512;
}

typedef struct Saving {
    const CheckpointSave *save;
    const BackEnd *back_end;
    const char *part;
    Arena *arena;
    State state;
} Saving;

/* Called while the job stands still: saves copies of its files. */
static bool put_away(void *self, Err *err)
{
    Saving *saving = self;
    State *state = &saving->state;
    if (!job_find_processes(saving->save->launcher, saving->arena, &state->job, err))
        return false;
    for (size_t i = 0; i < saving->save->n_paths; i++)
        job_add_path(&state->job, saving->save->paths[i], JOB_PATH_ASKED, saving->arena);
    job_find_paths(&state->job, state->directory, saving->arena);
    const char *store = state_files(saving->part, saving->arena);
    bool ok = true;
    for (size_t i = 0; ok && i < state->job.paths.count; i++) {
        const JobPath *path = &state->job.paths.items[i];
        if (path->kind != JOB_PATH_SHARED || !saving->back_end->saves_shared)
            ok = copies_put_away(path->path, store, saving->arena, &state->files, err);
    }
    mapped_find(&state->job, saving->arena, &state->mapped);
    return ok;
}

static bool make_part(const char *part, Arena *arena, Err *err)
{
    if (files_exist(part) && !files_remove_tree(part))
        return err_set(err, ERR_ENVIRONMENT, "%s: was left by an earlier attempt, and cannot be removed: %s", part,
                       strerror(errno));
    return (mkdir(part, 0700) == 0 && mkdir(state_images(part, arena), 0700) == 0 &&
            mkdir(state_files(part, arena), 0700) == 0) ||
           err_set(err, ERR_ENVIRONMENT, "%s: cannot be made: %s", part, strerror(errno));
}

/* Open MPI's launchers of one user share a directory. The last one to end removes it. */
static void leave_shared_directory(const char *session, Arena *arena)
{
    const char *above = arena_strndup(arena, session, (size_t)(files_base_name(session) - session - 1));
    const char *name = files_base_name(above);
    if (strncmp(name, "ompi.", 5) == 0 || strncmp(name, "prte.", 5) == 0)
        rmdir(above); /* fails if another launcher still uses it */
}

/* Removes what a job that was killed while it stood still couldn't remove itself. */
static void clear_up(const Job *job, Arena *arena)
{
    for (size_t i = 0; i < job->paths.count; i++) {
        const JobPath *path = &job->paths.items[i];
        if (path->kind == JOB_PATH_SHARED || path->kind == JOB_PATH_SESSION)
            files_remove_tree(path->path);
        if (path->kind == JOB_PATH_SESSION)
            leave_shared_directory(path->path, arena);
    }
}

/* Writes the state to the disk, then gives it its name. */
static bool finish(const char *part, const char *name, Arena *arena, Err *err)
{
    const char *slash = strrchr(name, '/');
    const char *above = !slash ? "." : slash == name ? "/" : arena_strndup(arena, name, (size_t)(slash - name));
    int directory = open(part, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int parent = open(above, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool ok =
        (directory >= 0 && parent >= 0 && syncfs(directory) == 0 && rename(part, name) == 0 && fsync(parent) == 0) ||
        err_set(err, ERR_ENVIRONMENT, "%s: cannot be written completely: %s", name, strerror(errno));
    if (directory >= 0)
        close(directory);
    if (parent >= 0)
        close(parent);
    return ok;
}

static bool save_state(const CheckpointTool *tool, const CheckpointSave *save, Saving *saving, CheckpointCost *cost,
                       Err *err)
{
    State *state = &saving->state;
    double start_s = monotonic_s();
    if (!make_part(saving->part, saving->arena, err) ||
        !tool->back_end->save(tool, save, saving->part, put_away, saving, saving->arena, err))
        return false;
    double frozen_s = monotonic_s() - start_s;
    if (!save->leave_running)
        clear_up(&state->job, saving->arena);
    state->back_end = tool->name, state->version = tool->version;
    state->launcher = save->launcher;
    network_addresses(saving->arena, &state->addresses);
    state->images_bytes = measure_directory(state_images(saving->part, saving->arena), saving->arena);
    state->files_bytes = measure_directory(state_files(saving->part, saving->arena), saving->arena);
    if (!mapped_identify(&state->mapped, saving->arena, err) || !state_write(state, saving->part, err) ||
        !finish(saving->part, save->state, saving->arena, err))
        return false;
    if (cost)
        *cost = (CheckpointCost){monotonic_s() - start_s, frozen_s, state->images_bytes, state->files_bytes};
    return true;
}

bool checkpoint_save(const CheckpointTool *tool, const CheckpointSave *save, Arena *arena, CheckpointCost *cost,
                     Err *err)
{
    if (files_exist(save->state))
        return err_set(err, ERR_USAGE, "%s: exists", save->state);
    sigset_t before;
    Saving saving = {.save = save,
                     .back_end = tool->back_end,
                     .part = arena_printf(arena, "%s.part", save->state),
                     .arena = arena,
                     .state = {.directory = tool->back_end->needs_directory ? save->directory : NULL}};
    interrupts_hold(&before);
    bool ok = save_state(tool, save, &saving, cost, err);
    if (!ok)
        files_remove_tree(saving.part);
    interrupts_release(&before);
    state_free(&saving.state);
    return ok;
}

/* ---- States ---- */

bool checkpoint_check_files(const char *directory, Arena *arena, Err *err)
{
    State state = {0};
    if (!state_read(directory, arena, &state, err))
        return false;
    bool ok = mapped_check(&state.mapped, err);
    state_free(&state);
    return ok;
}

bool checkpoint_take_out(const char *directory, const char *path, const char *destination, Arena *arena, Err *err)
{
    State state = {0};
    if (files_exist(destination))
        return err_set(err, ERR_USAGE, "%s: exists", destination);
    if (!state_read(directory, arena, &state, err))
        return false;
    bool ok = copies_put_back(&state.files, state_files(directory, arena), path, destination, err);
    state_free(&state);
    if (!ok)
        files_remove_tree(destination);
    return ok;
}
