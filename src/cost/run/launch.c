/* SPDX-License-Identifier: BSD-3-Clause */
/* See launch.h. */
#include "cost/run/launch.h"

#include "base/files.h"
#include "base/libraries.h"
#include "base/vec.h"
#include "cost/run/command.h"
#include "cost/run/protocol.h"
#include "trace/launch_failure.h"
#include "trace/mpi_launcher.h"
#include <string.h>
#include <unistd.h>

/* ---- the command line ------------------------------------------------------------------------ */

static const char *const openmpi_options[] = {"--bind-to", "none", "--mca", "odls_base_sigkill_timeout", "0", NULL};
static const char *const no_options[] = {NULL};

static const char *find_worker(const char *key, Arena *arena)
{
    return libraries_find_program(arena_printf(arena, "firma-cost-%s", key), "cost/run/worker", arena);
}

/* Finds the requested MPI, or the first one with a launcher and a worker program. */
static bool find_launcher(MpiFlavour flavour, Arena *arena, MpiLauncher *launcher, const char **worker, Err *err)
{
    for (const MpiFlavour *each = mpi_launcher_flavours; *each != MPI_FLAVOUR_NONE; each++) {
        if (flavour != MPI_FLAVOUR_NONE && *each != flavour)
            continue;
        *launcher = mpi_launcher_find(*each, arena);
        *worker = find_worker(launcher->key, arena);
        if (launcher->command && *worker)
            return true;
        if (flavour != MPI_FLAVOUR_NONE)
            return err_set(err, ERR_ENVIRONMENT,
                           launcher->command ? "firma was built without %s" : "no launcher of %s is on PATH",
                           launcher->key) ||
                   err_hint(err, "install it (on Debian: apt-get install %s), and build firma again",
                            launcher->package);
    }
    return err_set(err, ERR_ENVIRONMENT, "found no MPI to run tasks with") ||
           err_hint(err, "install one (on Debian: apt-get install openmpi-bin libopenmpi-dev), and build firma again");
}

/* The MPI of the user's own launcher, by its name. */
static MpiFlavour flavour_of(const char *launcher)
{
    const char *name = files_base_name(launcher);
    return strstr(name, "mpich") || strstr(name, "hydra") ? MPI_FLAVOUR_MPICH
           : strstr(name, "openmpi")                      ? MPI_FLAVOUR_OPENMPI
                                                          : MPI_FLAVOUR_NONE;
}

typedef VEC(const char *) Words;

static void add_all(Words *words, const char *const *more)
{
    for (; *more; more++)
        *vec_push(words) = *more;
}

static bool check_users(const char *const *words, Err *err)
{
    for (; *words; words++)
        if (strcmp(*words, "-n") == 0 || strcmp(*words, "-np") == 0)
            return err_set(err, ERR_USAGE,
                           "`%s`: firma sets the number of processes itself: one for each of --workers, and one for "
                           "the master",
                           *words) ||
                   err_hint(err, "leave out this option and its value");
    return true;
}

bool launch_command(const RunRequest *request, const char *plan, Arena *arena, const char *const **command, Err *err)
{
    Words words = {0};
    MpiLauncher launcher = {0};
    const char *worker = NULL;
    MpiFlavour flavour = request->flavour;
    if (request->launcher && !check_users(request->launcher, err))
        return false;
    if (request->launcher && flavour == MPI_FLAVOUR_NONE)
        flavour = flavour_of(request->launcher[0]);
    if (!find_launcher(flavour, arena, &launcher, &worker, err))
        return false;
    if (request->launcher)
        add_all(&words, request->launcher);
    else {
        *vec_push(&words) = launcher.command;
        add_all(&words, launcher.first_options);
        add_all(&words, launcher.flavour == MPI_FLAVOUR_OPENMPI ? openmpi_options : no_options);
    }
    add_all(&words, (const char *const[]){"-n", arena_printf(arena, "%u", request->n_workers + 1), worker, plan, NULL});
    *vec_push(&words) = NULL;
    *command = vec_copy(&words, arena);
    vec_free(&words);
    return true;
}

/* ---- its output ---------------------------------------------------------------------------- */

typedef struct LauncherOutput {
    void (*say)(const char *line);
    bool has_ended;
    LauncherComplaint complaint;
} LauncherOutput;

/* Tasks may print anything, and may leave their last line unfinished. Lines of the launcher behind
 * RUN_IS_OVER are dropped: the master has explained the end. */
static bool take_line(void *self, const char *line)
{
    LauncherOutput *output = self;
    output->has_ended = output->has_ended || strstr(line, RUN_IS_OVER);
    if (output->has_ended)
        return true;
    if (output->say)
        output->say(line);
    launcher_complaint_hear(&output->complaint, line);
    return false;
}

bool launch_follow(const char *const *command, const char *const *environment, const char *results,
                   void (*say)(const char *line), Arena *arena, Err *err)
{
    LauncherOutput output = {.say = say};
    int status = 0;
    unlink(results); /* of a previous run */
    if (!command_run(command, environment, take_line, &output, arena, &status, err))
        return false;
    return access(results, F_OK) == 0 ||
           launcher_complaint_explain(&output.complaint, (char *const *)command, status, arena, err);
}
