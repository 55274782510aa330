/* SPDX-License-Identifier: BSD-3-Clause */
/* See tracing.h. */
#include "verbs/trace/tracing.h"

#include "base/files.h"
#include "base/process.h"
#include "cli/outputs.h"
#include "model/application.h"
#include "model/times.h"
#include "report/format.h"
#include "trace/ownership.h"

#include <string.h>

enum { LOOK_EVERY_MS = 200 };

static int hides_arguments;

const struct poptOption hiding_option_table[] = {
    {"hide-arguments", '\0', POPT_ARG_NONE, &hides_arguments, 0,
     "store no arguments of the program, but a hash by which firma recognises them", NULL},
    POPT_TABLEEND};

bool arguments_salt(Arena *arena, const char **salt, Err *err)
{
    *salt = NULL;
    return !hides_arguments || application_new_salt(arena, salt, err);
}

static char *local;
enum { LOCAL_BYTES = 2900 };

const struct poptOption local_option_table[] = {
    {"local", '\0', POPT_ARG_STRING, &local, 0,
     "keep records in this directory, which each node has for itself, until its processes end", "DIR"},
    POPT_TABLEEND};

bool local_option_read(const char **given, Err *err)
{
    *given = local;
    if (local && strlen(local) > LOCAL_BYTES)
        return err_set(err, ERR_USAGE, "--local: the path is too long");
    return !local || local[0] == '/' || err_set(err, ERR_USAGE, "--local: `%s` is no absolute path", local) ||
           err_hint(err, "name a directory of every node, such as --local /tmp");
}

bool tracing_is_archive(const char *directory, Arena *arena)
{
    return files_exist(arena_printf(arena, "%s/traces.otf2", directory));
}

static void report_run(const Cli *cli, const Tracing *tracing, Launch *launch)
{
    uint32_t n;
    uint64_t sum = 0;
    if (!cli->progress.report_time)
        return;
    const uint64_t *counts = launch_send_events(launch, &n);
    for (uint32_t i = 0; i < n; i++)
        sum += counts[i];
    Arena *arena = arena_new();
    const char *so_far = sum ? arena_printf(arena, "%s messages and collectives", format_count(arena, sum)) : "";
    progress_report_time(&cli->progress, "tracing the program", so_far, launch_elapsed_s(launch), tracing->expected_s);
    arena_free(arena);
}

/* If the output goes to a file, a progress bar shows that the program is running. */
static void wait_for_end(Cli *cli, const Tracing *tracing, Launch *launch)
{
    bool is_told = false;
    while (!launch_wait(launch, LOOK_EVERY_MS)) {
        if (launch_can_be_killed(launch) && !is_told) {
            cli_note(cli, "interrupted (%s); the launcher hasn't ended yet; another signal, such as Ctrl-C, kills it",
                     strsignal(launch_interrupted(launch)));
            is_told = true;
        }
        if (tracing->output_path)
            report_run(cli, tracing, launch);
    }
    cli_progress_end(cli);
    if (launch_was_killed(launch))
        cli_note(cli, "a second signal came: the launcher and its processes were killed");
}

static void add_output_hint(const char *path, Err *err)
{
    if (!err->hint[0])
        err_hint(err, "the program's output is in %s", path);
}

/* Says that other programs disturbed the run, unless this was clear before it. */
static void note_load_meanwhile(const Cli *cli, Tracing *tracing, Launch *launch, const HostWatch *watch)
{
    if (launch_is_simulated(launch))
        return;
    bool was_busy = host_load_text(&tracing->load, cli->arena);
    const LaunchUsage usage = launch_usage(launch);
    host_watch_end(watch, &usage, &tracing->load);
    launch_note_slowdown(
        launch, slowdown_by_others(usage.n_processes, tracing->load.busy_processors, tracing->load.n_processors));
    if (!was_busy && host_load_text(&tracing->load, cli->arena))
        cli_note(cli, "while the program ran, %s", host_load_text(&tracing->load, cli->arena));
    if (tracing->load.throttles)
        cli_note(cli, "while the program ran, %s", host_throttle_text(&tracing->load, cli->arena));
}

bool tracing_run(Cli *cli, Tracing *tracing, char *const *command, Err *err)
{
    tracing->reason = "--mpi";
    if (!launch_check_launcher(command, cli->arena, err))
        return false;
    if (tracing->flavour == MPI_FLAVOUR_NONE &&
        !launch_find_flavour(command, cli->arena, &tracing->flavour, &tracing->reason, err))
        return false;
    if (tracing->local && tracing->flavour == MPI_FLAVOUR_SMPI)
        return err_set(err, ERR_USAGE, "--local: the processes of a simulated run are all on this host");
    const LaunchOptions how = {.recording = tracing->recording,
                               .flavour = tracing->flavour,
                               .output_path = tracing->output_path,
                               .local = tracing->local,
                               .output_to_stderr = cli->json && !tracing->output_path};
    Launch *launch;
    tracing->load = tracing->flavour == MPI_FLAVOUR_SMPI ? (HostLoad){0} : host_load();
    const char *busy = host_load_text(&tracing->load, cli->arena);
    if (busy)
        cli_note(cli, "%s", busy);
    const HostWatch watch = host_watch_begin();
    if (!launch_start(&how, command, cli->arena, &launch, err))
        return false;
    wait_for_end(cli, tracing, launch);
    note_load_meanwhile(cli, tracing, launch, &watch);
    if (launch_interrupted(launch))
        launch_stop(launch);
    else if (!launch_settle(launch))
        cli_note(
            cli,
            "some processes still run after their launcher has ended; firma doesn't record what they do from now on");
    launch_gather(launch);
    tracing->silence = launch_explain_silence(launch, cli->arena, err);
    tracing->launched = tracing->silence == LAUNCH_RECORDED;
    tracing->status = launch_status(launch);
    tracing->interrupted = launch_interrupted(launch);
    tracing->elapsed_s = launch_elapsed_s(launch);
    if (!tracing->launched && launch_remove_files(launch, tracing->silence, cli->arena))
        add_output_hint(tracing->output_path, err);
    launch_free(launch);
    return tracing->launched;
}

static bool write_archive(Cli *cli, Tracing *tracing, Err *err)
{
    const Output archive = {.path = tracing->archive, .kind = &archive_directory};
    if (!outputs_check_one(&archive, NULL, 0, cli->arena, err))
        return false;
    bool has_former = tracing_is_archive(tracing->archive, cli->arena);
    bool written = archive_replace(tracing->recording, tracing->archive, tracing->salt, &cli->progress, cli->arena,
                                   &tracing->summary, err);
    cli_progress_end(cli);
    if (!written && has_former)
        cli_note(cli, "%s: the former trace is kept", tracing->archive);
    return written;
}

bool tracing_write(Cli *cli, Tracing *tracing, Err *err)
{
    if (write_archive(cli, tracing, err))
        return true;
    if (tracing->launched && tracing->status != 0)
        err_prefix(err, "the launcher ended with status %s", process_status_text(tracing->status, cli->arena));
    return err->hint[0] || tracing->is_import
               ? false
               : err_hint(err,
                          "the recording is kept: when the cause is gone, `firma trace --convert %s -o DIR` makes a "
                          "trace of it",
                          tracing->recording);
}

bool tracing_record(Cli *cli, Tracing *tracing, char *const *command, Err *err)
{
    Err kept; /* a recording that can't be removed doesn't invalidate the trace */
    if (!tracing_run(cli, tracing, command, err) || !tracing_write(cli, tracing, err))
        return false;
    if (!recording_remove(tracing->recording, cli->arena, &kept))
        cli_note(cli, "%s", kept.message);
    return true;
}

bool tracing_judge(const Tracing *tracing, Arena *arena, Err *err)
{
    const ArchiveSummary *summary = &tracing->summary;
    if (tracing->interrupted)
        return err_set(err, ERR_NEGATIVE, "interrupted (%s); the trace up to then is in %s",
                       strsignal(tracing->interrupted), tracing->archive);
    if (tracing->status != 0)
        return err_set(err, ERR_NEGATIVE, "the program ended with status %s; its trace is in %s",
                       process_status_text(tracing->status, arena), tracing->archive);
    if (!summary->n_incomplete)
        return true;
    if (!archive_check_whole(summary, err)) {
        err->kind = ERR_NEGATIVE; /* the archive is kept */
        return err_prefix(err, "%s is incomplete", tracing->archive);
    }
    return err_set(err, ERR_NEGATIVE, "%s is incomplete: %s", tracing->archive, summary->notes[0].text);
}
