/* SPDX-License-Identifier: BSD-3-Clause */
/* Saves and restores with CRIU, version 4.2 or later. (Older versions can't save shared memory and
 * sockets of MPI libraries on new kernels.)
 *
 * CRIU stops the job, writes its images, and calls a script before the job goes on or ends. firma's
 * script makes the file "frozen", and waits for firma to make the file "copied". If firma is gone
 * by then, the script fails, and CRIU lets the job go on. */
#include "signature/checkpoint/back_end.h"
#include "signature/checkpoint/child.h"
#include "signature/checkpoint/privileges.h"

#include "base/files.h"
#include "base/libraries.h"
#include "base/process.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ASK_TIMEOUT_MS = 10000, POLL_MS = 1 };
enum { NEEDED_MAJOR = 4, NEEDED_MINOR = 2 };

/* ---- Finding ---- */

/* Whether this process is in a user namespace, where root has fewer rights. CRIU must be told. */
static const char *option_of_namespace(void)
{
    unsigned long inside = 0, outside = 0, count = 0;
    FILE *file = fopen("/proc/self/uid_map", "r");
    bool is_whole = !file || (fscanf(file, "%lu %lu %lu", &inside, &outside, &count) == 3 && inside == 0 &&
                              outside == 0 && count == UINT32_MAX);
    if (file)
        fclose(file);
    return is_whole ? NULL : "--unprivileged";
}

static const char *in_cache(Arena *arena)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    return cache && *cache ? arena_printf(arena, "%s/firma/criu/criu", cache)
                           : arena_printf(arena, "%s/.cache/firma/criu/criu", home ? home : "");
}

static const char *on_path(Arena *arena)
{
    const char *found = process_find("criu", NULL, arena);
    return found ? found : process_find("criu", "/usr/local/sbin:/usr/sbin:/sbin", arena);
}

/* CRIU's own check of the kernel and of its permissions. Only a trial can show whether MPI jobs can
 * be saved. */
static bool check_kernel(const char *path, Arena *arena, Err *err)
{
    const char *const ask[] = {path, "check", option_of_namespace(), NULL};
    char *text = "";
    int status = 1;
    privileges_pass_on(true);
    const ProcessOptions how = {.words = ask, .dumps_no_core = true};
    bool works = process_capture(&how, ASK_TIMEOUT_MS, arena, &text, &status) && status == 0;
    privileges_pass_on(false);
    if (works)
        return true;
    const char *error = strstr(text, "Error ("), *said = error ? strstr(error, "): ") : NULL;
    said = said ? said + strlen("): ") : text;
    err_set(err, ERR_ENVIRONMENT, "CRIU cannot work here: %.*s", (int)strcspn(said, "\n"), said);
    return err_hint(err, "saving and restoring processes needs root, and a kernel with CONFIG_CHECKPOINT_RESTORE");
}

static bool find(Arena *arena, CheckpointTool *tool, Err *err)
{
    const char *chosen = getenv("FIRMA_CRIU");
    bool is_chosen = chosen && *chosen;
    const char *const candidates[] = {
        is_chosen ? chosen : arena_printf(arena, "%s/../../criu/criu", libraries_own_directory(arena)), in_cache(arena),
        on_path(arena)};
    const ChildProgram program = {"Version: ", NEEDED_MAJOR, NEEDED_MINOR, candidates,
                                  is_chosen ? 1 : sizeof candidates / sizeof *candidates};
    CheckpointTool old;
    if (child_find(&program, arena, tool, &old)) {
        tool->name = "criu";
        bool works = privileges_get(arena, err) && check_kernel(tool->path, arena, err);
        tool->is_rootless = privileges_are_of_namespace();
        return works;
    }
    if (old.path)
        err_set(err, ERR_ENVIRONMENT, "%s is CRIU %s; MPI jobs need %d.%d or later", old.path, old.version,
                NEEDED_MAJOR, NEEDED_MINOR);
    else
        err_set(err, ERR_ENVIRONMENT, is_chosen ? "FIRMA_CRIU names %s, which isn't CRIU" : "CRIU isn't installed",
                is_chosen ? chosen : "");
    return err_hint(
        err, "`make criu` or tools/criu.sh fetches CRIU on Debian without changing the system; FIRMA_CRIU can name "
             "the path of another one");
}

/* ---- Errors ---- */

static bool fail(const char *what, const char *said, Err *err)
{
    static const struct {
        const char *words, *hint;
    } hints[] = {
        {"build-ID", "a state can be restored only with the program and libraries with which it was saved"},
        {"bad size", "a file of the job was changed since the state was saved: a library or program was replaced, or "
                     "the job's output isn't appended to its file"},
        {"bad mode", "the permissions of one of the job's files were changed since the state was saved"},
        {"CPU", "restore the state on a machine whose processor has all features of the one where it was saved"},
        {"not permitted", "saving and restoring processes needs root, or a user namespace with all capabilities"},
        {"Permission denied", "saving and restoring processes needs root, or a user namespace with all capabilities"},
        {"No space left", "a state takes as much disk space as the job's memory: save it where there is enough"},
    };
    err_set(err, ERR_ENVIRONMENT, "CRIU couldn't %s: %s", what, *said ? said : "it printed no error");
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        if (strstr(said, hints[i].words))
            return err_hint(err, "%s", hints[i].hint);
    }
    return false;
}

/* ---- Saving ---- */

/* The script finds its files beside itself, so the directory's name may contain any character. */
static const char script[] = "#!/bin/sh\n"
                             "[ \"$CRTOOLS_SCRIPT_ACTION\" = post-dump ] || exit 0\n"
                             "cd \"${0%%/*}\" || exit 1\n"
                             ": >frozen\n"
                             "while [ ! -e copied ]; do\n"
                             "    kill -0 %d && [ ! -e failed ] || exit 1\n"
                             "    sleep 0.002\n"
                             "done\n";

static bool write_script(const char *path, Err *err)
{
    FILE *file = fopen(path, "w");
    bool ok = file && fprintf(file, script, (int)getpid()) > 0 && fchmod(fileno(file), 0700) == 0;
    ok = (!file || fclose(file) == 0) && ok;
    return ok || err_set(err, ERR_ENVIRONMENT, "%s: %s", path, strerror(errno));
}

static bool make_file(const char *path, Err *err)
{
    FILE *file = fopen(path, "w");
    return (file && fclose(file) == 0) || err_set(err, ERR_ENVIRONMENT, "%s: %s", path, strerror(errno));
}

typedef struct Talk {
    const char *frozen, *copied, *failed; /* files by which the script and firma tell each other
                                             how far they are */
} Talk;

/* Waits until CRIU has ended. Calls `act` when the job stands still. */
static int accompany(Process *criu, const Talk *talk, BackEndFrozen *act, void *self, bool *acted, Err *err)
{
    bool called = false;
    while (!process_wait(criu, POLL_MS)) {
        if (!called && files_exist(talk->frozen)) {
            called = true;
            *acted = act(self, err) && make_file(talk->copied, err);
            if (!*acted) {
                Err other;
                make_file(talk->failed, &other);
            }
        }
    }
    return process_status(criu);
}

static bool start(const char *const words[], const char *console, Arena *arena, Process **criu, Err *err)
{
    ProcessOptions how = child_options(words, console);
    how.dumps_no_core = true;
    privileges_pass_on(true);
    bool ok = process_start(&how, arena, criu, err);
    privileges_pass_on(false);
    return ok;
}

static bool dump(const CheckpointTool *tool, const CheckpointSave *save, const char *part, BackEndFrozen *act,
                 void *self, Arena *arena, Err *err)
{
    const char *images = arena_printf(arena, "%s/images", part), *action = arena_printf(arena, "%s/action", part);
    const char *console = arena_printf(arena, "%s/console", part);
    const Talk talk = {arena_printf(arena, "%s/frozen", part), arena_printf(arena, "%s/copied", part),
                       arena_printf(arena, "%s/failed", part)};
    const char *const argv[] = {tool->path,
                                "dump",
                                "--tree",
                                arena_printf(arena, "%d", (int)save->launcher),
                                "--images-dir",
                                images,
                                "-v2",
                                "--log-file",
                                "dump.log",
                                "--tcp-established",
                                "--ext-unix-sk",
                                "--file-locks",
                                "--network-lock",
                                "skip",
                                "--ghost-limit",
                                "1G",
                                "--action-script",
                                action,
                                save->leave_running ? "--leave-running" : option_of_namespace(),
                                save->leave_running ? option_of_namespace() : NULL,
                                NULL};
    Process *criu;
    bool acted = false;
    Err act_err = {0};
    if (!write_script(action, err) || !start(argv, console, arena, &criu, err))
        return false;
    int status = accompany(criu, &talk, act, self, &acted, &act_err);
    const char *said = child_errors(arena_printf(arena, "%s/dump.log", images), console, arena);
    const char *const ours[] = {talk.frozen, talk.copied, talk.failed, action, console};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        unlink(ours[i]);
    if (!acted && act_err.kind != ERR_NONE) {
        *err = act_err;
        return false;
    }
    return (status == 0 && acted) || fail("save the job", said, err);
}

/* ---- Restoring ---- */

static bool restore(const CheckpointTool *tool, const char *images, const char *work, const Job *job, pid_t ids[],
                    Arena *arena, Err *err)
{
    for (size_t i = 0; i < job->processes.count; i++)
        ids[i] = (pid_t)job->processes.items[i].id;
    const char *const argv[] = {tool->path,
                                "restore",
                                "--images-dir",
                                images,
                                "--work-dir",
                                work,
                                "--restore-detached",
                                "-v2",
                                "--log-file",
                                "restore.log",
                                "--tcp-established",
                                "--ext-unix-sk",
                                "--file-locks",
                                option_of_namespace(),
                                NULL};
    const char *console = arena_printf(arena, "%s/console", work);
    Process *criu;
    if (!start(argv, console, arena, &criu, err))
        return false;
    process_wait(criu, -1);
    return process_status(criu) == 0 ||
           fail("restore the job", child_errors(arena_printf(arena, "%s/restore.log", work), console, arena), err);
}

/* MPICH uses System V shared memory, which can be saved only with its namespace; only root can
 * restore the namespace's settings. Only root can open a mapping of a removed file, too. So without
 * root, MPICH gets settings that avoid both. */
static bool prepare(const CheckpointTool *tool, MpiFlavour flavour, const char *directory, Arena *arena,
                    const char *const **words, Err *err)
{
    static const char *const own_namespace[] = {"unshare", "--ipc", NULL};
    static const char *const named_files[] = {"env", "MPIR_CVAR_NOLOCAL=1", "UCX_POSIX_USE_PROC_LINK=n",
                                              "UCX_TLS=posix,self", NULL};
    static const char *const as_asked[] = {"env", "MPIR_CVAR_NOLOCAL=1", "UCX_POSIX_USE_PROC_LINK=n", NULL};
    static const char *const none[] = {NULL};
    (void)tool, (void)directory, (void)arena, (void)err;
    if (!privileges_are_of_namespace())
        *words = own_namespace;
    else if (flavour == MPI_FLAVOUR_OPENMPI)
        *words = none;
    else
        *words = getenv("UCX_TLS") ? as_asked : named_files;
    return true;
}

const BackEnd back_end_criu = {.name = "criu", .find = find, .prepare = prepare, .save = dump, .restore = restore};
