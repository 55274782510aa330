/* SPDX-License-Identifier: BSD-3-Clause */
/* See checklist.h. The trials trace a program of two processes under each MPI, and save and restore
 * this program by each back end. */
#include "base/files.h"
#include "base/libraries.h"
#include "base/owner.h"
#include "signature/checkpoint/checkpoint.h"
#include "trace/archive.h"
#include "trace/launch.h"
#include "trace/mpi_launcher.h"
#include "verbs/doctor/checklist.h"
#include "verbs/doctor/version.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define HELLO_TIMEOUT_MS 30000

enum { MPI_FLAVOURS_LIMIT = 4 };

/* ---- a trial of tracing ---- */

/* The test program for this MPI. NULL: it wasn't built. */
static const char *find_hello(const MpiLauncher *mpi, Arena *arena)
{
    return libraries_find_program(arena_printf(arena, "firma-hello-%s", mpi->key), "verbs/doctor", arena);
}

/* The last line that a failed program printed, which usually says why. */
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

/* Traces the test program in `directory`, and reads the trace. */
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

/* A new directory for a trial. NULL: it can't be created, and the check says why. */
static const char *make_trial_directory(Check *check, Arena *arena)
{
    const char *directory = owner_make_temporary(NULL, "firma-doctor", NULL, arena);
    if (directory)
        return directory;
    check->finding = FINDING_MISSING;
    check->detail = arena_printf(arena, "no temporary directory can be made: %s", strerror(errno));
    check->advice = "set TMPDIR to a directory that can be written to";
    return NULL;
}

/* Writes a trial's outcome into the check. Its advice is the error's hint, or else `otherwise`. */
static void conclude(Check *check, bool works, Finding failure, const char *success, const Err *err,
                     const char *otherwise, Arena *arena)
{
    check->finding = works ? FINDING_OK : failure;
    check->detail = works ? success : arena_strdup(arena, err->message);
    check->advice = err->hint[0] ? arena_strdup(arena, err->hint) : otherwise;
}

/* ---- one MPI ---- */

static Check check_launcher(const MpiLauncher *mpi, Arena *arena)
{
    return (Check){.name = mpi_flavour_name(mpi->flavour),
                   .version = version_in(mpi->version, arena),
                   .finding = mpi->command ? FINDING_OK : FINDING_OPTIONAL,
                   .detail = mpi->command ? arena_printf(arena, "launcher %s", mpi->command) : "no launcher on PATH",
                   .advice = arena_printf(arena, "apt-get install %s", mpi->package)};
}

static Check check_recorder(const MpiLauncher *mpi, Arena *arena)
{
    Err err = {0};
    const char *recorder;
    bool is_there = launch_find_recorder(mpi->flavour, arena, &recorder, &err);
    Check check = {.name = arena_printf(arena, "recorder for %s", mpi_flavour_name(mpi->flavour)), .version = ""};
    conclude(&check, is_there, mpi->command ? FINDING_MISSING : FINDING_OPTIONAL, is_there ? recorder : "", &err, NULL,
             arena);
    return check;
}

static Check check_tracing(const MpiLauncher *mpi, Arena *arena)
{
    Check check = {.name = arena_printf(arena, "tracing under %s", mpi_flavour_name(mpi->flavour)), .version = ""};
    const char *hello = find_hello(mpi, arena), *directory;
    if (!hello) {
        check.finding = FINDING_OPTIONAL;
        check.detail = "not tried: no test program was built for it";
        check.advice = arena_printf(arena, "apt-get install %s, and build firma again", mpi->package);
        return check;
    }
    if (!(directory = make_trial_directory(&check, arena)))
        return check;
    Err err = {0};
    bool works = trace_hello(mpi, hello, directory, arena, &err);
    files_remove_tree(directory);
    conclude(&check, works, FINDING_MISSING, "two processes traced, and the trace read", &err,
             "the launcher must be able to start programs on this machine", arena);
    return check;
}

/* Adds the checks of an MPI. Its part works if programs can be traced under this MPI. */
static void check_mpi(Checklist *list, Part part, const MpiLauncher *mpi)
{
    Check checks[] = {check_launcher(mpi, list->arena), check_recorder(mpi, list->arena), {0}};
    size_t n = 2;
    if (checks[0].finding == FINDING_OK && checks[1].finding == FINDING_OK)
        checks[n++] = check_tracing(mpi, list->arena);
    list->works[part] = true;
    for (size_t i = 0; i < n; i++) {
        if (checks[i].finding != FINDING_OK && list->works[part]) {
            list->works[part] = false;
            list->advice[part] = checks[i].advice;
        }
        checklist_add(list, checks[i]);
    }
}

/* ---- one back end of checkpoints ---- */

/* Checkpoints are one way of measuring; firma works without them. */
static Check check_checkpoints(const MpiLauncher *mpi, const CheckpointTool *tool, Arena *arena)
{
    Check check = {.name = arena_printf(arena, "%s under %s", tool->name, mpi_flavour_name(mpi->flavour)),
                   .version = ""};
    const char *directory = make_trial_directory(&check, arena);
    if (!directory)
        return check;
    Err err = {0};
    const char *const *words = mpi_launcher_words(mpi, 2, find_hello(mpi, arena), arena);
    bool works = checkpoint_try(tool, mpi->flavour, words, 2, directory, arena, &err);
    files_remove_tree(directory);
    conclude(&check, works, FINDING_OPTIONAL, "two processes saved, and restored", &err,
             "firma works without it: measure from the program's start (--mode prefix)", arena);
    return check;
}

static Check check_back_end(const char *name, CheckpointTool *tool, Arena *arena)
{
    Err err = {0};
    bool is_there = checkpoint_find(name, arena, tool, &err);
    Check check = {.name = arena_printf(arena, "checkpoints by %s", name), .version = is_there ? tool->version : ""};
    const char *success = is_there ? arena_printf(arena, "%s%s", tool->path,
                                                  tool->is_rootless ? ", without root in a user namespace" : "")
                                   : "";
    conclude(&check, is_there, FINDING_OPTIONAL, success, &err, NULL, arena);
    return check;
}

typedef struct Tried {
    MpiLauncher mpi;
    bool works;
} Tried;

/* The part works if it saves and restores under any MPI. */
static void check_saving(Checklist *list, Part part, const char *back_end, const Tried *mpis, size_t n_mpis)
{
    CheckpointTool tool = {0};
    Check check = check_back_end(back_end, &tool, list->arena);
    checklist_add(list, check);
    list->advice[part] = tool.path ? check.advice : arena_printf(list->arena, "make %s", back_end);
    for (size_t i = 0; check.finding == FINDING_OK && i < n_mpis; i++) {
        if (!mpis[i].works)
            continue;
        Check trial = check_checkpoints(&mpis[i].mpi, &tool, list->arena);
        checklist_add(list, trial);
        list->works[part] |= trial.finding == FINDING_OK;
        if (trial.finding != FINDING_OK)
            list->advice[part] = trial.advice;
    }
}

/* ---- all ---- */

bool check_trials(Checklist *list)
{
    static const Part mpi_parts[] = {[MPI_FLAVOUR_OPENMPI] = PART_OPENMPI, [MPI_FLAVOUR_MPICH] = PART_MPICH};
    static const struct {
        const char *back_end;
        Part part;
    } back_ends[] = {{"criu", PART_CRIU}, {"dmtcp", PART_DMTCP}};
    Tried mpis[MPI_FLAVOURS_LIMIT];
    size_t n_mpis = 0;
    bool works = false;
    for (const MpiFlavour *flavour = mpi_launcher_flavours; *flavour != MPI_FLAVOUR_NONE; flavour++) {
        Tried *tried = &mpis[n_mpis++];
        tried->mpi = mpi_launcher_find(*flavour, list->arena);
        check_mpi(list, mpi_parts[*flavour], &tried->mpi);
        works |= tried->works = list->works[mpi_parts[*flavour]];
    }
    /* last, because firma stays in the namespaces that these checks create */
    for (size_t i = 0; i < sizeof back_ends / sizeof *back_ends; i++)
        check_saving(list, back_ends[i].part, back_ends[i].back_end, mpis, n_mpis);
    return works;
}
