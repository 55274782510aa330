/* SPDX-License-Identifier: BSD-3-Clause */
/* firma scale counts: runs of one program on several numbers of processes, phase by phase, and on other numbers. */
#include "base/files.h"
#include "base/json.h"
#include "cli/analysis.h"
#include "cli/option_values.h"
#include "cli/outputs.h"
#include "cli/shared_options.h"
#include "cli/values.h"
#include "model/application.h"
#include "scaling/extrapolate/extrapolate.h"
#include "trace/archive.h"
#include "verbs/report/answer.h"
#include "verbs/report/making.h"
#include "verbs/report/pictures.h"
#include "verbs/scale/counts_views.h"
#include "verbs/scale/scale.h"
#include "verbs/simulate/simulating.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static struct {
    char *output, *svg;
    int accept_differences;
} given;

static NumberList predict = {.option = "--predict", .least = 1, .most = RUNS_PROCESSES_LIMIT};

static Choice scaling = {.names = (const char *const[]){"strong", "weak", NULL}};

static NumberList sizes = {.option = "--sizes", .has_units = true, .keeps_order = true, .least = 1, .most = INT32_MAX};

static const struct poptOption option_table[] = {
    {"sizes", '\0', OPTION_NUMBERS, &sizes, 0,
     "sizes of the problem, one for each signature, which then have one number of processes; --predict names sizes then",
     "LIST"},
    {"scaling", '\0', OPTION_CHOICE, &scaling, 0,
     "strong: the runs are of one problem; weak: it grows with p. By default, computation tells, where it is most of the "
     "time",
     "NAME"},
    {"predict", '\0', OPTION_NUMBERS, &predict, 0, "predict the time on these numbers of processes, such as 64,128",
     "LIST"},
    SHARED_OPTIONS(scale_efficiency_option_table),
    {"accept-differences", '\0', POPT_ARG_NONE, &given.accept_differences, 0,
     "go on even if programs have different names", NULL},
    {"output", 'o', POPT_ARG_STRING, &given.output, 0,
     "where to write the signature of the extrapolated run; --predict names one number then", "FILE"},
    {"svg", '\0', OPTION_SVG, &given.svg, 0, "draw the times with the sum of the laws, and where they go", "FILE"},
    SHARED_OPTIONS(report_option_table),
    SHARED_OPTIONS(simulating_option_table),
    SHARED_OPTIONS(force_option_table),
    POPT_TABLEEND};

/* Run times are in files that are neither signatures nor traces. */
static bool takes(const char *path)
{
    json_t *root;
    Err ignored = {0};
    if (!analysis_is_signature(path))
        return files_is_directory(path) || (files_exist(path) && files_has_suffix(path, ".otf2"));
    if (!json_load_root(path, signature_document.format, &root, &ignored))
        return false;
    bool is_signature = json_has_format(root, signature_document.format);
    json_decref(root);
    return is_signature;
}

/* Times of calls, which the logical trace doesn't have. */
static bool read_calls(Cli *cli, CountRun *run, Err *err)
{
    Reading reading;
    Profile *profile = arena_new_array(cli->arena, Profile, 1);
    if (!reading_open(cli, run->trace, NULL, &reading, err))
        return false;
    bool ok = profile_read(reading.source, &reading.progress, cli->arena, profile, err);
    reading_close(cli, &reading);
    run->calls = profile->calls;
    return ok || err_prefix(err, "%s", run->path);
}

/* From the definitions alone, before events are read. */
static bool find_application(Cli *cli, const Traced *traced, Application *application, Err *err)
{
    Archive *archive;
    if (traced->signature) {
        *application = traced->signature->application;
        return true;
    }
    if (!archive_open(traced->trace, &archive, err))
        return false;
    *application = application_copy(&archive_source(archive)->trace->application, cli->arena);
    archive_close(archive);
    return true;
}

/* Two programs that are compared by mistake are named at once. */
static bool find_runs(Cli *cli, int n, const char *const *words, Traced *traced, Err *err)
{
    Application *applications = arena_new_array(cli->arena, Application, (size_t)n);
    for (int i = 0; i < n; i++)
        if (!traced_find(cli, words[i], &traced[i], err) || !find_application(cli, &traced[i], &applications[i], err))
            return false;
    return given.accept_differences || counts_check_programs(words, applications, (uint32_t)n, err);
}

static bool read_run(Cli *cli, const char *word, const Traced *found, CountRun *run, Err *err)
{
    Traced traced = *found;
    Reading reading;
    PhaseParameters parameters;
    OrderOptions order = {0};
    if (!analysis_options_read(&parameters, &order, cli->arena, err) ||
        !reading_open(cli, traced.trace, &order, &reading, err))
        return false;
    if (traced.signature) {
        parameters = traced.signature->parameters;
        parameters.compute_floor_given = true;
    }
    bool ok = traced_check(&traced, reading.source->trace, cli->arena, err);
    if (ok && !waits_find(reading.source, &parameters, &order, NULL, &reading.progress, cli->arena, &run->waits, err))
        ok = err_prefix(err, "%s", word);
    run->path = word;
    run->trace = traced.trace;
    run->x = run->p = reading.source->trace->application.n_processes;
    reading_close(cli, &reading);
    if (ok)
        run->time_s = run->waits.signature->application_s;
    return ok && read_calls(cli, run, err);
}

/* ---- the extrapolated run on a machine ---- */

static bool reopen(void *self, EventSource **completions, Err *err)
{
    Extrapolated *extrapolated = self;
    (void)err;
    extrapolated_rewind(extrapolated, true);
    *completions = &extrapolated->source;
    return true;
}

/* Of the simulation, and of the computation that it was given. The interval reaches as far down as up, as a factor, so it
 * never reaches 0. */
static Estimated simulated_time(const Simulated *simulated, double computation_width)
{
    double value = simulated->application_s,
           factor = 1 + hypot(simulated->high_s / value - 1, simulated->compute_share * computation_width);
    return (Estimated){value, value / factor, value * factor};
}

static bool extrapolate_runs(Cli *cli, const Counts *counts, uint32_t p, Extrapolated *extrapolated, Err *err)
{
    Archive **archives = arena_new_array(cli->arena, Archive *, counts->n_runs);
    ExtrapolationRun *runs = arena_new_array(cli->arena, ExtrapolationRun, counts->n_runs);
    bool ok = true;
    for (uint32_t i = 0; i < counts->n_runs && ok; i++) {
        ok = archive_open(counts->runs[i].trace, &archives[i], err);
        if (ok)
            archive_tell_completions(archives[i]);
        runs[i] = (ExtrapolationRun){counts->runs[i].path, ok ? archive_source(archives[i]) : NULL};
    }
    ok = ok && extrapolate(runs, counts->n_runs, p, &cli->progress, cli->arena, extrapolated, err);
    for (uint32_t i = 0; i < counts->n_runs; i++)
        archive_close(archives[i]);
    cli_progress_end(cli);
    if (ok) /* the archive's texts are gone */
        extrapolated->trace.application = counts->runs[counts->n_runs - 1].waits.signature->application;
    extrapolated->trace.application.n_processes = p;
    return ok;
}

static const char *run_name(const Cli *cli, uint32_t p)
{
    return arena_printf(cli->arena, "the run with %u processes", p);
}

static bool simulate(Cli *cli, const Counts *counts, uint32_t p, const Platform *platform, CountSimulated *result,
                     Err *err)
{
    Extrapolated *extrapolated = arena_new_array(cli->arena, Extrapolated, 1);
    Simulated *simulated = arena_new_array(cli->arena, Simulated, 1);
    Err refusal = {0};
    if (!extrapolate_runs(cli, counts, p, extrapolated, &refusal)) {
        result->why_not = arena_strdup(cli->arena, refusal.message);
        return refusal.kind == ERR_INPUT || err_set(err, refusal.kind, "%s", refusal.message);
    }
    if (!simulating_source(cli, &extrapolated->source, reopen, extrapolated, run_name(cli, p), platform, simulated,
                           err))
        return false;
    if (extrapolated->n_kept_volumes)
        cli_note(cli, "p = %u: the volumes of %" PRIu64 " kinds of calls follow no law, and stay as with p = %u", p,
                 extrapolated->n_kept_volumes, counts->runs[counts->n_runs - 1].p);
    *result = (CountSimulated){.layout = extrapolated->layout,
                               .time_s = simulated_time(simulated, extrapolated->width),
                               .compute_share = simulated->compute_share,
                               .waiting_share = simulated->waiting_share,
                               .n_events = extrapolated->n_events};
    return !given.output || signature_save(&simulated->target, given.output, err);
}

static bool simulate_all(Cli *cli, const Counts *counts, const Platform *platform, Err *err)
{
    for (uint32_t i = 0; i < counts->n_predictions; i++) {
        CountSimulated *simulated = arena_new_array(cli->arena, CountSimulated, 1);
        counts->predictions[i].simulated = simulated;
        if (!simulate(cli, counts, counts->predictions[i].p, platform, simulated, err))
            return false;
    }
    return true;
}

/* ---- options ---- */

/* platform: NULL if no machine is named. */
static bool find_platform(Cli *cli, const ScalingOptions *options, const char *const *words, int n, Platform **platform,
                          Err *err)
{
    const char *option = simulating_options_given();
    *platform = NULL;
    if (option && sizes.given)
        return err_set(err, ERR_USAGE, "%s: events are extrapolated to other numbers of processes, not sizes", option);
    if (option && !options->n_extrapolate)
        return err_set(err, ERR_USAGE, "%s goes with --predict", option);
    if (scaling.given && sizes.given)
        return err_set(err, ERR_USAGE, "--scaling: with --sizes, all runs have one number of processes");
    if (given.output && (!option || options->n_extrapolate != 1))
        return err_set(err, ERR_USAGE, "-o goes with --predict of one number, and --platform or --machine");
    const Output outputs[] = {{.path = given.output}, {.path = given.svg}, {.path = report_option()}};
    if (!outputs_check(outputs, sizeof outputs / sizeof *outputs, words, (size_t)n, cli->arena, err))
        return false;
    if (!option)
        return true;
    bool ok = simulating_options_check(NULL, err) && simulating_find_platform(cli, platform, err);
    for (uint32_t i = 0; i < options->n_extrapolate && ok; i++)
        ok = simulating_check_processes(cli, run_name(cli, options->extrapolate[i]), *platform, options->extrapolate[i],
                                        err);
    return ok;
}

static bool read_options(Cli *cli, ScalingOptions *options, Err *err)
{
    const uint64_t *numbers;
    uint32_t n = 0;
    if (predict.given && !numbers_option_parse(&predict, cli->arena, &n, &numbers, err))
        return false;
    uint32_t *processes = arena_new_array(cli->arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++)
        processes[i] = (uint32_t)numbers[i];
    *options = (ScalingOptions){.efficiency_limit = scale_efficiency(),
                                .extrapolate = processes,
                                .n_extrapolate = n,
                                .wants_curves = cli->json || given.svg || report_option()};
    return true;
}

static bool set_sizes(Cli *cli, CountRun *runs, int n, Err *err)
{
    const uint64_t *numbers;
    uint32_t n_sizes = 0;
    if (!sizes.given)
        return true;
    if (!numbers_option_parse(&sizes, cli->arena, &n_sizes, &numbers, err))
        return false;
    for (uint32_t i = 0; i < n_sizes && i < (uint32_t)n; i++)
        runs[i].x = (double)numbers[i];
    return n_sizes == (uint32_t)n || err_set(err, ERR_USAGE, "--sizes: %u sizes, and %d signatures", n_sizes, n);
}

/* As the options say. */
static CountScaling given_scaling(void)
{
    return sizes.given                                                     ? COUNT_SIZES
           : !scaling.given                                                ? COUNT_UNKNOWN
           : strcmp(scaling.given, count_scaling_names[COUNT_STRONG]) == 0 ? COUNT_STRONG
                                                                           : COUNT_WEAK;
}

static bool draw(const Cli *cli, const json_t *document, Err *err)
{
    const char *picture = counts_file(document, cli->arena);
    return picture ? files_save_text(given.svg, picture, err) : err_set(err, ERR_INPUT, "there is no time to draw");
}

static bool show(Cli *cli, const Counts *counts, Err *err)
{
    json_t *document = counts_json(counts);
    bool ok = (!given.svg || draw(cli, document, err)) &&
              report_option_write(cli, NULL, "counts", json_incref(document), err);
    if (ok && cli->json) {
        if (given.output)
            json_object_set_new(document, "output", json_from_text(given.output));
        if (given.svg)
            json_object_set_new(document, "svg", json_from_text(given.svg));
        report_option_add(document);
        cli_print_json(cli, json_incref(document));
    } else if (ok && !cli->quiet) {
        answer_print(cli, "counts", json_incref(document));
        cli_print(cli, "%s", counts_text(counts, cli->color, cli->arena));
    }
    json_decref(document);
    return ok;
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    ScalingOptions options;
    Counts counts;
    Platform *platform;
    (void)command;
    if (n < COUNT_RUNS_LEAST || n > COUNT_RUNS_LIMIT)
        return err_set(err, ERR_USAGE, "expected runs on %d to %d numbers of processes, or of so many sizes, found %d",
                       COUNT_RUNS_LEAST, COUNT_RUNS_LIMIT, n) ||
               err_hint(err, "firma study -o p8.study -- mpirun -n 8 … adds one; firma scale trace says where the time "
                             "of one goes");
    if (!read_options(cli, &options, err) || !find_platform(cli, &options, words, n, &platform, err))
        return false;
    CountRun *runs = arena_new_array(cli->arena, CountRun, (size_t)n);
    Traced *traced = arena_new_array(cli->arena, Traced, (size_t)n);
    if (!find_runs(cli, n, words, traced, err))
        return false;
    for (int i = 0; i < n; i++)
        if (!read_run(cli, words[i], &traced[i], &runs[i], err))
            return false;
    cli_progress_end(cli);
    if (!set_sizes(cli, runs, n, err) ||
        !counts_make(runs, (uint32_t)n, given_scaling(), &options, cli->arena, &counts, err) ||
        (platform && !simulate_all(cli, &counts, platform, err)))
        return false;
    return show(cli, &counts, err);
}

const Verb scale_counts = {
    .name = "scale counts",
    .summary = "tell phase by phase how a program scales, from signatures of several numbers of processes",
    .synopsis =
        "SIGNATURE|STUDY|TRACE… [--sizes LIST | --scaling NAME] [--predict LIST] [--efficiency 0.5] [--platform TEXT | --machine FILE] [-o FILE] "
        "[--svg FILE] [--report FILE]",
    .description =
        "Reads signatures, folders of `firma study`, or traces, of one program on three or more numbers of processes. A "
        "signature stands for the trace that it was made from, which is read. `firma scale SIGNATURE…` is the same.\n\n"
        "Phases belong together if their processes do the same: the same "
        "calls in the same order, whatever the partners, the volumes and the number of calls are.\n\n"
        "For each phase firma prints its computation, transfer and waiting, fits laws of p to them, and finds the p at "
        "which the phase's efficiency falls below --efficiency, and what adds most there. The phase that stops scaling "
        "first comes first.\n\n"
        "--predict adds up the laws of all phases. Phases that some run lacks are named with their share of the time. "
        "They have a common law, and widen the interval.\n\n"
        "Runs whose programs have different names are refused, unless they are the same build, or their MPI libraries "
        "differ, too, as of app-openmpi and app-mpich. Warnings say what makes laws doubtful: shared and busy "
        "processors, few runs, noise.\n\n"
        "The efficiency compares the time with that of the fewest processes, for strong scaling times p over p of that "
        "run. Whether the problem grew with p, computation tells, if it is most of the time; otherwise there are no "
        "efficiencies without --scaling.\n\n"
        "With --sizes, the signatures are of several problem sizes on one number of processes. Laws are over the size, "
        "and so are predictions.\n\n"
        "With --platform or --machine, firma also extrapolates the events of each process, and simulates them there, as "
        "firma simulate does. A process's partners are functions of its place in a layout: a line, a grid or a box, "
        "open or closed, a hypercube, a binary tree, or a first process with workers. firma takes the layout in which "
        "the runs have the fewest kinds of events. Each process does what a process of the largest run does in the "
        "same place, such as a corner; loops and volumes grow as they do over the runs, and computation has the laws "
        "of scaling. Where the runs fit no layout, firma says why. -o writes the signature of that run, with the "
        "simulated times.",
    .examples = "firma scale app.4.firma app.8.firma app.16.firma   # which phase stops scaling first?\n"
                "firma scale p4.study p8.study p16.study --predict 64\n"
                "firma scale p4.study p8.study p16.study --predict 64 --report app.html   # a page with pictures\n"
                "firma scale small.firma middle.firma large.firma --sizes 100,200,400 --predict 800\n"
                "firma scale p4.trace p8.trace p16.trace --predict 64 --platform cluster.xml -o app.64.firma",
    .files = "otf2 firma",
    .of_study = STUDY_SIGNATURE,
    .takes_studies = true,
    .options = option_table,
    .takes = takes,
    .run = run,
};
