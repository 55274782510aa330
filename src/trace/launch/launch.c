/* SPDX-License-Identifier: BSD-3-Clause */
/* Starting a launcher with the recorder preloaded: see launch.h. Waiting for it is in wait.c, ending it in
 * stop.c. */
#include "trace/launch.h"

#include "trace/launch/directory.h"
#include "trace/launch/preload.h"
#include "trace/launch/state.h"
#include "trace/launch/stops.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Out of reach of the terminal: a session of its own, nothing to read, and nothing open that whoever started firma left
 * open: a checkpointer couldn't save that. */
static bool detach(void)
{
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    return setsid() >= 0 && nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
           close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC) == 0;
}

static bool redirect(int output)
{
    return output < 0 || (dup2(output, STDOUT_FILENO) >= 0 && dup2(output, STDERR_FILENO) >= 0);
}

/* In the child: becomes the launcher, or tells why not through `report`. */
static void become_launcher(const Launch *launch, const LaunchOptions *options, const char *recorder,
                            char *const argv[], int program, int output, int report)
{
    bool ready = preload_prepare(recorder, launch->recording, options->flavour, program, &argv, launch->arena);
    if (options->to_be_stopped)
        setenv("OMPI_MCA_odls_base_sigkill_timeout", "0", 0);
    ready = ready && (!options->detached || detach()) && redirect(output) &&
            (!options->output_to_stderr || dup2(STDERR_FILENO, STDOUT_FILENO) >= 0);
    sigprocmask(SIG_SETMASK, options->blocked ? options->blocked : &launch->outer_mask, NULL);
    if (ready)
        execvp(argv[0], argv);
    int code = errno;
    _exit(write(report, &code, sizeof code) == sizeof code ? 127 : 126);
}

static bool open_output(const char *path, bool append, int *output, Err *err)
{
    int how = O_WRONLY | O_CREAT | O_CLOEXEC | (append ? O_APPEND : O_TRUNC);
    *output = path ? open(path, how, 0666) : -1;
    return *output >= 0 || !path || err_set(err, ERR_ENVIRONMENT, "%s: %s", path, strerror(errno));
}

static bool start_error(const char *launcher, int code, Err *err)
{
    err_set(err, ERR_ENVIRONMENT, "%s: can't be started: %s", launcher, strerror(code));
    if (code == ENOENT)
        err_hint(err, "is the launcher's name right, and MPI installed? `firma doctor` tells");
    return false;
}

static bool start_child(Launch *launch, const LaunchOptions *options, const char *recorder, char *const argv[],
                        Err *err)
{
    int program = launch_find_program(argv, launch->arena), output, ends[2];
    int launcher_words = 0;
    while (argv[launcher_words] && (program < 0 || launcher_words < program))
        launcher_words++;
    if (preload_is_set(argv, launcher_words)) {
        err_set(err, ERR_USAGE, "%s …: the command line sets LD_PRELOAD, which would shut out firma's recorder",
                argv[0]);
        return err_hint(err, "set LD_PRELOAD in the environment of firma instead: the recorder is put before it");
    }
    if (!open_output(options->output_path, options->detached, &output, err))
        return false;
    bool started = false;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        err_set(err, ERR_ENVIRONMENT, "no pipe to start %s: %s", argv[0], strerror(errno));
        goto done;
    }
    fflush(NULL);
    launch_hold_signals(launch);
    launch->begin_ns = launch_now_ns();
    launch->pid = fork();
    if (launch->pid == 0)
        become_launcher(launch, options, recorder, argv, launcher_words, output, ends[1]);
    int code = launch->pid < 0 ? errno : 0;
    close(ends[1]);
    if (launch->pid > 0 && read(ends[0], &code, sizeof code) > 0)
        waitpid(launch->pid, NULL, 0);
    close(ends[0]);
    started = code == 0;
    if (!started) {
        launch_release_signals(launch);
        start_error(argv[0], code, err);
    }
done:
    if (output >= 0)
        close(output);
    return started;
}

bool launch_start(const LaunchOptions *options, char *const argv[], Arena *arena, Launch **launch, Err *err)
{
    LaunchOptions chosen = *options;
    const char *reason, *recorder = NULL;
    if (!argv || !argv[0])
        return err_set(err, ERR_USAGE, "no launcher to start");
    if (options->detached && !options->output_path)
        return err_set(err, ERR_BUG, "a launch apart from the terminal needs a file for its output");
    if (chosen.flavour == MPI_FLAVOUR_NONE && !launch_find_flavour(argv, arena, &chosen.flavour, &reason, err))
        return false;
    if (chosen.flavour != MPI_FLAVOUR_SMPI && !launch_find_recorder(chosen.flavour, arena, &recorder, err))
        return false;
    Launch *started = arena_alloc(arena, sizeof *started);
    started->arena = arena;
    started->detached = options->detached;
    started->hidden_ids = options->hidden_ids;
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    if (!launch_make_directory(options->recording, arena, &started->recording, err) ||
        !launch_make_control(started->recording, host, arena, &started->control, err) ||
        (options->stops && !launch_make_stops(started, options->stops, err)) ||
        !start_child(started, &chosen, recorder, argv, err))
        return false;
    started->watch = (Watch){.recording = started->recording, .arena = arena};
    *launch = started;
    return true;
}

const uint64_t *launch_send_events(Launch *launch, uint32_t *count)
{
    return watch_send_events(&launch->watch, count);
}

void launch_free(Launch *launch)
{
    if (!launch)
        return;
    if (launch_is_adopted(launch))
        launch_release_signals(launch);
    watch_free(&launch->watch);
    if (launch->stops)
        munmap(launch->stops, launch->stops_bytes);
    munmap(launch->control, sizeof *launch->control);
}

pid_t launch_pid(const Launch *launch)
{
    return launch->pid;
}
