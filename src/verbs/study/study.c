/* SPDX-License-Identifier: BSD-3-Clause */
/* firma study: trace, phases, measure and predict with one command; with --verify also a full run,
 * to compare. For another machine, which --platform or --machine describes: trace, phases, simulate. */
#include "base/files.h"
#include "base/interrupts.h"
#include "base/json.h"
#include "base/process.h"
#include "base/text.h"
#include "cli/analysis.h"
#include "cli/cli.h"
#include "cli/measuring.h"
#include "cli/option_values.h"
#include "cli/outputs.h"
#include "cli/shared_options.h"
#include "cli/timed_run.h"
#include "cli/values.h"
#include "model/runs.h"
#include "model/times.h"
#include "report/format.h"
#include "signature/execute/measure.h"
#include "signature/execute/repeats.h"
#include "signature/predict/predict.h"
#include "trace/ownership.h"
#include "verbs/phases/text.h"
#include "verbs/predict/text.h"
#include "verbs/report/answer.h"
#include "verbs/report/making.h"
#include "verbs/simulate/simulating.h"
#include "verbs/study/limits.h"
#include "verbs/study/series.h"
#include "verbs/trace/launching.h"
#include "verbs/trace/tracing.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct {
    char *output;
    int verify, repeats, overhead;
} options;

static NumberList processes = {.option = "--processes", .least = 1, .most = RUNS_PROCESSES_LIMIT};

static Choice estimator = {.name_at = prediction_estimator_name};

static const struct poptOption option_table[] = {
    {"output", 'o', POPT_ARG_STRING, &options.output, 0, "where to write the results; by default PROGRAM.study", "DIR"},
    {"processes", 'n', OPTION_NUMBERS, &processes, 0,
     "numbers of processes, such as 2,4,8 or 1:8x2, in place of {processes} in the command: each is studied in a folder "
     "DIR/pN, and DIR/runs.csv has their times, for `firma scale`",
     "LIST"},
    {"verify", 'v', POPT_ARG_NONE, &options.verify, 0,
     "run the program in full once more, and compare the prediction with it", NULL},
    {"repeat", 'r', OPTION_COUNT, &options.repeats, 0,
     "how many times to trace the full run, at most 5; by default 2 if a run takes less than half a minute, else 1. "
     "What recurs is the program's own, what doesn't is the machine's noise",
     "N"},
    {"overhead", '\0', POPT_ARG_NONE, &options.overhead, 0,
     "run the program in full once without the recorder, too, and say what recording adds to its time", NULL},
    SHARED_OPTIONS(simulating_option_table),
    SHARED_OPTIONS(plan_option_table),
    {"estimator", '\0', OPTION_CHOICE, &estimator, 0,
     "how phase times become a run time: process or slowest, as in `firma predict --help`; by default process", "NAME"},
    SHARED_OPTIONS(report_option_table),
    SHARED_OPTIONS(hiding_option_table),
    SHARED_OPTIONS(local_option_table),
    SHARED_OPTIONS(force_option_table),
    SHARED_OPTIONS(mpi_option_table),
    POPT_TABLEEND};

/* A shorter run is traced again without being asked: one run doesn't tell how much runs differ. */
static const double SHORT_RUN_S = 30;

/* Archives of a study: the first traced run, --verify's, and the further runs of --repeat. */
static const char *const traces[] = {STUDY_TRACE,  "verify.trace", "run2.trace",
                                     "run3.trace", "run4.trace",   "run5.trace"};
enum { N_TRACES = sizeof traces / sizeof *traces, FIRST_REPEAT = 2, TRACED_RUNS_LIMIT = N_TRACES - FIRST_REPEAT + 1 };

#define UNTRACED_LOG "untraced.log"

/* The study's files, all in one directory. */
typedef struct Study {
    Cli *cli;
    const char *directory, *log, *signature_path, *times_path;
    char *const *command;
    MpiFlavour flavour;
    const char *salt;  /* hides the program's arguments; NULL: they are stored */
    const char *local; /* --local, of the full runs; NULL: not given */
    PlanOptions plan_options;
    const char *repeats[TRACED_RUNS_LIMIT]; /* archives of the further runs */
    uint32_t n_repeats;
    Signature *signature;
    Platform *platform; /* that is simulated; NULL: this machine is measured */
    PhaseTimes *times;
    StudyLimits limits;
    double actual_s; /* 0: not verified */
    Series *series;  /* of which this is one study; NULL: of none */
    uint32_t index;  /* in the series */
    /* From the launcher's start to its end, with the recorder (of several runs, the mean), and without
     * it; 0: not measured. */
    double traced_s, untraced_s;
} Study;

static const char *in_study(const Study *study, const char *name)
{
    return arena_printf(study->cli->arena, "%s/%s", study->directory, name);
}

static void announce(const Study *study, const char *step)
{
    if (!study->cli->json && !study->cli->quiet) {
        cli_print(study->cli, "== %s\n", step);
        fflush(stdout);
    }
}

static bool is_part(const char *name)
{
    static const char *const names[] = {STUDY_SIGNATURE, STUDY_TIMES, STUDY_TIMES ".log", STUDY_TIMES ".recording",
                                        UNTRACED_LOG};
    static const char *const suffixes[] = {"", ".log", ".recording"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    for (size_t i = 0; i < N_TRACES; i++)
        for (size_t k = 0; k < sizeof suffixes / sizeof *suffixes; k++) {
            size_t length = strlen(traces[i]);
            if (strncmp(name, traces[i], length) == 0 && strcmp(name + length, suffixes[k]) == 0)
                return true;
        }
    return false;
}

static bool check_recording(const char *recording, Arena *arena, Err *err)
{
    return !files_exist(recording) ||
           (recording_check_own(recording, arena, err) && recording_check_unused(recording, arena, err));
}

static bool check_traces(const char *directory, Arena *arena, Err *err)
{
    for (size_t i = 0; i < N_TRACES; i++) {
        const char *trace = arena_printf(arena, "%s/%s", directory, traces[i]);
        if ((files_exist(trace) && !archive_check_own(trace, arena, err)) ||
            !check_recording(arena_printf(arena, "%s.recording", trace), arena, err))
            return false;
    }
    return check_recording(arena_printf(arena, "%s/" STUDY_TIMES ".recording", directory), arena, err);
}

static const DirectoryKind study_directory = {.what = "a study",
                                              .mark = STUDY_LOG,
                                              .early_mark = STUDY_TRACE ".recording",
                                              .is_part = is_part,
                                              .check_below = check_traces,
                                              .is_private = true,
                                              .grows = true};

/* Runs the program in full under the recorder, with its output in a log. */
static bool trace_run(const Study *study, const char *name, double expected_s, Tracing *tracing, Err *err)
{
    *tracing = (Tracing){.archive = in_study(study, name),
                         .recording = in_study(study, arena_printf(study->cli->arena, "%s.recording", name)),
                         .output_path = in_study(study, arena_printf(study->cli->arena, "%s.log", name)),
                         .salt = study->salt,
                         .local = study->local,
                         .expected_s = expected_s,
                         .flavour = study->flavour};
    if (!tracing_record(study->cli, tracing, study->command, err))
        return false;
    for (uint32_t i = 0; i < tracing->summary.n_notes; i++)
        cli_note(study->cli, "%s", tracing->summary.notes[i].text);
    if (tracing_judge(tracing, study->cli->arena, err))
        return !study->series ||
               series_add(study->series, study->index, tracing->summary.application_s, &tracing->load, err);
    return err->hint[0] ? false : err_hint(err, "the program's output is in %s", tracing->output_path);
}

/* Phases begin at events, so a trace without events has no phases. */
static bool check_events(const Study *study, const ArchiveSummary *summary, Err *err)
{
    if (summary->n_messages || summary->n_collectives || summary->n_one_sided)
        return true;
    return err_set(err, ERR_INPUT, "%s exchanged no messages between MPI_Init and MPI_Finalize",
                   program_name(study->command, study->cli->arena)) ||
           err_hint(err, "firma predicts message-passing programs; `firma cost` estimates others from their source");
}

/* Traces the further runs of --repeat. */
static bool trace_again(Study *study, double run_s, Err *err)
{
    uint32_t n_runs = options.repeats ? (uint32_t)options.repeats : run_s < SHORT_RUN_S ? 2 : 1;
    while (study->n_repeats + 1 < n_runs) {
        Tracing tracing;
        announce(study, arena_printf(study->cli->arena, "tracing the full run again (%u of %u)", study->n_repeats + 2,
                                     n_runs));
        if (!trace_run(study, traces[FIRST_REPEAT + study->n_repeats], run_s, &tracing, err))
            return false;
        study->repeats[study->n_repeats++] = tracing.archive;
        study->traced_s += tracing.elapsed_s;
    }
    study->traced_s /= study->n_repeats + 1;
    return true;
}

static bool judge_untraced(const TimedRun *run, const char *log, Arena *arena, Err *err)
{
    if (run->interrupted)
        return err_set(err, ERR_NEGATIVE, "interrupted while the program ran without the recorder");
    return run->status == 0 ||
           err_set(err, ERR_NEGATIVE, "the program failed with status %s without the recorder; its output is in %s",
                   process_status_text(run->status, arena), log);
}

/* Runs the program in full without the recorder, for --overhead. */
static bool run_untraced(Study *study, Err *err)
{
    const char *path = in_study(study, UNTRACED_LOG);
    TimedRun run;
    sigset_t before;
    FILE *log = fopen(path, "we");
    if (!log)
        return err_set(err, ERR_ENVIRONMENT, "%s: %s", path, strerror(errno));
    announce(study, "running in full without the recorder");
    interrupts_hold(&before);
    bool ok = timed_run((const char *const *)study->command, log, study->cli->arena, &run, err);
    interrupts_release(&before);
    ok = ok && timed_run_check_log(log, path, err) && judge_untraced(&run, path, study->cli->arena, err);
    fclose(log);
    study->untraced_s = ok ? run.time_s : 0;
    return ok;
}

/* What recording adds, as a share. */
static double overhead(const Study *study)
{
    return study->traced_s / study->untraced_s - 1;
}

/* A further run that communicates otherwise tells nothing. Only if the user asked for it, that's an
 * error. */
static bool read_repeats(Study *study, Err *err)
{
    Err problem = {0};
    if (repeats_read(study->signature, study->repeats, study->n_repeats, &study->cli->progress, study->cli->arena,
                     &problem))
        return true;
    if (options.repeats || problem.kind != ERR_INPUT) {
        *err = problem;
        return false;
    }
    cli_note(study->cli, "%s; so the first run alone counts", problem.message);
    return true;
}

static bool make_signature(Study *study, const Tracing *tracing, Err *err)
{
    PhaseParameters parameters;
    OrderOptions order = {0};
    OrderReport report = {0};
    announce(study, "phases");
    if (!analysis_options_read(&parameters, &order, study->cli->arena, err) ||
        !analysis_run(study->cli, tracing->archive, &parameters, &order, &study->signature, &report, err) ||
        !read_repeats(study, err) || !signature_save(study->signature, study->signature_path, err))
        return false;
    study->limits = study_find_limits(study->signature, &tracing->summary, !study->platform, study->cli->arena);
    if (study->cli->json || study->cli->quiet)
        return true;
    cli_print(study->cli, "%s", study_limits_text(&study->limits, study->cli->arena));
    if (study->limits.are_tables_empty)
        return true;
    const PhasesView view = {false, study->cli->color, cli_columns()};
    cli_print(study->cli, "%s", phases_text(study->signature, &report, &view, study->cli->arena));
    return true;
}

static bool measure(Study *study, Err *err)
{
    const PrefixPlan plan = prefix_plan(study->signature, &study->plan_options);
    const MeasureOptions measure_options = {.recording = in_study(study, STUDY_TIMES ".recording"),
                                            .output_path = in_study(study, STUDY_TIMES ".log"),
                                            .repeats = 1,
                                            .flavour = study->flavour};
    MeasureResult result;
    measuring_begin(study->cli, study->command);
    bool measured = measure_prefix(study->signature, &plan, &measure_options, study->command, &study->cli->progress,
                                   study->cli->arena, &result, err);
    measuring_end();
    if (!measured || !times_save(result.times, study->times_path, err))
        return false;
    cli_progress_end(study->cli);
    study->times = result.times;
    return true;
}

/* ---- conclusions ---- */

static void print_document(const Study *study, json_t *document)
{
    json_object_set_new(document, "study", json_from_text(study->directory));
    json_object_set_new(document, "limits",
                        fields_to_json_array(&study_limit_fields, study->limits.items, study->limits.n, 0));
    json_object_set_new(document, "files", output_directory_json(study->directory));
    if (study->untraced_s > 0)
        json_object_set_new(document, "overhead",
                            json_pack("{s:f, s:f, s:f}", "traced_s", study->traced_s, "untraced_s", study->untraced_s,
                                      "percent", 100 * overhead(study)));
    report_option_add(document);
    if (study->series)
        json_array_append_new(study->series->documents, document);
    else
        cli_print_json(study->cli, document);
}

static void print_text(const Study *study, const char *kind, json_t *document, const char *prediction,
                       const char *files)
{
    if (study->cli->quiet)
        return;
    answer_print(study->cli, kind, document);
    cli_print(study->cli, "%s", prediction);
    if (study->untraced_s > 0)
        cli_print(study->cli,
                  "  overhead             recording adds %+.1f %%: %s with it, %s in one run without it, launch "
                  "included; as exact as two runs are alike\n",
                  100 * overhead(study), format_seconds(study->cli->arena, study->traced_s),
                  format_seconds(study->cli->arena, study->untraced_s));
    cli_print(study->cli, "\n%s and the program's output are in %s\n", files,
              text_as_line(study->directory, study->cli->arena));
}

static bool predict_here(const Study *study, Err *err)
{
    Prediction prediction;
    announce(study, "prediction");
    const char *chosen = estimator.given ? estimator.given : prediction_estimator_name(0);
    if (!predict_run_time(study->signature, study->times, chosen, study->cli->arena, &prediction, err))
        return false;
    /* The results are printed even if the page can't be written. */
    bool written = report_option_write(study->cli, study->directory, "prediction",
                                       prediction_json(&prediction, study->actual_s), err);
    if (study->cli->json)
        print_document(study, prediction_json(&prediction, study->actual_s));
    else
        print_text(
            study, "prediction", prediction_json(&prediction, study->actual_s),
            study->limits.are_tables_empty
                ? prediction_headline(&prediction, study->times, study->actual_s, study->cli->arena)
                : prediction_text(&prediction, study->times, study->actual_s, study->cli->color, study->cli->arena),
            "Trace, signature, times");
    return written;
}

/* Measures and predicts on this machine. */
static bool conclude_here(Study *study, Err *err)
{
    announce(study, "executing the signature");
    if (!measure(study, err))
        return false;
    if (options.verify) {
        Tracing tracing;
        announce(study, "running in full, to compare");
        if (!trace_run(study, "verify.trace", study->signature->application_s, &tracing, err))
            return false;
        study->actual_s = tracing.summary.application_s - tracing.summary.recording_s;
    }
    return predict_here(study, err);
}

/* Simulates the machine that the options name. */
static bool conclude_there(const Study *study, const char *trace, Err *err)
{
    Sweep sweep = {0};
    SimulateView view;
    const Simulating simulating = {
        .traced = {trace, study->signature_path, study->signature}, .platform = study->platform, .sweep = &sweep};
    announce(study, "simulating the other machine");
    if (!simulating_run(study->cli, &simulating, &view, err)) {
        cli_note(study->cli, "firma simulate takes the trace, %s, without running the program again", trace);
        return false;
    }
    bool written =
        report_option_write(study->cli, study->directory, "simulation", simulate_json(&view, study->cli->arena), err);
    if (study->cli->json)
        print_document(study, json_pack("{s:o}", "simulation", simulate_json(&view, study->cli->arena)));
    else
        print_text(study, "simulation", simulate_json(&view, study->cli->arena),
                   simulate_text(&view, study->cli->arena), "Trace, signature");
    return written;
}

/* ---- the verb ---- */

/* Options of the machine there, without one, or options of a measurement here, with one. */
static bool check_machine(Err *err)
{
    const char *of_measuring = options.verify ? "--verify" : estimator.given ? "--estimator" : plan_options_given();
    if (!simulating_options_given())
        return true;
    if (of_measuring)
        return err_set(err, ERR_USAGE, "%s is about a measurement here, but another machine is simulated",
                       of_measuring);
    return simulating_options_check(NULL, err);
}

static bool check_usage(const Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    if (n != 0)
        return err_set(err, ERR_USAGE, "%s: unexpected; only options may stand before `--`", words[0]);
    if (!command)
        return err_set(err, ERR_USAGE, "expected the command that starts the program behind --");
    if (options.repeats > TRACED_RUNS_LIMIT)
        return err_set(err, ERR_USAGE, "--repeat: %d is more than %d", options.repeats, TRACED_RUNS_LIMIT);
    return check_machine(err) && (processes.given || launch_check_launcher(command, cli->arena, err));
}

static bool study_once(Study *study, Err *err)
{
    Arena *arena = study->cli->arena;
    study->signature_path = in_study(study, STUDY_SIGNATURE);
    study->times_path = in_study(study, STUDY_TIMES);
    Tracing tracing;
    OutputDirectory directory;
    const Output output = {.path = study->directory, .kind = &study_directory};
    if (!output_directory_begin(&output, arena, &directory, err))
        return false;
    announce(study, "tracing a full run");
    bool traced = trace_run(study, STUDY_TRACE, 0, &tracing, err);
    output_directory_end(&directory, tracing.launched || files_exist(tracing.output_path), arena, err);
    study->traced_s = tracing.elapsed_s;
    if (!traced || !check_events(study, &tracing.summary, err) || (options.overhead && !run_untraced(study, err)) ||
        !trace_again(study, tracing.summary.application_s, err) || !make_signature(study, &tracing, err))
        return false;
    return study->platform ? conclude_there(study, in_study(study, STUDY_TRACE), err) : conclude_here(study, err);
}

/* ---- several numbers of processes ---- */

/* Before the first one runs. A command's launcher may contain {processes}, too. */
static bool check_series(const Series *series, Arena *arena, Err *err)
{
    for (uint32_t i = 0; i < series->n; i++) {
        const Output output = {.path = series_directory(series, i, arena), .kind = &study_directory};
        if (!launch_check_launcher(series_command(series, i, arena), arena, err) ||
            (files_exist(series->directory) && !outputs_check_one(&output, NULL, 0, arena, err)))
            return false;
    }
    return !report_option() || err_set(err, ERR_USAGE, "--report: the page is of one number of processes") ||
           err_hint(err, "firma report takes each folder");
}

static void print_series(Cli *cli, Series *series)
{
    const char *runs = series_runs_path(series, cli->arena);
    if (cli->json)
        cli_print_json(cli, json_pack("{s:O, s:o}", "studies", series->documents, "runs", json_from_text(runs)));
    else if (!cli->quiet)
        cli_print(cli, "\nThe times of all full runs are in %s: firma scale reads them, and the folders beside it\n",
                  text_as_line(runs, cli->arena));
}

static bool study_each(const Study *common, Series *series, Err *err)
{
    Cli *cli = common->cli;
    bool ok = true;
    for (uint32_t i = 0; ok && i < series->n; i++) {
        Study study = *common;
        study.series = series;
        study.index = i;
        study.command = series_command(series, i, cli->arena);
        study.directory = series_directory(series, i, cli->arena);
        announce(&study, arena_printf(cli->arena, "p = %" PRIu64, series->processes[i]));
        ok = study_once(&study, err);
    }
    return ok;
}

static bool study_series(const Study *common, Err *err)
{
    Cli *cli = common->cli;
    Series series;
    const uint64_t *numbers;
    uint32_t n;
    if (!numbers_option_parse(&processes, cli->arena, &n, &numbers, err) ||
        !series_plan(common->command, common->salt, common->directory, n, numbers, cli->arena, &series, err) ||
        !check_series(&series, cli->arena, err) || !series_open(&series, cli_own_command(cli), cli->arena, err))
        return false;
    series.documents = json_array();
    bool ok = study_each(common, &series, err);
    series_close(&series);
    if (ok)
        print_series(cli, &series);
    json_decref(series.documents);
    return ok;
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    Study study = {.cli = cli, .command = command, .flavour = mpi_option(), .plan_options = plan_options()};
    const Output report = {.path = report_option()};
    if (!check_usage(cli, n, words, command, err) || !outputs_check_one(&report, NULL, 0, cli->arena, err) ||
        !arguments_salt(cli->arena, &study.salt, err) || !local_option_read(&study.local, err) ||
        (simulating_options_given() && !simulating_find_platform(cli, &study.platform, err)))
        return false;
    study.directory =
        options.output ? options.output : arena_printf(cli->arena, "%s.study", program_name(command, cli->arena));
    return processes.given ? study_series(&study, err) : study_once(&study, err);
}

const Verb verb_study = {
    .name = "study",
    .question = QUESTION_TIME,
    .summary = "predict a run time in one go, here or on another machine",
    .synopsis =
        "[-o DIR] [-n LIST] [--verify | --platform TEXT | --machine FILE] -- LAUNCHER [ARGUMENTS] PROGRAM [ARGUMENTS]",
    .description =
        "Does the whole method on one machine with one command: runs the program in full under the recorder, twice if "
        "that takes less than half a minute, finds its phases, measures them again in a short part of the run, and "
        "predicts the run time from them. With --verify, runs the program in full once more, and compares the "
        "prediction with this run.\n\n"
        "With --platform or --machine, predicts the run on that machine instead, where nothing has to run: simulates "
        "the traced run there, as `firma simulate` does, and says what the time depends on.\n\n"
        "With -n, does all this for several numbers of processes, one after the other.\n\n"
        "The directory DIR then contains app.trace (an OTF2 archive), app.firma (the signature, for `firma measure` "
        "on other machines), times.json (the phase times, if measured), and logs of the program's output.",
    .examples = "firma study -- mpirun -n 4 ./app input.dat                 # results in app.study\n"
                "firma study --platform 4x1:50us,1GB/s -- mpirun -n 4 ./app # on four nodes that aren't here\n"
                "firma study --verify -- mpirun -n 4 ./app                  # how large is the error?\n"
                "firma study -n 2,4,8 -- mpirun -n {processes} ./app         # and firma scale app.study\n"
                "firma study --repeat 5 -- mpirun -n 4 ./app                # a narrower interval\n"
                "firma study --overhead -- mpirun -n 4 ./app                # what does recording cost?\n"
                "firma study --json -- mpirun -n 4 ./app | jq .predicted_s  # for scripts",
    .options = option_table,
    .takes_command = true,
    .run = run,
};
