/* SPDX-License-Identifier: BSD-3-Clause */
/* firma scale run: runs a program on several numbers of processes and with several sizes, in turn.
 * Continues where it was interrupted. Then prints what `firma scale runs` prints. */
#include "base/files.h"
#include "base/interrupts.h"
#include "cli/measuring.h"
#include "cli/option_values.h"
#include "cli/outputs.h"
#include "cli/shared_options.h"
#include "cli/timed_run.h"
#include "cli/values.h"
#include "model/times.h"
#include "scaling/study.h"
#include "trace/host_load.h"
#include "trace/ownership.h"
#include "verbs/scale/scale.h"
#include "verbs/trace/tracing.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { REPEATS = 5, REPEATS_LIMIT = 1000 };

#define LARGEST_SIZE ((uint64_t)1 << 50)

static struct {
    int repeat, traced;
    char *output;
} options = {.repeat = REPEATS};

static NumberList sizes = {.option = "--sizes", .has_units = true, .least = 1, .most = LARGEST_SIZE},
                  processes = {.option = "--processes", .least = 1, .most = RUNS_PROCESSES_LIMIT};

static const struct poptOption option_table[] = {
    SHARED_OPTIONS(scale_runs_option_table),
    {"sizes", '\0', OPTION_NUMBERS, &sizes, 0, "sizes of the problem, such as 100,200; k, M, G are powers of 1024",
     "LIST"},
    {"processes", 'n', OPTION_NUMBERS, &processes, 0, "numbers of processes, such as 1,2,4 or 1:64x2", "LIST"},
    {"output", 'o', POPT_ARG_STRING, &options.output, 0, "where to write the run times; by default runs.csv", "FILE"},
    {"repeat", 'r', OPTION_COUNT, &options.repeat, 0, "how many times to run each point; by default 5", "N"},
    {"traced", '\0', POPT_ARG_NONE, &options.traced, 0,
     "time from MPI_Init to MPI_Finalize, by the recorder, instead of the launcher's time", NULL},
    SHARED_OPTIONS(local_option_table),
    SHARED_OPTIONS(mpi_option_table),
    POPT_TABLEEND};

typedef struct Running {
    Cli *cli;
    Study study;
    StudyFile *file;
    MpiFlavour flavour;
    const char *path, *log_path, *directory, *local; /* the latter two: of traced runs */
    FILE *log;
    bool is_new, is_new_log;          /* these files didn't exist before */
    uint32_t n_failed, n_not_started; /* runs; and those among them that the launcher could not start */
    Err failure;                      /* of the last run that failed */
    bool interrupted;
} Running;

static const char *point_text(const Running *running, const StudyPoint *point)
{
    Arena *arena = running->cli->arena;
    return running->study.has_sizes ? arena_printf(arena, "n = %" PRIu64 ", p = %" PRIu64, point->n, point->p)
                                    : arena_printf(arena, "p = %" PRIu64, point->p);
}

/* ---- one run ---- */

/* Makes one run. Sets *time_s and *load, or *failure if the run failed. False: nothing could run, so the
 * study must end. */
static bool run_wall(Running *running, uint64_t p, char *const *command, double *time_s, HostLoad *load, Err *failure,
                     Err *err)
{
    TimedRun run;
    const LaunchUsage usage = {.n_processes = (uint32_t)p};
    *load = host_load();
    const HostWatch watch = host_watch_begin();
    if (!timed_run((const char *const *)command, running->log, running->cli->arena, &run, err))
        return false;
    host_watch_end(&watch, &usage, load);
    running->interrupted = run.interrupted;
    *time_s = run.time_s;
    if (run.status != 0)
        launcher_complaint_explain(&run.complaint, command, run.status, running->cli->arena, failure);
    return timed_run_check_log(running->log, running->log_path, err);
}

/* True if the directory holds nothing but the files of a traced run. */
static bool is_of_study(const char *path)
{
    static const char *const names[] = {".", "..", "trace", "recording", "log"}; /* and these with an ending */
    DIR *directory = opendir(path);
    bool is_own = directory != NULL;
    for (struct dirent *entry; is_own && (entry = readdir(directory));) {
        const char *name = entry->d_name;
        is_own = false;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            size_t length = strlen(names[i]);
            is_own =
                is_own || (strncmp(name, names[i], length) == 0 && (!name[length] || (name[length] == '.' && i > 1)));
        }
    }
    if (directory)
        closedir(directory);
    return is_own;
}

/* The study's lock is held. So a directory that is there belongs to a study that was killed. */
static bool make_directory(const Running *running, const Tracing *tracing, Err *err)
{
    bool is_left = files_exist(running->directory);
    if (is_left && files_exist(tracing->recording) &&
        !recording_check_unused(tracing->recording, running->cli->arena, err))
        return false;
    if ((!is_left || (is_of_study(running->directory) && files_remove_tree(running->directory))) &&
        mkdir(running->directory, 0700) == 0)
        return true;
    return err_set(err, ERR_ENVIRONMENT, "%s: %s", running->directory, strerror(is_left ? EEXIST : errno)) ||
           (is_left && err_hint(err, "firma makes a directory of this name for traced runs; remove this one"));
}

static bool run_traced(Running *running, char *const *command, double *time_s, HostLoad *load, Err *failure, Err *err)
{
    Arena *arena = running->cli->arena;
    Tracing tracing = {.archive = arena_printf(arena, "%s/trace", running->directory),
                       .recording = arena_printf(arena, "%s/recording", running->directory),
                       .output_path = arena_printf(arena, "%s/log", running->directory),
                       .local = running->local,
                       .flavour = running->flavour};
    if (!make_directory(running, &tracing, err))
        return false;
    bool ran = tracing_run(running->cli, &tracing, command, failure);
    if (!ran && tracing.silence == LAUNCH_RECORDED) { /* nothing was launched */
        files_remove_tree(running->directory);
        *err = *failure;
        return false;
    }
    if (ran && tracing_write(running->cli, &tracing, failure))
        tracing_judge(&tracing, arena, failure);
    running->interrupted = tracing.interrupted;
    *time_s = tracing.summary.application_s;
    *load = tracing.load;
    return files_remove_tree(running->directory) ||
           err_set(err, ERR_ENVIRONMENT, "%s: can't be removed: %s", running->directory, strerror(errno));
}

static bool run_point(Running *running, uint32_t number, Err *err)
{
    StudyPoint *point = &running->study.points[number];
    char **command = study_command(&running->study, point, running->cli->arena);
    Err failure = {0};
    double time_s = 0;
    HostLoad load = {0};
    bool ran = options.traced ? run_traced(running, command, &time_s, &load, &failure, err)
                              : run_wall(running, point->p, command, &time_s, &load, &failure, err);
    if (!ran || running->interrupted)
        return ran;
    if (failure.kind == ERR_NONE)
        return study_add(running->file, &running->study, number, time_s,
                         slowdown_by_others((double)point->p, load.busy_processors, load.n_processors), err);
    point->n_failed++;
    running->n_failed++;
    running->n_not_started += failure.kind == ERR_ENVIRONMENT;
    running->failure = failure;
    cli_progress_end(running->cli);
    cli_note(running->cli, "%s: a run failed, and isn't counted: %s", point_text(running, point), failure.message);
    return true;
}

static bool run_all(Running *running, Err *err)
{
    uint64_t n = study_left(&running->study), left;
    uint32_t number;
    for (; !running->interrupted && study_next(&running->study, &number);) {
        left = study_left(&running->study);
        progress_report(&running->cli->progress, "running", n - left, n);
        if (!options.traced)
            fprintf(running->log, "# %s\n", point_text(running, &running->study.points[number]));
        if (!run_point(running, number, err))
            return false;
    }
    cli_progress_end(running->cli);
    return !running->interrupted ||
           err_set(err, ERR_NEGATIVE, "interrupted; %" PRIu64 " runs are left", study_left(&running->study)) ||
           err_hint(err, "the same command continues %s", running->path);
}

/* ---- the study ---- */

static bool make_study(Running *running, char *const *command, Err *err)
{
    const uint64_t *chosen_sizes = NULL, *chosen;
    uint32_t n_sizes = 0, n;
    Arena *arena = running->cli->arena;
    if (!processes.given)
        return err_set(err, ERR_USAGE, "--processes is missing: the numbers of processes to run with");
    if (options.repeat > REPEATS_LIMIT)
        return err_set(err, ERR_USAGE, "--repeat: %d is more than %d", options.repeat, REPEATS_LIMIT);
    running->flavour = mpi_option();
    if (running->flavour != MPI_FLAVOUR_NONE && !options.traced)
        return err_set(err, ERR_USAGE, "--mpi goes with --traced");
    if (!local_option_read(&running->local, err))
        return false;
    if (running->local && !options.traced)
        return err_set(err, ERR_USAGE, "--local goes with --traced");
    return numbers_option_parse(&processes, arena, &n, &chosen, err) &&
           (!sizes.given || numbers_option_parse(&sizes, arena, &n_sizes, &chosen_sizes, err)) &&
           study_make(command, options.traced ? "application" : "wall", n_sizes, chosen_sizes, n, chosen,
                      (uint32_t)options.repeat, arena, &running->study, err);
}

/* Checked for every point, because the launcher's name may contain {processes}, too. */
static bool check_launchers(const Running *running, Err *err)
{
    for (uint32_t i = 0; i < running->study.n_points; i++)
        if (!launch_check_launcher(study_command(&running->study, &running->study.points[i], running->cli->arena),
                                   running->cli->arena, err))
            return false;
    return true;
}

/* Names the files from which an interrupted study continues. */
static bool name_files(Running *running, Err *err)
{
    Arena *arena = running->cli->arena;
    running->path = options.output ? options.output : "runs.csv";
    running->log_path = arena_printf(arena, "%s.log", running->path);
    running->directory = arena_printf(arena, "%s.traced", running->path);
    const Output outputs[] = {{.path = running->path, .is_edited = true},
                              {.path = running->log_path, .is_edited = true}};
    return outputs_check(outputs, options.traced ? 1 : 2, NULL, 0, arena, err);
}

static bool open_files(Running *running, Err *err)
{
    bool was_cut_off;
    Arena *arena = running->cli->arena;
    running->is_new = !files_exist(running->path);
    running->is_new_log = !files_exist(running->log_path);
    if (!study_open(running->path, cli_own_command(running->cli), &running->study, arena, &running->file, &was_cut_off,
                    err))
        return false;
    if (was_cut_off)
        cli_note(running->cli, "%s: its last line was cut off; firma removed it", running->path);
    if (options.traced || !study_left(&running->study))
        return true;
    running->log = fopen(running->log_path, "a");
    if (running->log)
        return true;
    err_set(err, ERR_ENVIRONMENT, "%s: %s", running->log_path, strerror(errno));
    study_close(running->file);
    return false;
}

static bool run_study(Running *running, Err *err)
{
    sigset_t before;
    uint64_t n_planned = (uint64_t)running->study.n_points * running->study.repeats;
    if (study_left(&running->study) < n_planned)
        cli_note(running->cli, "%s: continued; %" PRIu64 " of %" PRIu64 " runs are left", running->path,
                 study_left(&running->study), n_planned);
    if (study_left(&running->study))
        measuring_begin(running->cli, running->study.words);
    if (!options.traced) /* a traced launch handles signals itself */
        interrupts_hold(&before);
    bool ok = run_all(running, err);
    if (!options.traced)
        interrupts_release(&before);
    if (running->log)
        fclose(running->log);
    study_close(running->file);
    return ok;
}

/* No program ran, so new files are removed. */
static bool explain_no_start(const Running *running, Err *err)
{
    if (running->is_new)
        unlink(running->path);
    if (running->is_new_log && !options.traced)
        unlink(running->log_path);
    *err = running->failure;
    return false;
}

static bool conclude(const Running *running, Err *err)
{
    Runs *runs;
    const ScaleWritten written = {.runs = running->path, .log = options.traced ? NULL : running->log_path};
    uint32_t n_done = 0;
    for (uint32_t i = 0; i < running->study.n_points; i++)
        n_done += running->study.points[i].n_done > 0;
    if (!n_done && running->n_failed && running->n_not_started == running->n_failed)
        return explain_no_start(running, err);
    if (n_done && (!runs_load(running->path, running->cli->arena, &runs, err) ||
                   !scale_runs_show(running->cli, runs, &written, err)))
        return false;
    if (!running->n_failed)
        return true;
    err_set(err, ERR_NEGATIVE, "%u run%s failed%s", running->n_failed, running->n_failed == 1 ? "" : "s",
            n_done ? "" : "; none succeeded");
    return options.traced ? false : err_hint(err, "their output is in %s", running->log_path);
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    Running running = {.cli = cli};
    if (n)
        return err_set(err, ERR_USAGE, "`%.100s`: unexpected; the command follows --", words[0]);
    if (!command)
        return err_set(err, ERR_USAGE, "expected a command behind --");
    return scale_runs_check(cli, err) && make_study(&running, command, err) && name_files(&running, err) &&
           check_launchers(&running, err) && open_files(&running, err) && run_study(&running, err) &&
           conclude(&running, err);
}

const Verb scale_run = {
    .name = "scale run",
    .summary = "run a program with several numbers of processes, and analyse the times",
    .synopsis = "-n LIST [--sizes LIST] [--repeat N] [--traced] [-o FILE] -- mpirun -n {processes} ./app [{size}]",
    .description = "Runs the command behind -- with each number of processes in place of {processes}, and each size "
                   "in place of {size}. The points take turns, again and again, so that a drift of the machine "
                   "favours none. Each time is written to the file (runs.csv) at once, with the factor by which other "
                   "programs may have slowed the run down. If the command is "
                   "interrupted, the same command continues.\n\n"
                   "Times are wall-clock times of the launcher, with its start and end. With --traced, they are the "
                   "recorder's times from MPI_Init to MPI_Finalize. Runs that fail are named, and don't count. At "
                   "the end, firma prints the same as `firma scale runs`.",
    .examples = "firma scale run -n 1,2,4 -- mpirun -n {processes} ./app\n"
                "firma scale run -n 1,2,4 --sizes 100,200 -- mpirun -n {processes} ./app {size}   # with several sizes",
    .options = option_table,
    .takes_command = true,
    .run = run,
};
