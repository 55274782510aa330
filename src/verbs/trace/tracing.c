/* SPDX-License-Identifier: BSD-3-Clause */
/* See tracing.h. */
#include "verbs/trace/tracing.h"

#include "base/files.h"
#include "cli/outputs.h"
#include "trace/ownership.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LOOK_EVERY_MS = 200 };

bool tracing_is_archive(const char *directory, Arena *arena)
{
    return files_exist(arena_printf(arena, "%s/traces.otf2", directory));
}

/* Where the program's output goes to a file, a terminal shows that it runs. */
static void wait_for_end(Cli *cli, const Tracing *tracing, Launch *launch)
{
    if (!tracing->output_path) {
        launch_wait(launch, -1);
        return;
    }
    while (!launch_wait(launch, LOOK_EVERY_MS))
        progress_report(&cli->progress, "running the program, ms", (uint64_t)(1e3 * launch_elapsed_s(launch)),
                        (uint64_t)(1e3 * tracing->expected_s));
    cli_progress_end(cli);
}

bool tracing_run(Cli *cli, Tracing *tracing, char *const *command, Err *err)
{
    tracing->reason = "--mpi";
    if (tracing->flavour == MPI_FLAVOUR_NONE &&
        !launch_find_flavour(command, cli->arena, &tracing->flavour, &tracing->reason, err))
        return false;
    const LaunchOptions how = {.recording = tracing->recording,
                               .flavour = tracing->flavour,
                               .output_path = tracing->output_path,
                               .output_to_stderr = cli->json && !tracing->output_path};
    Launch *launch;
    if (!launch_start(&how, command, cli->arena, &launch, err))
        return false;
    wait_for_end(cli, tracing, launch);
    if (launch_interrupted(launch))
        launch_stop(launch);
    else if (!launch_settle(launch))
        cli_note(cli, "some processes outlive their launcher; what they do from here on isn't recorded");
    tracing->launched = true;
    tracing->status = launch_status(launch);
    tracing->interrupted = launch_interrupted(launch);
    tracing->elapsed_s = launch_elapsed_s(launch);
    launch_free(launch);
    return true;
}

static bool write_archive(Cli *cli, Tracing *tracing, Err *err)
{
    OutputDirectory directory;
    const Output archive = {.path = tracing->archive, .kind = &archive_directory};
    if (!output_directory_begin(&archive, cli->arena, &directory, err))
        return false;
    bool written =
        archive_write(tracing->recording, tracing->archive, &cli->progress, cli->arena, &tracing->summary, err);
    cli_progress_end(cli);
    output_directory_end(&directory, written);
    return written;
}

static bool holds_records(const char *recording, Arena *arena)
{
    glob_t found;
    bool any = glob(arena_printf(arena, "%s/*.process", recording), GLOB_NOSORT, NULL, &found) == 0;
    globfree(&found);
    return any;
}

/* What the failed writing of an archive means for the user. A recording that never began is not left in the way. */
static bool explain_failure(const Tracing *tracing, Arena *arena, Err *err)
{
    if (tracing->launched && tracing->status != 0)
        err_prefix(err, "the launcher ended with status %d", tracing->status);
    Err kept;
    if (tracing->launched && !holds_records(tracing->recording, arena))
        recording_remove(tracing->recording, arena, &kept);
    else if (err->hint[0] == '\0')
        err_hint(err, "the recording is kept: `firma trace --convert %s -o %s` tries again", tracing->recording,
                 tracing->archive);
    return false;
}

bool tracing_write(Cli *cli, Tracing *tracing, Err *err)
{
    return write_archive(cli, tracing, err) || explain_failure(tracing, cli->arena, err);
}

bool tracing_judge(const Tracing *tracing, Err *err)
{
    const ArchiveSummary *summary = &tracing->summary;
    if (tracing->interrupted)
        return err_set(err, ERR_NEGATIVE, "interrupted (%s); what ran is in %s", strsignal(tracing->interrupted),
                       tracing->archive);
    if (tracing->status != 0)
        return err_set(err, ERR_NEGATIVE, "the program ended with status %d; what it did is in %s", tracing->status,
                       tracing->archive);
    if (tracing->launched && (summary->n_unfinished || summary->n_missing))
        return err_set(err, ERR_NEGATIVE,
                       "of %u of %u processes no return from MPI_Finalize was recorded; what was is in %s",
                       summary->n_unfinished + summary->n_missing, summary->n_processes, tracing->archive);
    return true;
}
