/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts a launcher with the recorder preloaded; see launch.h. wait.c waits for the launcher, and
 * stop.c ends it. */
#include "trace/launch.h"

#include "base/files.h"
#include "base/owner.h"
#include "trace/gathering.h"
#include "trace/launch/directory.h"
#include "trace/launch/guard.h"
#include "trace/launch/preload.h"
#include "trace/launch/pvm_machine.h"
#include "trace/launch/state.h"
#include "trace/launch/stops.h"
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { GATHERING_TRIES = 200, GATHERING_NAP_NS = 10000000 };

bool launch_check_launcher(char *const argv[], Arena *arena, Err *err)
{
    if (process_find(argv[0], NULL, arena))
        return true;
    bool is_there = strchr(argv[0], '/') && files_exist(argv[0]);
    err_set(err, ERR_ENVIRONMENT, "%s: cannot be started: %s", argv[0], strerror(is_there ? EACCES : ENOENT));
    return is_there ? false
                    : err_hint(err, "check the launcher's name; `firma doctor` checks whether MPI is installed");
}

/* PVM's daemon looks for the programs of spawned tasks where the program itself is, too. */
static bool start_machine(Launch *launch, char *const argv[], Err *err)
{
    char here[PATH_MAX];
    const int program = launch_find_program(argv, launch->arena);
    const char *path = program < 0 ? NULL : launch_find_executable(argv[program], launch->arena);
    const char *const directories[] = {path && realpath(path, here) ? dirname(here) : NULL, NULL};
    const PvmMachinePlan plan = {.paths = directories};
    return pvm_machine_start(&plan, launch->arena, &launch->machine, err);
}

static bool start_child(Launch *launch, const LaunchOptions *options, const char *recorder, char *const argv[],
                        Err *err)
{
    int program = launch_find_program(argv, launch->arena);
    int launcher_words = 0;
    while (argv[launcher_words] && (program < 0 || launcher_words < program))
        launcher_words++;
    if (preload_is_set(argv, launcher_words)) {
        err_set(err, ERR_USAGE, "%s …: the command line sets LD_PRELOAD, which would replace firma's recorder",
                argv[0]);
        return err_hint(err, "set LD_PRELOAD in firma's environment instead; firma puts its recorder before the value");
    }
    if (!launch_check_launcher(argv, launch->arena, err))
        return false;
    launch_hold_signals(launch);
    if (options->flavour == MPI_FLAVOUR_PVM && !start_machine(launch, argv, err)) {
        launch_release_signals(launch);
        return false;
    }
    Preload preload = preload_prepare(recorder, launch->recording, options, argv, launcher_words, launch->arena);
    if (launch->machine)
        preload_for_pvm(&preload, pvm_machine_environment(launch->machine), launch->arena);
    const ProcessOptions how = {.words = preload.words,
                                .environment = preload.environment,
                                .input = options->detached ? PROCESS_NOTHING : PROCESS_OURS,
                                .output = options->output_to_stderr ? STDERR_FILENO : PROCESS_OURS,
                                .errors = options->output_path ? PROCESS_NOTHING : PROCESS_OURS,
                                .output_file = options->output_path,
                                .appends = options->detached || options->appends_output,
                                .keeps_files = !options->detached,
                                .group = options->detached ? PROCESS_OWN_SESSION : PROCESS_OUR_GROUP,
                                .blocked = options->blocked ? options->blocked : &launch->outer_mask};
    launch->begin_ns = launch_now_ns();
    if (guard_start(launch, err) && process_start(&how, launch->arena, &launch->process, err))
        return true;
    guard_end(launch);
    pvm_machine_stop(launch->machine);
    launch_release_signals(launch);
    return false;
}

/* Tasks print to the log of PVM's daemon. When the daemon ends, their output goes where that of the
 * program goes; to stderr, because it comes late. */
static void forward_output(const Launch *launch)
{
    const char *text = pvm_machine_output(launch->machine, launch->arena);
    FILE *file = launch->output_path ? fopen(launch->output_path, "a") : stderr;
    if (file)
        fputs(text, file);
    if (file && file != stderr)
        fclose(file);
}

static void end_machine(const Launch *launch)
{
    if (!launch->machine)
        return;
    forward_output(launch);
    pvm_machine_stop(launch->machine);
}

static void unmap_files(Launch *launch)
{
    if (launch->stops)
        munmap(launch->stops, launch->stops_bytes);
    if (launch->control)
        munmap(launch->control, sizeof *launch->control);
}

/* Creates the recording's files, and starts the launcher. */
static bool record_child(Launch *launch, const LaunchOptions *options, const char *recorder, char *const argv[],
                         Err *err)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    bool had_output = options->output_path && files_exist(options->output_path);
    if (!launch_make_control(launch->recording, host, launch->arena, &launch->control, err))
        return false;
    if (options->local)
        snprintf(launch->control->local, sizeof launch->control->local, "%s/firma-records-%s", options->local,
                 owner_name(launch->arena));
    if ((!options->stops || launch_make_stops(launch, options->stops, err)) &&
        start_child(launch, options, recorder, argv, err))
        return true;
    unmap_files(launch);
    unlink(arena_printf(launch->arena, "%s/control", launch->recording));
    unlink(arena_printf(launch->arena, "%s/" STOPS_NAME, launch->recording));
    if (options->output_path && !had_output)
        unlink(options->output_path);
    return false;
}

bool launch_start(const LaunchOptions *options, char *const argv[], Arena *arena, Launch **launch, Err *err)
{
    LaunchOptions chosen = *options;
    const char *reason, *recorder = NULL;
    if (!argv || !argv[0])
        return err_set(err, ERR_USAGE, "the command line is empty: no launcher to start");
    if (options->detached && !options->output_path)
        return err_set(err, ERR_BUG, "a detached launch needs a file for its output");
    if (chosen.flavour == MPI_FLAVOUR_NONE &&
        (!launch_check_launcher(argv, arena, err) || !launch_find_flavour(argv, arena, &chosen.flavour, &reason, err)))
        return false;
    if (chosen.flavour != MPI_FLAVOUR_SMPI && !launch_find_recorder(chosen.flavour, arena, &recorder, err))
        return false;
    Launch *started = arena_alloc(arena, sizeof *started);
    started->arena = arena;
    started->detached = options->detached;
    started->hidden_ids = options->hidden_ids;
    started->argv = argv;
    started->output_path = options->output_path;
    started->flavour = chosen.flavour;
    bool had_directory = files_exist(options->recording);
    if (!launch_make_directory(options->recording, arena, &started->recording, err))
        return false;
    if (!record_child(started, &chosen, recorder, argv, err)) {
        if (!had_directory)
            rmdir(started->recording);
        return false;
    }
    started->watch = (Watch){.recording = started->recording, .arena = arena};
    *launch = started;
    return true;
}

const uint64_t *launch_send_events(Launch *launch, uint32_t *count)
{
    return watch_send_events(&launch->watch, count);
}

void launch_gather(const Launch *launch)
{
    char host[256] = "", directory[GATHERING_PATH_BYTES];
    if (!launch->control->local[0])
        return;
    gethostname(host, sizeof host - 1);
    gathering_directory(launch->control->local, directory);
    /* A process that has just been killed exists until the kernel has freed its memory. What can't be
     * moved is missing in the recording, and named there. */
    for (int tries = 0; tries < GATHERING_TRIES; tries++) {
        gathering_collect(directory, launch->recording, host, 0);
        if (!files_exist(directory))
            return;
        nanosleep(&(struct timespec){0, GATHERING_NAP_NS}, NULL);
    }
}

void launch_free(Launch *launch)
{
    if (!launch)
        return;
    if (launch_is_adopted(launch))
        launch_release_signals(launch);
    guard_end(launch);
    end_machine(launch);
    watch_free(&launch->watch);
    unmap_files(launch);
}

bool launch_is_simulated(const Launch *launch)
{
    return launch->flavour == MPI_FLAVOUR_SMPI;
}

void launch_note_slowdown(const Launch *launch, double slowdown)
{
    launch->control->slowdown = slowdown;
}

pid_t launch_pid(const Launch *launch)
{
    return launch_is_adopted(launch) ? 0 : process_id(launch->process);
}
