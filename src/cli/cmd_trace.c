/* SPDX-License-Identifier: BSD-3-Clause */
/* firma trace: runs a program under its launcher with the recorder preloaded, and makes an OTF2 archive of what was
 * recorded, however the program ended. */
#include "base/files.h"
#include "cli/cli.h"
#include "cli/launching.h"
#include "cli/mpi_option.h"
#include "report/format.h"
#include "report/table.h"
#include "trace/archive.h"
#include "trace/launch.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct {
    char *output, *mpi, *convert;
    int force, keep_recording;
} options;

static const struct poptOption option_table[] = {
    {"output", 'o', POPT_ARG_STRING, &options.output, 0, "the archive's directory; by default PROGRAM.trace", "DIR"},
    MPI_OPTION(&options.mpi),
    {"force", 'f', POPT_ARG_NONE, &options.force, 0, "replace the archive that is there already", NULL},
    {"keep-recording", '\0', POPT_ARG_NONE, &options.keep_recording, 0,
     "leave the raw recording, DIR.recording, in place", NULL},
    {"convert", '\0', POPT_ARG_STRING, &options.convert, 0,
     "run nothing: make an archive of a recording that was left behind, when firma itself was killed, say",
     "RECORDING"},
    POPT_TABLEEND};

/* One tracing, from the names to what came out. */
typedef struct Tracing {
    const char *archive, *recording;
    bool launched;
    MpiFlavour flavour;
    const char *reason; /* of the flavour */
    int status;         /* of the launcher */
    int interrupted;
    double elapsed_s;
    ArchiveSummary summary;
} Tracing;

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static bool is_archive(const char *directory, Arena *arena)
{
    return exists(arena_printf(arena, "%s/traces.otf2", directory));
}

static const char *without_slashes(const char *path, Arena *arena)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    return arena_strndup(arena, path, length);
}

static bool has_suffix(const char *text, const char *suffix)
{
    size_t length = strlen(text), suffix_length = strlen(suffix);
    return length > suffix_length && strcmp(text + length - suffix_length, suffix) == 0;
}

static const char *default_archive(char *const *command, Arena *arena)
{
    if (!options.convert)
        return arena_printf(arena, "%s.trace", program_name(command, arena));
    if (has_suffix(options.convert, ".recording"))
        return arena_strndup(arena, options.convert, strlen(options.convert) - strlen(".recording"));
    return arena_printf(arena, "%s.trace", options.convert);
}

/* Before anything runs: nothing of an earlier run may be lost, or be mixed with this one. */
static bool check_places(const Tracing *tracing, Arena *arena, Err *err)
{
    if (is_archive(tracing->archive, arena) && !options.force) {
        err_set(err, ERR_USAGE, "%s: there is a trace already", tracing->archive);
        return err_hint(err, "choose another directory with -o DIR, or replace this one with --force");
    }
    if (options.convert && !exists(tracing->recording))
        return err_set(err, ERR_INPUT, "%s: %s", tracing->recording, strerror(errno));
    if (options.convert || !exists(tracing->recording))
        return true;
    if (options.force)
        return files_remove_tree(tracing->recording) ||
               err_set(err, ERR_ENVIRONMENT, "%s: can't be removed: %s", tracing->recording, strerror(errno));
    err_set(err, ERR_USAGE, "%s: a recording that was left behind", tracing->recording);
    return err_hint(err, "`firma trace --convert %s` makes a trace of it; or remove it, or say --force",
                    tracing->recording);
}

static bool run_program(Cli *cli, Tracing *tracing, char *const *command, Err *err)
{
    if (!mpi_option_parse(options.mpi, &tracing->flavour, err))
        return false;
    tracing->reason = "--mpi";
    if (tracing->flavour == MPI_FLAVOUR_NONE &&
        !launch_find_flavour(command, cli->arena, &tracing->flavour, &tracing->reason, err))
        return false;
    LaunchOptions how = {.recording = tracing->recording, .flavour = tracing->flavour, .output_to_stderr = cli->json};
    Launch *launch;
    bool had_recording = exists(tracing->recording);
    if (!launch_start(&how, command, cli->arena, &launch, err)) {
        if (!had_recording)
            files_remove_tree(tracing->recording);
        return false;
    }
    launch_wait(launch, -1);
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

/* The old archive goes only when the new one stands. */
static bool write_archive(Cli *cli, Tracing *tracing, Err *err)
{
    const char *old = NULL;
    if (is_archive(tracing->archive, cli->arena)) {
        old = arena_printf(cli->arena, "%s.old-%d", tracing->archive, (int)getpid());
        if (rename(tracing->archive, old) != 0)
            return err_set(err, ERR_ENVIRONMENT, "%s: can't be moved away: %s", tracing->archive, strerror(errno));
    }
    bool written =
        archive_write(tracing->recording, tracing->archive, &cli->progress, cli->arena, &tracing->summary, err);
    cli_progress_end(cli);
    if (old && written)
        files_remove_tree(old);
    else if (old && files_remove_tree(tracing->archive))
        rename(old, tracing->archive);
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
    if (tracing->launched && !holds_records(tracing->recording, arena))
        files_remove_tree(tracing->recording);
    else if (err->hint[0] == '\0')
        err_hint(err, "the recording is kept: `firma trace --convert %s -o %s` tries again", tracing->recording,
                 tracing->archive);
    return false;
}

static json_t *notes_to_json(const ArchiveSummary *summary)
{
    json_t *notes = json_array();
    for (uint32_t i = 0; i < summary->n_notes; i++)
        json_array_append_new(notes, cli_json_string(summary->notes[i].text));
    return notes;
}

static void print_json(const Tracing *tracing)
{
    const ArchiveSummary *summary = &tracing->summary;
    json_t *document = json_object();
    json_object_set_new(document, "trace", cli_json_string(tracing->archive));
    json_object_set_new(document, "trace_bytes", json_integer((json_int_t)directory_bytes(tracing->archive)));
    json_object_set_new(document, "processes", json_integer(summary->n_processes));
    json_object_set_new(document, "processes_missing", json_integer(summary->n_missing));
    json_object_set_new(document, "processes_unfinished", json_integer(summary->n_unfinished));
    json_object_set_new(document, "calls", json_integer((json_int_t)summary->n_calls));
    json_object_set_new(document, "messages", json_integer((json_int_t)summary->n_messages));
    json_object_set_new(document, "collectives", json_integer((json_int_t)summary->n_collectives));
    json_object_set_new(document, "application_s", json_real(summary->application_s));
    if (tracing->launched) {
        json_object_set_new(document, "mpi", json_string(mpi_flavour_name(tracing->flavour)));
        json_object_set_new(document, "mpi_reason", cli_json_string(tracing->reason));
        json_object_set_new(document, "launcher_status", json_integer(tracing->status));
        json_object_set_new(document, "elapsed_s", json_real(tracing->elapsed_s));
    }
    if (options.keep_recording || options.convert)
        json_object_set_new(document, "recording", cli_json_string(tracing->recording));
    json_object_set_new(document, "notes", notes_to_json(summary));
    cli_print_json(&verb_trace, document);
}

static void row(Table *table, const char *what, const char *value)
{
    table_cell(table, "%s", what);
    table_cell(table, "%s", value);
}

static const char *processes_text(const ArchiveSummary *summary, Arena *arena)
{
    const char *text = arena_printf(arena, "%u", summary->n_processes);
    if (summary->n_unfinished)
        text = arena_printf(arena, "%s, %u of them did not finish", text, summary->n_unfinished);
    if (summary->n_missing)
        text = arena_printf(arena, "%s, %u left nothing", text, summary->n_missing);
    return text;
}

/* To stderr: stdout is the traced program's. */
static void print_summary(Cli *cli, const Tracing *tracing)
{
    const ArchiveSummary *summary = &tracing->summary;
    Arena *arena = cli->arena;
    Table *table = table_new(arena);
    table_column(table, "", TABLE_LEFT);
    table_column(table, "", TABLE_LEFT);
    const char *size = format_bytes(arena, (double)directory_bytes(tracing->archive));
    row(table, "trace", arena_printf(arena, "%s (%s)", tracing->archive, size));
    row(table, "processes", processes_text(summary, arena));
    row(table, "calls", format_count(arena, summary->n_calls));
    row(table, "messages", format_count(arena, summary->n_messages));
    row(table, "collectives", format_count(arena, summary->n_collectives));
    row(table, "time",
        arena_printf(arena, "%s from MPI_Init to MPI_Finalize", format_seconds(arena, summary->application_s)));
    if (tracing->launched) {
        const char *elapsed = format_seconds(arena, tracing->elapsed_s);
        row(table, "launcher", arena_printf(arena, "%s, status %d", elapsed, tracing->status));
        row(table, "MPI", arena_printf(arena, "%s (%s)", mpi_flavour_name(tracing->flavour), tracing->reason));
    }
    fputs(table_text(table, false), stderr);
    for (uint32_t i = 0; i < summary->n_notes; i++)
        fprintf(stderr, "note: %s\n", summary->notes[i].text);
}

/* The trace stands; but did the program do its job? */
static bool judge_ending(const Tracing *tracing, Err *err)
{
    const ArchiveSummary *summary = &tracing->summary;
    if (tracing->interrupted)
        return err_set(err, ERR_NEGATIVE, "interrupted (%s); what ran is in %s", strsignal(tracing->interrupted),
                       tracing->archive);
    if (tracing->status != 0)
        return err_set(err, ERR_NEGATIVE, "the program ended with status %d; what it did is in %s", tracing->status,
                       tracing->archive);
    if (tracing->launched && (summary->n_unfinished || summary->n_missing))
        return err_set(err, ERR_NEGATIVE, "%u of %u processes ended without MPI_Finalize; what they did is in %s",
                       summary->n_unfinished + summary->n_missing, summary->n_processes, tracing->archive);
    return true;
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    if (n > 0)
        return err_set(err, ERR_USAGE, "%s: not understood", words[0]) ||
               err_hint(err, "usage: firma trace %s", verb_trace.synopsis);
    if (!command == !options.convert)
        return err_set(err, ERR_USAGE,
                       command ? "--convert runs nothing, so it takes no launcher" : "what shall be traced?") ||
               err_hint(err, "usage: firma trace %s", verb_trace.synopsis);
    Tracing tracing = {0};
    if (options.convert)
        options.convert = (char *)without_slashes(options.convert, cli->arena);
    tracing.archive =
        without_slashes(options.output ? options.output : default_archive(command, cli->arena), cli->arena);
    tracing.recording = options.convert ? options.convert : arena_printf(cli->arena, "%s.recording", tracing.archive);
    if (!check_places(&tracing, cli->arena, err) || (command && !run_program(cli, &tracing, command, err)))
        return false;
    if (!write_archive(cli, &tracing, err))
        return explain_failure(&tracing, cli->arena, err);
    if (!options.keep_recording && !options.convert && !files_remove_tree(tracing.recording))
        cli_note(cli, "%s: can't be removed: %s", tracing.recording, strerror(errno));
    if (cli->json)
        print_json(&tracing);
    else if (!cli->quiet)
        print_summary(cli, &tracing);
    return judge_ending(&tracing, err);
}

const Verb verb_trace = {
    .name = "trace",
    .summary = "run an MPI program and record what it communicates",
    .synopsis = "[-o DIR] [--mpi openmpi|mpich] -- LAUNCHER [ARGUMENTS] PROGRAM [ARGUMENTS]",
    .description =
        "Runs the launcher's command line as it is, with firma's recorder preloaded into the program, and writes "
        "what the program communicated, and how long it computed in between, as an OTF2 archive. The program is "
        "neither changed nor relinked; C, C++ and Fortran programs will do, under Open MPI and under MPICH and "
        "its relatives. OTF2 tools such as otf2-print and Vampir read the archive, and `firma phases` analyses "
        "it.\n\n"
        "A program that fails, is killed or is interrupted with Ctrl-C leaves a readable archive of what it did "
        "before; firma then ends with status 1. While the program runs, its records are in DIR.recording. On "
        "several nodes the working directory must be shared between them.\n\n"
        "Which MPI the program uses is found out from its libraries, or from the launcher's --version. Standard "
        "input and output are the program's; the summary goes to standard error, or with --json as a document to "
        "standard output, and then the program's output to standard error.",
    .examples = "firma trace -- mpirun -n 4 ./app input.dat     # writes app.trace\n"
                "firma trace -o run1 -- srun -n 64 ./app        # writes run1\n"
                "firma trace --mpi mpich -- ./start-it.sh       # a script that firma can't look into\n"
                "firma trace --convert app.trace.recording      # after firma itself was killed",
    .options = option_table,
    .takes_command = true,
    .run = run,
};
