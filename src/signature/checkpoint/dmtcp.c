/* SPDX-License-Identifier: BSD-3-Clause */
/* Saves and restores with DMTCP (https://github.com/dmtcp/dmtcp), version 5.0 or later. DMTCP
 * preloads its library into all processes of the job. A coordinator, which ends with the job, tells
 * the library when to save. Root isn't needed.
 *
 *    DIRECTORY/port       where the coordinator listens
 *    DIRECTORY/images/    where processes write their images, and restored processes look for them
 *    DIRECTORY/dmtcp/     DMTCP's own files
 *    DIRECTORY/session/   the launcher's session; its name holds process ids, equal in each job
 *    DIRECTORY/shared/    Open MPI's segments, for the same reason
 *
 * While all threads of all processes are held, each process writes NAME.dmtcp.temp. The files are
 * renamed only when all processes have written. So when firma sees the first file, it stops the
 * processes. If no file has its final name then, the job stands still, and no process can go on
 * before firma lets it. firma doesn't stop the launcher, which would report the SIGCONT to its
 * user, and waits for no process. */
#include "signature/checkpoint/back_end.h"
#include "signature/checkpoint/child.h"
#include "signature/checkpoint/coordinator.h"
#include "signature/checkpoint/halt.h"

#include "base/files.h"
#include "base/libraries.h"
#include "base/process.h"
#include "base/vec.h"
#include <dirent.h>
#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ASK_TIMEOUT_MS = 10000, SAVE_TIMEOUT_MS = 300000, POLL_MS = 1, ATTEMPTS = 3 };
enum { NEEDED_MAJOR = 5 };

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = POLL_MS * 1000000}, NULL);
}

/* ---- Finding ---- */

/* Another program of DMTCP, in the same directory as dmtcp_launch. */
static const char *sibling(const char *launch, const char *name, Arena *arena)
{
    const char *slash = strrchr(launch, '/');
    return arena_printf(arena, "%.*s/%s", (int)(slash - launch), launch, name);
}

/* FIRMA_DMTCP may name dmtcp_launch, or the directory into which DMTCP was installed. */
static const char *chosen_program(const char *chosen, Arena *arena)
{
    return files_is_executable(chosen) ? chosen : arena_printf(arena, "%s/bin/dmtcp_launch", chosen);
}

static bool has_all_programs(const char *launch, Arena *arena, Err *err)
{
    static const char *const names[] = {"dmtcp_coordinator", "dmtcp_command", "dmtcp_restart", "mtcp_restart"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!files_is_executable(sibling(launch, names[i], arena)))
            return err_set(err, ERR_ENVIRONMENT, "the installation of DMTCP is incomplete: %s is missing",
                           sibling(launch, names[i], arena));
    }
    return true;
}

static bool find(Arena *arena, CheckpointTool *tool, Err *err)
{
    const char *chosen = getenv("FIRMA_DMTCP");
    bool is_chosen = chosen && *chosen;
    const char *const candidates[] = {
        is_chosen ? chosen_program(chosen, arena)
                  : arena_printf(arena, "%s/../../dmtcp/bin/dmtcp_launch", libraries_own_directory(arena)),
        process_find("dmtcp_launch", NULL, arena)};
    /* "dmtcp_launch (DMTCP) 5.0" */
    const ChildProgram program = {"(DMTCP) ", NEEDED_MAJOR, 0, candidates,
                                  is_chosen ? 1 : sizeof candidates / sizeof *candidates};
    CheckpointTool old;
    if (child_find(&program, arena, tool, &old)) {
        tool->name = "dmtcp";
        return has_all_programs(tool->path, arena, err);
    }
    if (old.path)
        err_set(err, ERR_ENVIRONMENT, "%s is DMTCP %s; firma needs %d.0 or later", old.path, old.version, NEEDED_MAJOR);
    else
        err_set(err, ERR_ENVIRONMENT, is_chosen ? "FIRMA_DMTCP names %s, which isn't DMTCP" : "DMTCP isn't installed",
                is_chosen ? chosen : "");
    return err_hint(err,
                    "`make dmtcp` or tools/dmtcp.sh builds DMTCP without changing the system; FIRMA_DMTCP can name the "
                    "directory of another installation");
}

/* ---- Launching ---- */

/* Whether the user has set this variable. DMTCP can't save every transport that MPI might choose,
 * so firma chooses; but a user's own choice stays. */
static bool is_users(const char *assignment)
{
    static const char *const transports[] = {"OMPI_MCA_pml", "OMPI_MCA_btl", "UCX_TLS"};
    for (size_t i = 0; i < sizeof transports / sizeof *transports; i++) {
        size_t length = strlen(transports[i]);
        if (strncmp(assignment, transports[i], length) == 0 && assignment[length] == '=')
            return getenv(transports[i]) != NULL;
    }
    return false;
}

static bool prepare(const CheckpointTool *tool, MpiFlavour flavour, const char *directory, Arena *arena,
                    const char *const **words, Err *err)
{
    static const char *const folders[] = {"images", "dmtcp", "session", "shared"};
    const char *const variables[] = {
        "OMPI_MCA_pml=ob1",
        "OMPI_MCA_btl=self,vader",
        arena_printf(arena, "OMPI_MCA_btl_vader_backing_directory=%s/shared", directory),
        arena_printf(arena, "OMPI_MCA_orte_tmpdir_base=%s/session", directory),
        "HWLOC_COMPONENTS=-linux:io", /* its device files couldn't be restored */
        "UCX_TLS=posix,self",
        "UCX_MEM_EVENTS=no",
        "DMTCP_GZIP=0",
        "DMTCP_LOG_LEVEL=error",
        arena_printf(arena, "DMTCP_TMPDIR=%s/dmtcp", directory), /* also for the coordinator */
    };
    const char *const launch[] = {tool->path,     "--quiet",
                                  "--quiet",      "--new-coordinator",
                                  "--coord-port", "0",
                                  "--port-file",  arena_printf(arena, "%s/port", directory),
                                  "--ckptdir",    arena_printf(arena, "%s/images", directory)};
    enum { N_VARIABLES = sizeof variables / sizeof *variables, N_LAUNCH = sizeof launch / sizeof *launch };
    (void)flavour; /* the variables of one MPI are harmless to the other */
    const char **all = arena_new_array(arena, const char *, N_VARIABLES + N_LAUNCH + 2);
    size_t n = 0;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const char *path = arena_printf(arena, "%s/%s", directory, folders[i]);
        if (mkdir(path, 0700) != 0)
            return err_set(err, ERR_ENVIRONMENT, "%s: %s", path, strerror(errno));
    }
    all[n++] = "env";
    for (size_t i = 0; i < N_VARIABLES; i++) {
        if (!is_users(variables[i]))
            all[n++] = variables[i];
    }
    memcpy(all + n, launch, sizeof launch);
    *words = all;
    return true;
}

/* ---- Images ---- */

typedef struct Written {
    size_t begun, done;
} Written;

static Written count_images(const char *images)
{
    Written written = {0};
    DIR *directory = opendir(images);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        written.begun += files_has_suffix(entry->d_name, ".dmtcp.temp");
        written.done += files_has_suffix(entry->d_name, ".dmtcp");
    }
    if (directory)
        closedir(directory);
    return written;
}

static bool empty(const char *images, Err *err)
{
    return (files_remove_tree(images) && mkdir(images, 0700) == 0) ||
           err_set(err, ERR_ENVIRONMENT, "%s: cannot be emptied: %s", images, strerror(errno));
}

/* The copies of files were made with the job's umask: removes other users' permissions. */
static void keep_private(const char *path, Arena *arena)
{
    char *roots[] = {arena_strdup(arena, path), NULL};
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    for (FTSENT *entry; tree && (entry = fts_read(tree));) {
        if (entry->fts_info == FTS_F || entry->fts_info == FTS_D)
            chmod(entry->fts_path, entry->fts_info == FTS_D ? 0700 : 0600);
    }
    if (tree)
        fts_close(tree);
}

/* Moves the images, without the coordinator's script, which would restore the job by hand where it
 * was. */
static bool move_images(const char *from, const char *to, Arena *arena, Err *err)
{
    DIR *directory = opendir(from);
    bool ok = directory != NULL;
    for (struct dirent *entry; ok && (entry = readdir(directory));) {
        if (strncmp(entry->d_name, "ckpt_", strlen("ckpt_")) == 0)
            ok = rename(arena_printf(arena, "%s/%s", from, entry->d_name),
                        arena_printf(arena, "%s/%s", to, entry->d_name)) == 0;
    }
    if (!ok)
        err_set(err, ERR_ENVIRONMENT, "%s: images cannot be moved to %s: %s", from, to, strerror(errno));
    if (directory)
        closedir(directory);
    keep_private(to, arena);
    return ok && empty(from, err);
}

/* ---- Saving ---- */

typedef struct Dump {
    const CheckpointTool *tool;
    const CheckpointSave *save;
    const char *part, *running; /* running: where images are written */
    char port[8];
    size_t n_processes;
    Arena *arena;
} Dump;

/* Writes what a room needs besides the images: the list of processes, and the path of the
 * launcher's output. */
static bool write_notes(const Dump *dump, const char *list, Err *err)
{
    char output[PATH_MAX];
    ssize_t length =
        readlink(arena_printf(dump->arena, "/proc/%d/fd/1", (int)dump->save->launcher), output, sizeof output - 1);
    output[length > 0 ? length : 0] = '\0';
    return files_save_text(arena_printf(dump->arena, "%s/images/processes", dump->part), list, err) &&
           files_save_text(arena_printf(dump->arena, "%s/images/output", dump->part), output, err);
}

static bool begin(Dump *dump, Err *err)
{
    char *list = "";
    Peers peers = {0};
    if (!coordinator_port(arena_printf(dump->arena, "%s/port", dump->save->directory), dump->port) ||
        !coordinator_list(sibling(dump->tool->path, "dmtcp_command", dump->arena), dump->port, dump->arena, &list))
        return err_set(err, ERR_ENVIRONMENT, "DMTCP couldn't save the job: its coordinator doesn't answer: %s", list);
    peers_parse(list, &peers, dump->arena);
    dump->n_processes = peers.count;
    vec_free(&peers);
    Job job = {0};
    if (!job_find_processes(dump->save->launcher, dump->arena, &job, err))
        return false;
    size_t count = job.processes.count;
    job_free(&job);
    if (count != dump->n_processes)
        return err_set(
            err, ERR_ENVIRONMENT,
            "DMTCP couldn't save the job: process %d and its descendants are %zu processes, and DMTCP knows %zu",
            (int)dump->save->launcher, count, dump->n_processes);
    return write_notes(dump, list, err) && empty(dump->running, err);
}

typedef enum Outcome { SAVED, LATE, FAILED } Outcome;

/* LATE: the job went on before firma could look. */
static Outcome act_while_halted(const Dump *dump, BackEndFrozen *act, void *self, Err *err)
{
    Halt halted;
    Job job = {0};
    Outcome outcome = FAILED;
    if (job_find_processes(dump->save->launcher, dump->arena, &job, err) &&
        halt_begin(&job, &halted, dump->arena, err)) {
        if (!halt_is_complete(&job) || count_images(dump->running).done > 0)
            outcome = LATE;
        else if (act(self, err))
            outcome = SAVED;
        halt_end(&halted);
    }
    job_free(&job);
    return outcome;
}

static bool has_ended(pid_t process)
{
    return kill(process, 0) != 0 && errno == ESRCH;
}

/* Waits until all images have their final names and the coordinator reports success. */
static Outcome accompany(const Dump *dump, Process *command, BackEndFrozen *act, void *self, Err *err)
{
    const char *console = arena_printf(dump->arena, "%s/console", dump->part);
    Outcome outcome = LATE;
    bool called = false, ended = false;
    for (int waited_ms = 0; waited_ms < SAVE_TIMEOUT_MS; waited_ms += POLL_MS) {
        Written written = count_images(dump->running);
        if (!called && written.begun + written.done > 0) {
            called = true;
            outcome = written.done ? LATE : act_while_halted(dump, act, self, err);
        }
        ended = process_wait(command, 0);
        if (ended && called && written.done == dump->n_processes)
            return outcome;
        if ((ended && process_status(command) != 0) || has_ended(dump->save->launcher))
            break;
        nap();
    }
    process_kill(command, SIGKILL);
    process_wait(command, -1);
    err_set(err, ERR_ENVIRONMENT, "DMTCP couldn't save the job: %s",
            has_ended(dump->save->launcher) ? "the job has ended" : child_errors("", console, dump->arena));
    return FAILED;
}

static Outcome attempt(Dump *dump, BackEndFrozen *act, void *self, Err *err)
{
    const char *const argv[] = {sibling(dump->tool->path, "dmtcp_command", dump->arena), "--coord-port", dump->port,
                                "--bcheckpoint", NULL};
    const char *console = arena_printf(dump->arena, "%s/console", dump->part);
    const ProcessOptions how = child_options(argv, console);
    Process *command;
    if (!begin(dump, err) || !process_start(&how, dump->arena, &command, err))
        return FAILED;
    Outcome outcome = accompany(dump, command, act, self, err);
    unlink(console);
    return outcome;
}

static void end_job(const Dump *dump)
{
    const char *const quit[] = {sibling(dump->tool->path, "dmtcp_command", dump->arena), "--coord-port", dump->port,
                                "--quit", NULL};
    char *text;
    int status;
    Job job = {0};
    Err ignored;
    job_find_processes(dump->save->launcher, dump->arena, &job, &ignored);
    process_capture(&(ProcessOptions){.words = quit}, ASK_TIMEOUT_MS, dump->arena, &text, &status);
    halt_signal(&job, SIGKILL);
    kill(dump->save->launcher, SIGKILL);
    job_free(&job);
}

static bool save_job(const CheckpointTool *tool, const CheckpointSave *save, const char *part, BackEndFrozen *act,
                     void *self, Arena *arena, Err *err)
{
    Dump dump = {.tool = tool,
                 .save = save,
                 .part = part,
                 .running = arena_printf(arena, "%s/images", save->directory),
                 .arena = arena};
    Outcome outcome = LATE;
    for (int i = 0; i < ATTEMPTS && outcome == LATE; i++)
        outcome = attempt(&dump, act, self, err);
    if (outcome == LATE)
        return err_set(err, ERR_ENVIRONMENT, "DMTCP couldn't save the job: the job didn't stand still for long enough");
    if (outcome == FAILED || !move_images(dump.running, arena_printf(arena, "%s/images", part), arena, err))
        return false;
    if (!save->leave_running)
        end_job(&dump);
    return true;
}

/* ---- Restoring ---- */

/* The command: dmtcp_restart and its options, then the images, ended by NULL. *n: number of
 * images. */
static const char *const *restart_words(const CheckpointTool *tool, const char *images, const char *work, size_t *n,
                                        Arena *arena)
{
    const char *const first[] = {"env",
                                 "DMTCP_LOG_LEVEL=error",
                                 arena_printf(arena, "DMTCP_TMPDIR=%s/dmtcp", work),
                                 sibling(tool->path, "dmtcp_restart", arena),
                                 "--quiet",
                                 "--quiet",
                                 "--new-coordinator",
                                 "--coord-port",
                                 "0",
                                 "--port-file",
                                 arena_printf(arena, "%s/port", work),
                                 "--ckptdir",
                                 images};
    enum { N_FIRST = sizeof first / sizeof *first };
    size_t n_images = count_images(images).done, used = N_FIRST;
    const char **words = arena_new_array(arena, const char *, N_FIRST + n_images + 1);
    memcpy(words, first, sizeof first);
    DIR *directory = opendir(images);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        if (files_has_suffix(entry->d_name, ".dmtcp") && used < N_FIRST + n_images)
            words[used++] = arena_printf(arena, "%s/%s", images, entry->d_name);
    }
    if (directory)
        closedir(directory);
    *n = used - N_FIRST;
    return words;
}

/* Waits until all processes run. There is no time limit here, because the calling process has
 * one. */
static bool await_running(const CheckpointTool *tool, const char *work, pid_t launcher, size_t count, Peers *running,
                          Arena *arena)
{
    char port[8], *list;
    for (;; nap()) {
        if (coordinator_port(arena_printf(arena, "%s/port", work), port) &&
            coordinator_list(sibling(tool->path, "dmtcp_command", arena), port, arena, &list)) {
            Peers peers = {0};
            peers_parse(list, &peers, arena);
            peers_add_running(running, &peers);
            vec_free(&peers);
        }
        if (running->count == count)
            return true;
        siginfo_t end = {0};
        if (waitid(P_PID, (id_t)launcher, &end, WEXITED | WNOHANG | WNOWAIT) == 0 && end.si_pid == launcher)
            return end.si_code == CLD_EXITED && end.si_status == 0; /* a short job: ended already */
    }
}

static bool restore(const CheckpointTool *tool, const char *images, const char *work, const Job *job, pid_t ids[],
                    Arena *arena, Err *err)
{
    size_t n_images;
    const char *const *words = restart_words(tool, images, work, &n_images, arena);
    const char *output, *list;
    if (!files_load_text(arena_printf(arena, "%s/output", images), arena, &output, err) ||
        !files_load_text(arena_printf(arena, "%s/processes", images), arena, &list, err))
        return false;
    const ProcessOptions how = child_options(words, *output == '/' ? output : "/dev/null");
    Peers before = {0}, now = {0};
    Process *launcher;
    peers_parse(list, &before, arena);
    if (mkdir(arena_printf(arena, "%s/dmtcp", work), 0700) != 0)
        return err_set(err, ERR_ENVIRONMENT, "%s: %s", work, strerror(errno));
    if (!process_start(&how, arena, &launcher, err))
        return false;
    bool ok = await_running(tool, work, process_id(launcher), n_images, &now, arena) ||
              err_set(err, ERR_ENVIRONMENT, "DMTCP couldn't restore the job: %s", child_errors("", output, arena));
    peers_find_ids(job, &before, &now, ids);
    ids[0] = process_id(launcher); /* dmtcp_restart becomes the first process */
    vec_free(&before);
    vec_free(&now);
    return ok;
}

const BackEnd back_end_dmtcp = {.name = "dmtcp",
                                .demands = "Open MPI's ob1 over shared memory (vader), MPICH's over UCX's posix",
                                .virtual_ids = true,
                                .saves_shared = true,
                                .needs_directory = true,
                                .find = find,
                                .prepare = prepare,
                                .save = save_job,
                                .restore = restore};
