/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a room (room.h). All mounts disappear with the mount namespace. So nothing has to be
 * cleaned up, however the room ends:
 *
 *    /proc, /dev/pts      new instances
 *    /dev/shm             a new tmpfs: the job's segments, and in .firma all other copies
 *    /home, /tmp …        overlays: what the job writes stays in the room; firma can make paths
 *    path                 a copy from .firma, or what the caller binds
 *
 * The state and the sources of binds lie outside. They are opened before anything covers them, and
 * then named by their descriptors. */
#include "signature/checkpoint/room.h"

#include "base/files.h"
#include "signature/checkpoint/cover.h"
#include "signature/checkpoint/network.h"
#include "signature/checkpoint/privileges.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define STORE "/dev/shm/.firma"

typedef struct Entrance {
    int life[2]; /* a pipe: the calling process writes a byte when its death would already kill
                    the room */
    uid_t user;
    gid_t group;
    bool is_user_namespace;
    int (*live)(void *self);
    void *self;
} Entrance;

static int enter(void *self)
{
    const Entrance *entrance = self;
    char byte;
    close(entrance->life[1]);
    if (entrance->is_user_namespace && !privileges_keep_user(entrance->user, entrance->group))
        return 1;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return read(entrance->life[0], &byte, 1) == 1 ? entrance->live(entrance->self) : 1;
}

/* Starts the room's first process. Without privileges, creates the other namespaces inside a user
 * namespace, if the kernel allows users to make those. */
static bool start_in_namespaces(Entrance *entrance, Arena *arena, Process **room)
{
    Err ignored;
    ProcessOptions how = {.run = enter,
                          .self = entrance,
                          .input = PROCESS_OURS,
                          .output = PROCESS_OURS,
                          .errors = PROCESS_OURS,
                          .keeps_files = true,
                          .group = PROCESS_OWN_SESSION,
                          .namespaces = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET};
    bool ok = process_start(&how, arena, room, &ignored);
    if (ok || errno != EPERM)
        return ok;
    entrance->is_user_namespace = true;
    how.namespaces |= CLONE_NEWUSER;
    return process_start(&how, arena, room, &ignored);
}

bool room_start(int (*live)(void *self), void *self, Arena *arena, Process **room)
{
    Entrance entrance = {.user = geteuid(), .group = getegid(), .live = live, .self = self};
    if (pipe2(entrance.life, O_CLOEXEC) != 0)
        return false;
    bool ok = start_in_namespaces(&entrance, arena, room);
    int failure = errno;
    if (ok && write(entrance.life[1], "", 1) != 1)
        process_kill(*room, SIGKILL);
    close(entrance.life[0]);
    close(entrance.life[1]);
    errno = failure;
    return ok;
}

/* ---- Contents of the room ---- */

typedef struct Binding {
    const char *source, *target; /* source: /proc/1/fd/N */
    bool is_directory;
} Binding;

typedef struct Builder {
    const State *state;
    Arena *arena;
    const char *files; /* the state's copies */
    Binding *binds;
    size_t n_binds;
    Covers covers;
    VEC(const char *) overlays; /* further directories that need an overlay */
    size_t n_copies;
} Builder;

static bool fail(Err *err, const char *what)
{
    return err_set(err, ERR_ENVIRONMENT, "cannot make the namespaces for a restored job: %s: %s", what,
                   strerror(errno));
}

static bool hold_outside(Builder *builder, const CheckpointRestore *restore, Room *room, Err *err)
{
    bool is_directory;
    Arena *arena = builder->arena;
    room->images = cover_hold(state_images(restore->state, arena), &is_directory, arena);
    builder->files = cover_hold(state_files(restore->state, arena), &is_directory, arena);
    if (!room->images || !builder->files)
        return err_set(err, ERR_INPUT, "%s: the saved state lacks its images or files: %s", restore->state,
                       strerror(errno));
    builder->binds = arena_new_array(arena, Binding, restore->n_binds + 1);
    if (builder->state->directory)
        builder->binds[builder->n_binds++] =
            (Binding){room->images, state_images(builder->state->directory, arena), true};
    for (size_t i = 0; i < restore->n_binds; i++) {
        Binding *bind = &builder->binds[builder->n_binds++];
        bind->target = restore->binds[i].target;
        bind->source = cover_hold(restore->binds[i].source, &bind->is_directory, arena);
        if (!bind->source)
            return err_set(err, ERR_ENVIRONMENT, "%s: %s", restore->binds[i].source, strerror(errno));
    }
    return true;
}

static bool mount_basics(Err *err)
{
    if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        return fail(err, "/");
    if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) != 0)
        return fail(err, "/proc");
    if (mount("tmpfs", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777") != 0)
        return fail(err, "/dev/shm");
    if (mkdir(STORE, 0711) != 0 || mkdir(STORE "/work", 0700) != 0)
        return fail(err, STORE);
    return privileges_mount_terminals() || fail(err, "/dev/pts");
}

/* ---- Overlays ---- */

static const char *parent_of(const char *path, Arena *arena)
{
    const char *slash = strrchr(path, '/');
    return slash && slash > path ? arena_strndup(arena, path, (size_t)(slash - path)) : "/";
}

static const char *existing_ancestor(const char *path, Arena *arena)
{
    struct stat status;
    do
        path = parent_of(path, arena);
    while (strcmp(path, "/") != 0 && (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)));
    return path;
}

/* A directory above the launcher's session directory that outlives sessions: a shared directory for
 * temporary files, or the directory two levels up. */
static const char *lasting_ancestor(const char *path, Arena *arena)
{
    struct stat status;
    for (const char *above = parent_of(path, arena); strcmp(above, "/") != 0; above = parent_of(above, arena)) {
        if (stat(above, &status) == 0 && status.st_mode & S_ISVTX)
            return above;
    }
    const char *above = parent_of(path, arena), *second = parent_of(above, arena);
    return existing_ancestor(strcmp(second, "/") == 0 ? path : above, arena);
}

static bool want_overlay(Builder *builder, const char *path, const char *base, Err *err)
{
    if (strcmp(base, "/") == 0) {
        err_set(err, ERR_ENVIRONMENT, "%s: the saved job needs this path, which doesn't exist here", path);
        return err_hint(err, "mkdir -p %s", parent_of(path, builder->arena));
    }
    for (size_t i = 0; i < builder->covers.places.count; i++) {
        if (copies_is_below(base, builder->covers.places.items[i]))
            return true;
    }
    for (size_t i = 0; i < builder->overlays.count; i++) {
        if (copies_is_below(base, builder->overlays.items[i]))
            return true;
        if (copies_is_below(builder->overlays.items[i], base)) {
            builder->overlays.items[i] = base;
            return true;
        }
    }
    *vec_push(&builder->overlays) = base;
    return true;
}

static bool want_path(Builder *builder, const char *path, JobPathKind kind, Err *err)
{
    if (copies_is_below(path, "/dev/shm"))
        return true;
    const char *own = builder->state->directory;
    if (own && copies_is_below(path, own)) /* may exist while the original job runs, and lies
                                              above no other path */
        return want_overlay(builder, own, existing_ancestor(own, builder->arena), err);
    if (kind == JOB_PATH_SESSION)
        return want_overlay(builder, path, lasting_ancestor(path, builder->arena), err);
    return files_exist(path) || want_overlay(builder, path, existing_ancestor(path, builder->arena), err);
}

static bool mount_overlay(Builder *builder, const char *base, Err *err)
{
    bool is_directory;
    const char *lower = cover_hold(base, &is_directory, builder->arena);
    return (lower && cover_place(&builder->covers, base, lower, builder->arena)) || fail(err, base);
}

static bool mount_overlays(Builder *builder, Err *err)
{
    const Job *job = &builder->state->job;
    char here[PATH_MAX];
    const char *home = getenv("HOME");
    for (size_t i = 0; i < job->paths.count; i++)
        cover_want(&builder->covers, job->paths.items[i].path, builder->arena);
    if (home)
        cover_want(&builder->covers, arena_printf(builder->arena, "%s/", home), builder->arena);
    if (getcwd(here, sizeof here - 1))
        cover_want(&builder->covers, arena_printf(builder->arena, "%s/", here), builder->arena);
    bool ok = cover_all(&builder->covers, builder->arena, err);
    for (size_t i = 0; ok && i < job->paths.count; i++)
        ok = want_path(builder, job->paths.items[i].path, job->paths.items[i].kind, err);
    for (size_t i = 0; ok && i < builder->n_binds; i++)
        ok = want_path(builder, builder->binds[i].target, JOB_PATH_ASKED, err);
    for (size_t i = 0; ok && i < builder->overlays.count; i++)
        ok = mount_overlay(builder, builder->overlays.items[i], err);
    return ok;
}

/* ---- Files ---- */

static bool make_file(const char *path)
{
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    return file >= 0 && close(file) == 0;
}

static bool bind(const Builder *builder, const char *source, const char *target, bool is_directory, Err *err)
{
    bool ok = files_exist(target) || (copies_make_directory(parent_of(target, builder->arena)) &&
                                      (is_directory ? mkdir(target, 0700) == 0 : make_file(target)));
    return (ok && mount(source, target, NULL, MS_BIND | MS_REC, NULL) == 0) || fail(err, target);
}

static bool is_bound(const Builder *builder, const char *path)
{
    for (size_t i = 0; i < builder->n_binds; i++) {
        if (copies_is_below(path, builder->binds[i].target))
            return true;
    }
    return false;
}

static bool place_copy(Builder *builder, const JobPath *path, Err *err)
{
    struct stat status;
    const SavedFiles *files = &builder->state->files;
    if (is_bound(builder, path->path) || (path->kind == JOB_PATH_SHARED && !copies_hold(files, path->path)))
        return true;
    if (copies_is_below(path->path, "/dev/shm"))
        return copies_put_back(files, builder->files, path->path, path->path, err);
    const char *copy = arena_printf(builder->arena, STORE "/copy%zu", builder->n_copies++);
    return copies_put_back(files, builder->files, path->path, copy, err) &&
           (stat(copy, &status) == 0 || fail(err, copy)) &&
           bind(builder, copy, path->path, S_ISDIR(status.st_mode), err);
}

static bool place_files(Builder *builder, Err *err)
{
    const Job *job = &builder->state->job;
    bool ok = true;
    for (size_t i = 0; ok && i < job->paths.count; i++)
        ok = place_copy(builder, &job->paths.items[i], err);
    for (size_t i = 0; ok && i < builder->n_binds; i++)
        ok = bind(builder, builder->binds[i].source, builder->binds[i].target, builder->binds[i].is_directory, err);
    return ok;
}

static int try_room(void *self)
{
    Err ignored;
    (void)self;
    return mount_basics(&ignored) && network_make_loopback(&(NetworkAddresses){0}, &ignored) ? 0 : errno;
}

bool room_check(Err *err)
{
    Process *room;
    Arena *scratch = arena_new();
    bool is_there = room_start(try_room, NULL, scratch, &room);
    int failure = errno;
    if (is_there)
        failure = process_wait(room, -1) && process_signal(room) ? EINTR : process_status(room);
    arena_free(scratch);
    if (failure == 0)
        return true;
    err_set(err, ERR_ENVIRONMENT, "cannot make namespaces to restore a job in: %s", strerror(failure));
    return err_hint(err, "restoring needs root, or a kernel that lets users make user namespaces (sysctl "
                         "user.max_user_namespaces, kernel.unprivileged_userns_clone); containers often forbid it");
}

/* ---- Process ids ---- */

enum { NUMBERS_NEEDED = 100, FIRST_NUMBER = 2, HIGH_NUMBERS = 30000 };

static bool is_free(const Job *job, int64_t first)
{
    for (size_t i = 0; i < job->processes.count; i++) {
        for (size_t j = 0; j < job->processes.items[i].threads.count; j++) {
            int64_t id = job->processes.items[i].threads.items[j].id;
            if (id >= first && id < first + NUMBERS_NEEDED)
                return false;
        }
    }
    return true;
}

/* Makes the kernel give out ids far from the job's, so that the back end's own processes don't take
 * an id that it is about to restore. */
static void keep_numbers_free(const Job *job)
{
    int64_t first = FIRST_NUMBER;
    while (first < HIGH_NUMBERS && !is_free(job, first))
        first += NUMBERS_NEEDED;
    FILE *file = fopen("/proc/sys/kernel/ns_last_pid", "w");
    if (file) {
        fprintf(file, "%lld", (long long)first - 1);
        fclose(file);
    }
}

bool room_furnish(const State *state, const CheckpointRestore *restore, Arena *arena, Room *room, Err *err)
{
    Builder builder = {.state = state, .arena = arena, .covers = {.store = STORE}};
    bool ok = hold_outside(&builder, restore, room, err) && mount_basics(err) && mount_overlays(&builder, err) &&
              place_files(&builder, err) && network_make_loopback(&state->addresses, err);
    if (ok)
        keep_numbers_free(&state->job);
    room->work = STORE "/work";
    if (state->directory) /* a process without the capabilities of the user namespace can't read
                             /proc/1 */
        room->images = state_images(state->directory, arena);
    vec_free(&builder.overlays);
    vec_free(&builder.covers.places);
    vec_free(&builder.covers.wanted);
    return ok;
}
