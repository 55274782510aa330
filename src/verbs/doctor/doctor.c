/* SPDX-License-Identifier: BSD-3-Clause */
/* firma doctor: whether the main job works here. It looks for what firma needs, and then really traces a program of two
 * processes under each MPI. */
#include "base/files.h"
#include "base/json.h"
#include "base/libraries.h"
#include "base/process.h"
#include "cli/cli.h"
#include "config.h"
#include "report/format.h"
#include "report/table.h"
#include "signature/checkpoint/checkpoint.h"
#include "trace/archive.h"
#include "trace/launch.h"
#include "trace/mpi_launcher.h"
#include "verbs/trace/launching.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define VERSION_TIMEOUT_MS 10000
#define HELLO_TIMEOUT_MS 30000
#define LITTLE_SPACE_BYTES 1e9

typedef enum Finding { FINDING_OK, FINDING_MISSING, FINDING_OPTIONAL, FINDING_UNWRITABLE, FINDING_SCARCE } Finding;

typedef struct Check {
    const char *what, *detail, *advice; /* advice: NULL if there's nothing to do */
    Finding finding;
} Check;

enum { CHECK_LIMIT = 32, MPI_FLAVOURS_LIMIT = 4 };

typedef struct Checklist {
    Check checks[CHECK_LIMIT];
    size_t count;
    Arena *arena;
} Checklist;

static void add_check(Checklist *list, Finding finding, const char *what, const char *detail, const char *advice)
{
    if (list->count < CHECK_LIMIT)
        list->checks[list->count++] = (Check){what, detail, finding == FINDING_OK ? NULL : advice, finding};
}

/* ---- one MPI ---- */

/* The hello that was built for this MPI. NULL: wasn't. */
static const char *find_hello(const MpiLauncher *mpi, Arena *arena)
{
    return libraries_find_program(arena_printf(arena, "firma-hello-%s", mpi->key), "verbs/doctor", arena);
}

/* The last line that a failed program printed: mostly its reason. */
static const char *last_line_of_file(const char *path, Arena *arena)
{
    FILE *file = fopen(path, "r");
    char line[512], last[512] = "";
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[strspn(line, " \t-")])
            snprintf(last, sizeof last, "%s", line);
    }
    if (file)
        fclose(file);
    return arena_strdup(arena, last);
}

static bool await_hello(Launch *launch, const char *output, Arena *arena, Err *err)
{
    if (!launch_wait(launch, HELLO_TIMEOUT_MS)) {
        launch_stop(launch);
        return err_set(err, ERR_ENVIRONMENT, "hung for %d s: %s", HELLO_TIMEOUT_MS / 1000,
                       last_line_of_file(output, arena));
    }
    if (launch_interrupted(launch))
        return err_set(err, ERR_NEGATIVE, "interrupted");
    int status = launch_status(launch);
    return status == 0 ||
           err_set(err, ERR_ENVIRONMENT, "ended with status %d: %s", status, last_line_of_file(output, arena));
}

static bool run_hello(const MpiLauncher *mpi, const char *hello, const char *directory, Arena *arena, Err *err)
{
    const char *const *words = mpi_launcher_words(mpi, 2, hello, arena);
    LaunchOptions how = {.recording = arena_printf(arena, "%s/recording", directory),
                         .flavour = mpi->flavour,
                         .output_path = arena_printf(arena, "%s/output", directory)};
    Launch *launch;
    if (!launch_start(&how, (char *const *)words, arena, &launch, err))
        return false;
    bool fine = await_hello(launch, how.output_path, arena, err);
    launch_free(launch);
    return fine;
}

static bool read_first_event(const char *archive_path, Err *err)
{
    Archive *archive;
    Event event;
    size_t count = 0;
    if (!archive_open(archive_path, &archive, err))
        return false;
    EventSource *source = archive_source(archive);
    bool fine = source->read(source, 0, &event, 1, &count, err);
    archive_close(archive);
    return fine && (count == 1 || err_set(err, ERR_BUG, "the archive holds no event"));
}

/* Traces the hello in `directory`, and reads the trace. */
static bool trace_hello(const MpiLauncher *mpi, const char *hello, const char *directory, Arena *arena, Err *err)
{
    ArchiveSummary summary;
    const char *archive = arena_printf(arena, "%s/trace", directory);
    if (!run_hello(mpi, hello, directory, arena, err) ||
        !archive_write(arena_printf(arena, "%s/recording", directory), archive, NULL, arena, &summary, err))
        return false;
    if (summary.n_processes != 2 || summary.n_missing > 0)
        return err_set(err, ERR_ENVIRONMENT, "of 2 processes, %u left a record",
                       summary.n_processes - summary.n_missing);
    if (summary.n_messages < 2 || summary.n_collectives < 1)
        return err_set(err, ERR_BUG, "recorded %lu messages and %lu collectives", (unsigned long)summary.n_messages,
                       (unsigned long)summary.n_collectives);
    return read_first_event(archive, err);
}

/* A fresh directory for a trial; NULL, and said, if there can't be one. */
static char *make_trial_directory(Checklist *list, const char *what)
{
    const char *temporary = getenv("TMPDIR");
    char *directory = arena_printf(list->arena, "%s/firma-doctor-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (mkdtemp(directory))
        return directory;
    add_check(list, FINDING_MISSING, what, arena_printf(list->arena, "%s: %s", directory, strerror(errno)),
              "set TMPDIR to a directory that can be written to");
    return NULL;
}

static bool check_tracing(Checklist *list, const MpiLauncher *mpi)
{
    Arena *arena = list->arena;
    const char *what = arena_printf(arena, "tracing under %s", mpi_flavour_name(mpi->flavour));
    const char *hello = find_hello(mpi, arena);
    if (!hello) {
        add_check(list, FINDING_OPTIONAL, what, "not tried: no test program was built for it",
                  "build firma where its headers are installed");
        return false;
    }
    const char *directory = make_trial_directory(list, what);
    if (!directory)
        return false;
    Err err = {0};
    bool works = trace_hello(mpi, hello, directory, arena, &err);
    files_remove_tree(directory);
    add_check(list, works ? FINDING_OK : FINDING_MISSING, what,
              works ? "two processes traced, and the trace read" : arena_strdup(arena, err.message),
              err.hint[0] ? arena_strdup(arena, err.hint)
                          : "the launcher must be able to start programs on this machine");
    return works;
}

/* Checkpoints are one way of measuring; firma works without. */
static void check_checkpoints(Checklist *list, const MpiLauncher *mpi, const CheckpointTool *tool)
{
    Arena *arena = list->arena;
    Err err = {0};
    const char *what = arena_printf(arena, "%s under %s", tool->name, mpi_flavour_name(mpi->flavour));
    const char *hello = find_hello(mpi, arena), *directory = hello ? make_trial_directory(list, what) : NULL;
    if (!directory)
        return;
    bool works =
        checkpoint_try(tool, mpi->flavour, mpi_launcher_words(mpi, 2, hello, arena), 2, directory, arena, &err);
    files_remove_tree(directory);
    add_check(list, works ? FINDING_OK : FINDING_OPTIONAL, what,
              works ? "two processes saved, and restored" : arena_strdup(arena, err.message),
              err.hint[0] ? arena_strdup(arena, err.hint)
                          : "firma works without: measure from the start (mode prefix)");
}

/* What can save jobs here; `tools` has a place for each back end. Returns how many. */
static size_t check_checkpoint_tools(Checklist *list, CheckpointTool *tools)
{
    size_t n_tools = 0;
    for (const char *const *name = checkpoint_names(); *name; name++) {
        Err err = {0};
        CheckpointTool *tool = &tools[n_tools];
        bool is_there = checkpoint_find(*name, list->arena, tool, &err);
        add_check(list, is_there ? FINDING_OK : FINDING_OPTIONAL, arena_printf(list->arena, "checkpoints by %s", *name),
                  is_there ? arena_printf(list->arena, "%s, %s%s", tool->version, tool->path,
                                          tool->is_rootless ? ", without root in a user namespace" : "")
                           : arena_strdup(list->arena, err.message),
                  arena_strdup(list->arena, err.hint));
        n_tools += is_there;
    }
    return n_tools;
}

/* True when a program can be traced with this MPI. */
static bool check_mpi(Checklist *list, const MpiLauncher *mpi)
{
    Arena *arena = list->arena;
    const char *name = mpi_flavour_name(mpi->flavour), *launcher = mpi->command, *recorder;
    const char *install = arena_printf(arena, "apt-get install %s", mpi->package);
    add_check(list, launcher ? FINDING_OK : FINDING_OPTIONAL, name,
              launcher ? arena_printf(arena, "%s, launcher %s", mpi->version, launcher) : "no launcher on PATH",
              install);
    Err err = {0};
    bool has_recorder = launch_find_recorder(mpi->flavour, arena, &recorder, &err);
    add_check(list,
              has_recorder ? FINDING_OK
              : launcher   ? FINDING_MISSING
                           : FINDING_OPTIONAL,
              arena_printf(arena, "recorder for %s", name), has_recorder ? recorder : arena_strdup(arena, err.message),
              arena_strdup(arena, err.hint));
    return launcher && has_recorder && check_tracing(list, mpi);
}

/* ---- the rest ---- */

static void check_tool(Checklist *list, const char *tool, const char *package, const char *purpose)
{
    const char *const ask[] = {tool, "--version", NULL};
    char *text;
    int status;
    bool there = process_capture(&(ProcessOptions){.words = ask}, VERSION_TIMEOUT_MS, list->arena, &text, &status);
    add_check(list, there ? FINDING_OK : FINDING_OPTIONAL, tool,
              arena_printf(list->arena, "%s%s", there ? "" : "not there; ", purpose),
              arena_printf(list->arena, "apt-get install %s", package));
}

static void check_space(Checklist *list, const char *what, const char *path)
{
    struct statvfs info;
    if (statvfs(path, &info) != 0) {
        add_check(list, FINDING_MISSING, what, arena_printf(list->arena, "%s: %s", path, strerror(errno)),
                  "name another directory");
        return;
    }
    double free_bytes = (double)info.f_bavail * (double)info.f_frsize;
    bool writable = access(path, W_OK) == 0, enough = free_bytes >= LITTLE_SPACE_BYTES;
    const char *detail = arena_printf(list->arena, "%s free in %s%s", format_bytes(list->arena, free_bytes), path,
                                      writable ? "" : ", which can't be written to");
    Finding finding = !writable ? FINDING_UNWRITABLE : enough ? FINDING_OK : FINDING_SCARCE;
    add_check(list, finding, what, detail, "traces take up to 100 bytes a call; trace -o DIR puts them elsewhere");
}

static const char *finding_name(Finding finding)
{
    static const char *const names[] = {[FINDING_OK] = "ok",
                                        [FINDING_MISSING] = "missing",
                                        [FINDING_OPTIONAL] = "absent",
                                        [FINDING_UNWRITABLE] = "not writable",
                                        [FINDING_SCARCE] = "scarce"};
    return names[finding];
}

static void print_text(const Cli *cli, const Checklist *list)
{
    Table *table = table_new(cli->arena);
    table_columns(table, "||");
    for (size_t i = 0; i < list->count; i++) {
        const Check *check = &list->checks[i];
        table_cells(table, "%s|%s|%s", finding_name(check->finding), check->what, check->detail);
        table_row_style(table, check->finding == FINDING_OK         ? TABLE_GOOD
                               : check->finding == FINDING_OPTIONAL ? TABLE_DIM
                                                                    : TABLE_BAD);
        if (check->advice) {
            table_cells(table, "%s|%s|→ %s", "", "", check->advice);
        }
    }
    fputs(table_text(table, cli->color), stdout);
}

static void print_json(const Cli *cli, const Checklist *list, bool works)
{
    json_t *document = json_object(), *checks = json_array();
    json_object_set_new(document, "works", json_boolean(works));
    for (size_t i = 0; i < list->count; i++) {
        const Check *check = &list->checks[i];
        json_t *one = json_object();
        json_object_set_new(one, "check", json_from_text(check->what));
        json_object_set_new(one, "finding", json_string(finding_name(check->finding)));
        json_object_set_new(one, "detail", json_from_text(check->detail));
        if (check->advice)
            json_object_set_new(one, "advice", json_from_text(check->advice));
        json_array_append_new(checks, one);
    }
    json_object_set_new(document, "checks", checks);
    cli_print_json(cli, document);
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    (void)command;
    if (n > 0)
        return err_set(err, ERR_USAGE, "%s: takes no words", words[0]);
    Checklist list = {.arena = cli->arena};
    add_check(&list, FINDING_OK, "firma", FIRMA_VERSION, NULL);
    add_check(&list, FINDING_OK, "libraries",
              "OTF2 " OTF2_BUILT_WITH ", Jansson " JANSSON_VERSION ", GSL " GSL_BUILT_WITH, NULL);
    MpiLauncher mpis[MPI_FLAVOURS_LIMIT];
    bool works[MPI_FLAVOURS_LIMIT], works_with_any = false;
    size_t n_mpis = 0;
    for (const MpiFlavour *flavour = mpi_launcher_flavours; *flavour != MPI_FLAVOUR_NONE; flavour++, n_mpis++) {
        mpis[n_mpis] = mpi_launcher_find(*flavour, cli->arena);
        works_with_any |= works[n_mpis] = check_mpi(&list, &mpis[n_mpis]);
    }
    size_t n_names = 0;
    while (checkpoint_names()[n_names])
        n_names++;
    CheckpointTool *tools = arena_new_array(cli->arena, CheckpointTool, n_names);
    size_t n_tools = check_checkpoint_tools(&list, tools); /* may move firma into namespaces: after the tracing */
    for (size_t i = 0; i < n_mpis; i++)
        for (size_t k = 0; works[i] && k < n_tools; k++)
            check_checkpoints(&list, &mpis[i], &tools[k]);
    check_tool(&list, "otf2-print", "otf2-tools", "prints traces; firma works without");
    check_tool(&list, "gnuplot", "gnuplot-nox", "draws pictures for `firma show --svg`; firma works without");
    check_tool(&list, "cc", "gcc", "compiles tasks in C for `firma cost run`; firma works without");
    check_tool(&list, "java", "openjdk-17-jre-headless",
               "runs tasks in Java, and measures what they cost; firma works without");
    check_tool(&list, "javac", "openjdk-17-jdk-headless", "reads and compiles tasks in Java; firma works without");
    check_space(&list, "disk, here", ".");
    if (cli->json)
        print_json(cli, &list, works_with_any);
    else if (!cli->quiet)
        print_text(cli, &list);
    if (works_with_any)
        return true;
    err_set(err, ERR_NEGATIVE, "no program can be traced here: no MPI works with firma");
    return err_hint(err, "`firma doctor` without -q says of each what is missing, and what to do");
}

const Verb verb_doctor = {
    .name = "doctor",
    .summary = "check that all that firma needs is here, and that tracing works",
    .synopsis = "[--json]",
    .description =
        "Looks for MPI libraries, launchers and recorders, and traces a program of two processes under each MPI "
        "that is there. What is missing is named with the Debian package that brings it. One working MPI is "
        "enough. Where CRIU is (FIRMA_CRIU, `make criu`, tools/criu.sh, PATH), or DMTCP (FIRMA_DMTCP, `make dmtcp`, "
        "tools/dmtcp.sh, PATH), it also saves such a program and restores it, with each.\n\n"
        "Lines marked missing say what should work here and doesn't; lines marked absent, what firma can do "
        "without; not writable and scarce say that traces can't be kept here.",
    .examples = "firma doctor                       # a checklist\n"
                "firma doctor -q && echo ready      # only the exit status: 0 if programs can be traced",
    .run = run,
};
