/* SPDX-License-Identifier: BSD-3-Clause */
/* firma trace: runs a program under its launcher with the recorder preloaded. Makes an OTF2 archive
 * of the records, however the program ended. */
#include "base/files.h"
#include "base/process.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/outputs.h"
#include "cli/shared_options.h"
#include "report/format.h"
#include "report/table.h"
#include "trace/import/import.h"
#include "trace/ownership.h"
#include "verbs/trace/launching.h"
#include "verbs/trace/tracing.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct {
    char *output, *convert, *flop_rate;
    int keep_recording;
} options;

static const struct poptOption option_table[] = {
    {"output", 'o', POPT_ARG_STRING, &options.output, 0, "where to write the archive; by default PROGRAM.trace", "DIR"},
    SHARED_OPTIONS(mpi_option_table),
    SHARED_OPTIONS(force_option_table),
    SHARED_OPTIONS(hiding_option_table),
    SHARED_OPTIONS(local_option_table),
    {"keep-recording", '\0', POPT_ARG_NONE, &options.keep_recording, 0, "keep the recording in DIR.recording", NULL},
    {"convert", '\0', POPT_ARG_STRING, &options.convert, 0,
     "run nothing, but make an archive of another tool's trace, or of a recording that a killed firma left behind",
     "PATH"},
    {"flop-rate", '\0', POPT_ARG_STRING, &options.flop_rate, 0,
     "of a time-independent trace, flops that a process computes in a second, such as 2e9", "RATE"},
    POPT_TABLEEND};

static const char *without_slashes(const char *path, Arena *arena)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    return arena_strndup(arena, path, length);
}

/* "app.trace.recording" becomes app.trace, and "app.prv" too. */
static const char *const converted_suffixes[] = {".recording", ".prv", ".txt"};

static const char *default_archive(char *const *command, Arena *arena)
{
    if (!options.convert)
        return arena_printf(arena, "%s.trace", program_name(command, arena));
    for (size_t i = 0; i < sizeof converted_suffixes / sizeof *converted_suffixes; i++)
        if (files_has_suffix(options.convert, converted_suffixes[i]))
            return arena_printf(arena, "%.*s%s", (int)(strlen(options.convert) - strlen(converted_suffixes[i])),
                                options.convert, i ? ".trace" : "");
    return arena_printf(arena, "%s.trace", options.convert);
}

static bool check_recording(const Cli *cli, const Tracing *tracing, Err *err)
{
    Arena *arena = cli->arena;
    if (options.convert && !files_exist(tracing->recording))
        return err_set(err, ERR_INPUT, "%s: %s", tracing->recording, strerror(errno));
    if (options.convert && (files_is_within(tracing->archive, tracing->recording) ||
                            files_is_within(tracing->recording, tracing->archive)))
        return err_set(err, ERR_USAGE, "%s and %s: the trace and the recording need directories of their own",
                       tracing->archive, tracing->recording) ||
               err_hint(err, "choose another directory with -o DIR");
    if (options.convert && tracing_is_archive(tracing->recording, arena))
        return err_set(err, ERR_INPUT, "%s: is a trace already, not a recording", tracing->recording);
    if (options.convert && files_is_empty(tracing->recording))
        return err_set(err, ERR_INPUT, "%s: this directory is empty; expected a recording", tracing->recording) ||
               err_hint(err, "if the program ended before MPI_Init, it left no records; run `firma trace` again");
    if (!options.convert)
        recording_remove_remains(tracing->recording, arena);
    if (!files_exist(tracing->recording) || (!options.convert && files_is_empty(tracing->recording)))
        return true;
    if (force_is_given() && !options.convert)
        return recording_remove(tracing->recording, arena, err);
    if (options.convert && recording_owner_is_unknown(tracing->recording, arena)) {
        cli_note(cli,
                 "%s was made on another host, or in another PID namespace; firma can't tell from here whether its "
                 "program has ended",
                 tracing->recording);
        return true;
    }
    if (!recording_check_unused(tracing->recording, arena, err))
        return false;
    if (options.convert)
        return true;
    if (!recording_check_own(tracing->recording, arena, err))
        return false;
    err_set(err, ERR_USAGE, "%s: an earlier run left this recording behind", tracing->recording);
    return err_hint(err, "`firma trace --convert %s` makes a trace of it; or remove it, or add --force",
                    tracing->recording);
}

/* Checked before anything runs, so that results of an earlier run are neither lost nor mixed with
 * new ones. */
static bool check_places(const Cli *cli, const Tracing *tracing, Err *err)
{
    const Output archive = {.path = tracing->archive, .kind = &archive_directory};
    return outputs_check_one(&archive, NULL, 0, cli->arena, err) &&
           (tracing->is_import || check_recording(cli, tracing, err));
}

/* --flop-rate; 0: not given */
static bool read_flop_rate(double *rate, Err *err)
{
    char *end = options.flop_rate;
    *rate = options.flop_rate ? text_number(options.flop_rate, &end) : 0;
    return !options.flop_rate || (end > options.flop_rate && *end == '\0' && *rate >= 1 && *rate <= 1e30) ||
           err_set(err, ERR_USAGE, "--flop-rate: `%s` is no number of flops in a second", options.flop_rate) ||
           err_hint(err, "for example --flop-rate 2e9");
}

/* Finds out what --convert names: a file is a trace of another tool, a directory a recording. */
static bool choose_format(ForeignFormat *format, double *rate, Err *err)
{
    *format = FOREIGN_NONE;
    if (!read_flop_rate(rate, err))
        return false;
    const bool is_file = options.convert && files_exist(options.convert) && !files_is_directory(options.convert);
    if (is_file && !foreign_format(options.convert, format, err))
        return false;
    if (is_file && *format == FOREIGN_NONE)
        return err_set(err, ERR_INPUT, "%s: line 1: neither a Paraver trace (.prv) nor a time-independent one",
                       options.convert) ||
               err_hint(err,
                        "a compressed trace must be unpacked; of a TI archive, give the file that lists the others");
    if (*format == FOREIGN_TI && *rate == 0)
        return err_set(err, ERR_USAGE, "%s: a time-independent trace holds no times; --flop-rate is missing",
                       options.convert) ||
               err_hint(err, "--flop-rate 2e9: each process computes 2e9 of the trace's flops in a second");
    if (*format != FOREIGN_TI && options.flop_rate)
        return err_set(err, ERR_USAGE, "--flop-rate: only a time-independent trace needs it");
    return true;
}

/* Makes a recording of another tool's trace, beside the archive. */
static bool import(Cli *cli, const Tracing *tracing, ForeignFormat format, double rate, Err *err)
{
    Err kept;
    recording_remove_abandoned(tracing->recording, cli->arena);
    if (files_exist(tracing->recording) && !files_is_empty(tracing->recording))
        return err_set(err, ERR_USAGE, "%s: exists; firma needs this place while it converts the trace",
                       tracing->recording);
    bool ok = import_trace(options.convert, format, rate, tracing->recording, &cli->progress, cli->arena, err);
    cli_progress_end(cli);
    if (!ok)
        recording_remove(tracing->recording, cli->arena, &kept);
    return ok;
}

typedef struct TraceView {
    const Tracing *tracing;
    const Tracing *launched; /* NULL: nothing ran */
    const char *mpi;
    const char *recording; /* NULL: it was removed */
    uint64_t trace_bytes;
} TraceView;

static const FieldList archive_fields = FIELDS(Tracing, FIELD_AS(Tracing, archive, "trace", "the directory"));

static const FieldList count_fields = FIELDS(
    Tracing, FIELD_AS(Tracing, summary.n_processes, "processes", "ranks of MPI_COMM_WORLD"),
    FIELD_AS(Tracing, summary.n_missing, "processes_missing", "how many of them left no record at all"),
    FIELD_AS(Tracing, summary.n_unfinished, "processes_unfinished", "how many never returned from MPI_Finalize"),
    FIELD_AS(Tracing, summary.n_cut_off, "processes_cut_off", "of how many the recording stopped before their end"),
    FIELD_AS(Tracing, summary.n_calls, "calls", "how many"),
    FIELD_AS(Tracing, summary.n_messages, "messages", "how many"),
    FIELD_AS(Tracing, summary.n_collectives, "collectives", "how many"),
    FIELD_AS(Tracing, summary.n_one_sided, "one_sided", "how many one-sided operations"),
    FIELD_AS(Tracing, summary.application_s, "application_s",
             "slowest process: from MPI_Init to MPI_Finalize, or to its last record"),
    FIELD_AS(Tracing, summary.recording_s, "recording_s",
             "of it, what firma's recorder took in every process; 0: nothing, or not known"));

static const FieldList launch_fields = FIELDS(
    Tracing, FIELD_AS(Tracing, reason, "mpi_reason", "how firma found out which MPI; with a command"),
    FIELD_AS(Tracing, status, "launcher_status", "the launcher's exit status; with a command"),
    FIELD(Tracing, elapsed_s, "from the launcher's start to its end; with a command"),
    FIELD_AS(Tracing, load.busy_processors, "busy_processors",
             "processors that other programs kept busy before or during the run, or would have kept; with a command"),
    FIELD_AS(Tracing, load.throttles, "throttles",
             "how often a processor was too hot during the run, and slowed down; with a command"));

static json_t *notes_json(const FieldContext *context, const void *record)
{
    const ArchiveSummary *summary = &((const TraceView *)record)->tracing->summary;
    json_t *notes = json_array();
    (void)context;
    for (uint32_t i = 0; i < summary->n_notes; i++)
        json_array_append_new(notes, json_from_text(summary->notes[i].text));
    return notes;
}

const FieldList trace_fields =
    FIELDS(TraceView, FIELD_INLINE_POINTED(TraceView, tracing, archive_fields),
           FIELD(TraceView, trace_bytes, "size of its files"), FIELD_INLINE_POINTED(TraceView, tracing, count_fields),
           FIELD(TraceView, mpi, "which MPI the program uses; with a command", .flags = FIELD_ABSENT),
           FIELD_INLINE_POINTED(TraceView, launched, launch_fields),
           FIELD(TraceView, recording, "the raw recording's directory, if it was kept", .flags = FIELD_ABSENT),
           FIELD_OWN("notes", SHAPE_LIST, notes_json, NULL, "what the trace lacks, a sentence each"));

static void print_json(const Cli *cli, const Tracing *tracing)
{
    const TraceView view = {
        .tracing = tracing,
        .launched = tracing->launched ? tracing : NULL,
        .mpi = tracing->launched ? mpi_flavour_name(tracing->flavour) : NULL,
        .recording = !tracing->is_import && (options.keep_recording || options.convert) ? tracing->recording : NULL,
        .trace_bytes = directory_bytes(tracing->archive)};
    cli_print_json(cli, fields_to_json(&trace_fields, &view, 0));
}

static void row(Table *table, const char *what, const char *value)
{
    table_cells(table, "%s|%s", what, value);
}

static const char *processes_text(const ArchiveSummary *summary, Arena *arena)
{
    const char *text = arena_printf(arena, "%u", summary->n_processes);
    if (summary->n_unfinished)
        text = arena_printf(arena, "%s, %u of them without a recorded return from %s", text, summary->n_unfinished,
                            summary->last_call);
    if (summary->n_missing)
        text = arena_printf(arena, "%s, %u without any record", text, summary->n_missing);
    return text;
}

/* To stderr: stdout is the traced program's. */
static void print_summary(Cli *cli, const Tracing *tracing)
{
    const ArchiveSummary *summary = &tracing->summary;
    Arena *arena = cli->arena;
    Table *table = table_new(arena);
    table_columns(table, "|");
    const char *size = format_bytes(arena, (double)directory_bytes(tracing->archive));
    row(table, "trace", arena_printf(arena, "%s (%s)", tracing->archive, size));
    row(table, "processes", processes_text(summary, arena));
    row(table, "calls", format_count(arena, summary->n_calls));
    row(table, "messages", format_count(arena, summary->n_messages));
    row(table, "collectives", format_count(arena, summary->n_collectives));
    if (summary->n_one_sided)
        row(table, "one-sided", format_count(arena, summary->n_one_sided));
    row(table, "time",
        arena_printf(arena, "%s from %s to %s", format_seconds(arena, summary->application_s), summary->first_call,
                     summary->n_incomplete ? "the last record" : summary->last_call));
    if (tracing->launched) {
        const char *elapsed = format_seconds(arena, tracing->elapsed_s);
        row(table, "launcher",
            arena_printf(arena, "%s, status %s", elapsed, process_status_text(tracing->status, arena)));
        row(table, "MPI", arena_printf(arena, "%s (%s)", mpi_flavour_name(tracing->flavour), tracing->reason));
    }
    cli_print_aside("%s", table_text(table, false));
    for (uint32_t i = 0; i < summary->n_notes; i++)
        cli_print_aside("note: %s\n", text_as_line(summary->notes[i].text, arena));
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    if (n > 0)
        return err_set(err, ERR_USAGE, "%s: unexpected; the launcher's command line follows --", words[0]);
    if (!command == !options.convert)
        return err_set(err, ERR_USAGE,
                       command ? "--convert runs nothing, so it takes no launcher" : "no command to trace");
    Tracing tracing = {.flavour = mpi_option()};
    ForeignFormat format;
    double rate;
    if (!arguments_salt(cli->arena, &tracing.salt, err))
        return false;
    if (tracing.salt && options.keep_recording)
        return err_set(err, ERR_USAGE, "--hide-arguments: --keep-recording would keep the arguments");
    if (options.convert)
        options.convert = (char *)without_slashes(options.convert, cli->arena);
    tracing.archive =
        without_slashes(options.output ? options.output : default_archive(command, cli->arena), cli->arena);
    if (!choose_format(&format, &rate, err))
        return false;
    if (!local_option_read(&tracing.local, err))
        return false;
    if (tracing.local && !command)
        return err_set(err, ERR_USAGE, "--local: --convert runs no program");
    tracing.is_import = format != FOREIGN_NONE;
    tracing.recording = options.convert && !tracing.is_import
                            ? options.convert
                            : arena_printf(cli->arena, "%s.%s", tracing.archive, command ? "recording" : "import");
    if (!check_places(cli, &tracing, err) || (command && !tracing_run(cli, &tracing, command, err)) ||
        (tracing.is_import && !import(cli, &tracing, format, rate, err)))
        return false;
    bool written = tracing_write(cli, &tracing, err);
    Err kept;
    if ((tracing.is_import || (written && !options.keep_recording && !options.convert)) &&
        !recording_remove(tracing.recording, cli->arena, &kept))
        cli_note(cli, "%s", kept.message);
    if (!written)
        return false;
    if (cli->json)
        print_json(cli, &tracing);
    else if (!cli->quiet)
        print_summary(cli, &tracing);
    return tracing_judge(&tracing, cli->arena, err);
}

const Verb verb_trace = {
    .name = "trace",
    .question = QUESTION_TIME,
    .summary = "run an MPI or PVM program and record what it communicates",
    .synopsis = "[-o DIR] [--mpi openmpi|mpich] -- LAUNCHER [ARGUMENTS] PROGRAM [ARGUMENTS]",
    .description =
        "Runs the launcher's command line unchanged, with firma's recorder preloaded into the program. Writes an "
        "OTF2 archive of what the program communicated, and how long it computed in between. The program is neither "
        "changed nor relinked. C, C++ and Fortran programs can be traced, under Open MPI, and under MPICH and MPIs "
        "derived from it. `firma phases` analyses the archive; OTF2 tools such as otf2-print and Vampir read it.\n\n"
        "If the program fails, is killed, or is interrupted with Ctrl-C, firma writes an archive of what it did "
        "before, and ends with status 1. While the program runs, its records are in DIR.recording. If it runs on "
        "several nodes, these must share the working directory. With --local, records go to a directory that each node "
        "has for itself, such as /tmp, and each process moves its own to DIR.recording when it ends. Records that "
        "nobody could move, because all processes of a node were killed, stay there, and firma says where. Other "
        "nodes' directories aren't searched.\n\n"
        "firma finds out which MPI the program uses from its libraries, or from the launcher's --version. Standard "
        "input and standard output belong to the program; firma's summary goes to standard error. With --json, firma "
        "writes one document to standard output, and the program's output goes to standard error.\n\n"
        "With --hide-arguments, the trace holds a hash of the program's arguments instead of them. So do signatures, "
        "times and states that are made from it, and firma still recognises the same arguments.\n\n"
        "With --convert, a trace that another tool made becomes one of firma's, which all verbs read. PATH is a Paraver "
        "trace, NAME.prv with NAME.pcf beside it (Extrae writes both), or a time-independent trace of SMPI (smpirun "
        "-trace-ti): the file that lists the processes' files. A time-independent trace holds no times: with "
        "--flop-rate, computation gets the time that its flops take, and messages take none. firma says what else such "
        "a trace lacks. OTF2 archives of Score-P need no conversion.\n\n"
        "Under SimGrid's SMPI, nothing can be preloaded. Link C and C++ programs with `smpicc … -Wl,--whole-archive "
        "LIBDIR/firma/libfirma-smpi.a -Wl,--no-whole-archive`. The trace is in simulated time. With "
        "--cfg=smpi/wtime:0, reading the clock takes no simulated time.\n\n"
        "A program of PVM needs no launcher: `firma trace -- ./master`. firma runs it in your virtual machine if one "
        "runs, and else in one of its own, whose daemon it starts and ends. PVM passes the recorder on to the tasks "
        "that the program spawns. The first task has rank 0, the others have theirs in the order in which they were "
        "spawned. If a program contains libpvm3.a, nothing can be preloaded: link it with `pkg-config --libs "
        "firma-pvm` before -lpvm3.",
    .examples = "firma trace -- mpirun -n 4 ./app input.dat  # writes app.trace\n"
                "firma trace -o run1 -- srun -n 64 ./app     # writes run1\n"
                "firma trace -- ./master                     # a program of PVM\n"
                "firma trace --mpi mpich -- ./start-it.sh    # a script from which firma can't tell the MPI\n"
                "firma trace --convert app.trace.recording   # after firma itself was killed\n"
                "firma trace --convert app.prv               # Extrae's trace; writes app.trace\n"
                "firma trace --convert smpi_simgrid.txt --flop-rate 1e9 -o app.trace  # of smpirun -trace-ti\n"
                "firma trace -- smpirun -np 64 -platform a.xml -hostfile a.hosts ./app  # a simulated run",
    .options = option_table,
    .takes_command = true,
    .run = run,
};
