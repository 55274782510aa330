/* SPDX-License-Identifier: BSD-3-Clause */
/* firma cost predict: an application's run time on a choice of machines, from its sources or from a model written by
 * hand. */
#include "base/files.h"
#include "cli/option_values.h"
#include "cli/outputs.h"
#include "cli/shared_options.h"
#include "cost/cpu/tools.h"
#include "cost/run/run.h"
#include "verbs/cost/application.h"
#include "verbs/cost/beside.h"
#include "verbs/cost/calibration_option.h"
#include "verbs/cost/cheapest.h"
#include "verbs/cost/cost.h"
#include "verbs/cost/machines.h"
#include "verbs/cost/models.h"
#include "verbs/cost/predict_views.h"
#include "verbs/cost/program.h"
#include "verbs/report/answer.h"
#include "verbs/report/making.h"
#include "verbs/report/pictures.h"

#include <stdio.h>
#include <string.h>

static struct {
    char *measured, *svg;
    int no_messages, model, expressions;
} options;

static Cheapest cheapest; /* with --deadline */

static Choice language = {.names = cpu_languages};

static const struct poptOption option_table[] = {
    SHARED_OPTIONS(cost_set_option_table),
    SHARED_OPTIONS(cost_depth_option_table),
    SHARED_OPTIONS(cost_machine_option_table),
    SHARED_OPTIONS(cost_program_option_table),
    SHARED_OPTIONS(cost_cheapest_option_table),
    {"no-messages", 0, POPT_ARG_NONE, &options.no_messages, 0, "predict as if messages cost nothing", NULL},
    {"language", 0, OPTION_CHOICE, &language, 0, "the language whose operations models written by hand use", "NAME"},
    {"measured", 0, POPT_ARG_STRING, &options.measured, 0,
     "times of real runs to print beside the predictions: the output of `cost run -o`, or a CSV file "
     "with the columns workers and time",
     "FILE"},
    SHARED_OPTIONS(beside_option_table),
    {"svg", 0, OPTION_SVG, &options.svg, 0, "draw the predicted intervals, and the times of real runs", "FILE"},
    SHARED_OPTIONS(report_option_table),
    SHARED_OPTIONS(force_option_table),
    {"model", 0, POPT_ARG_NONE, &options.model, 0,
     "print the application's PAMELA model on the first choice of machines, and nothing else", NULL},
    {"expressions", 0, POPT_ARG_NONE, &options.expressions, 0, "print T0, T1 … and T in full", NULL},
    POPT_TABLEEND};

/* The application or model whose time is predicted. */
typedef struct Subject {
    const char *name;
    PaslApplication *application; /* NULL: a model written by hand */
    const PamelaModel *const *models;
    PamelaModel *model;
    ExprSpace *space;
} Subject;

static bool has_extension(const char *path, const char *extension)
{
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, extension) == 0;
}

static bool load_subject(Cli *cli, const char *path, Subject *subject, Err *err)
{
    if (has_extension(path, ".pamela") && cost_options.counts)
        return err_set(err, ERR_USAGE, "--counts is for flow files, and %s is a model written by hand", path);
    if (has_extension(path, ".pamela")) {
        subject->space = expr_space_new(cli->arena);
        subject->name = files_base_name(path);
        return pamela_load(path, subject->space, cli->arena, &subject->model, err);
    }
    if (!cost_load_flow(path, cli->arena, &subject->application, err))
        return false;
    subject->name = subject->application->name;
    subject->space = subject->application->space;
    return true;
}

static bool load_options(Arena *arena, PredictOptions *how, MachineModel **machine, TaskRuns *runs, Err *err)
{
    if (!cost_load_machine(arena, machine, err))
        return false;
    how->machine = *machine;
    how->without_messages = options.no_messages;
    how->is_dynamic = cost_is_dynamic();
    how->configuration = cost_options.configuration;
    how->language = language.given;
    return calibration_option_load(arena, how, err) &&
           (!options.measured || measured_load(options.measured, arena, runs, err));
}

static json_t *document(const CostReport *report, Arena *arena)
{
    json_t *made = cost_json(report, arena);
    if (options.svg)
        json_object_set_new(made, "svg", json_from_text(options.svg));
    report_option_add(made);
    if (cheapest_is_wanted()) {
        json_object_set_new(made, "deadline_s", json_real(cheapest_deadline_s()));
        json_object_set_new(made, "price", json_real(cheapest.price));
    }
    return made;
}

static bool draw(const CostReport *report, Arena *arena, Err *err)
{
    json_t *document = cost_json(report, arena);
    const char *picture = costs_file(document, arena);
    json_decref(document);
    return picture ? files_save_text(options.svg, picture, err)
                   : err_set(err, ERR_INPUT, "there is no time to draw: all predicted times are 0");
}

static bool output(Cli *cli, const CostReport *report, Err *err)
{
    if ((options.svg && !draw(report, cli->arena, err)) ||
        !report_option_write(cli, NULL, "cost", cost_json(report, cli->arena), err))
        return false;
    if (cli->json)
        cli_print_json(cli, document(report, cli->arena));
    else if (options.model && !cli->quiet)
        cli_print(cli, "%s", pamela_text(report->predictions[0]->model, cli->arena));
    else if (!cli->quiet) {
        if (cheapest_is_wanted())
            cli_print(cli, "%s", cheapest_text(&cheapest, cli->arena));
        answer_print(cli, "cost", cost_json(report, cli->arena));
        cli_print(cli, "%s", cost_text(report, cli->color, cli->arena));
    }
    return true;
}

static bool predict_all(Cli *cli, Predictor *predictor, const MachineChoices *choices, size_t n, CostReport *report,
                        Err *err)
{
    CostPrediction **predictions = arena_new_array(cli->arena, CostPrediction *, n);
    report->predictions = predictions;
    report->n_predictions = options.model ? 1 : n;
    for (size_t i = 0; i < report->n_predictions; i++)
        if (!predictor_predict(predictor, choices[i].items, choices[i].count, &predictions[i], err))
            return false;
    return output(cli, report, err);
}

static const char *const *batch_names(const PaslApplication *application, Arena *arena)
{
    const char **names = arena_new_array(arena, const char *, application->n_batches);
    for (size_t i = 0; i < application->n_batches; i++)
        names[i] = application->batches[i].name;
    return names;
}

static void note_application(const Cli *cli, const Subject *subject, const TaskRuns *runs)
{
    if (subject->application && runs->application && strcmp(runs->application, subject->name) != 0)
        cli_note(cli, "%s holds runs of the application `%s`, but the prediction is for `%s`", options.measured,
                 runs->application, subject->name);
}

/* The first option that doesn't go with an MPI program; NULL: none. */
static const char *application_option_given(void)
{
    return cost_options.kinds.given        ? "--kinds"
           : cost_options.workers.given    ? "--workers"
           : cost_options.calibration      ? "--calibration"
           : cost_options.counts           ? "--counts"
           : cost_options.allocation.given ? "--allocation"
           : cost_options.depth            ? "--depth"
           : language.given                ? "--language"
           : cheapest_is_wanted()          ? "--deadline"
           : options.measured              ? "--measured"
           : beside_is_given()             ? "--beside"
           : options.svg                   ? "--svg"
           : report_option()               ? "--report"
           : options.model                 ? "--model"
           : options.expressions           ? "--expressions"
                                           : NULL;
}

static bool check_options(const char *path, Err *err)
{
    bool is_program = cost_is_program(path);
    const char *other = is_program ? application_option_given() : cost_program_option_given();
    if (!other)
        return true;
    return err_set(err, ERR_USAGE,
                   is_program ? "%s is for flow files and models, and %s is an MPI program's source"
                              : "%s is for the source of an MPI program (.c), and %s is none",
                   other, path);
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    Arena *arena = cli->arena;
    PredictOptions how = {0};
    MachineModel *machine = NULL;
    TaskRuns runs = {0};
    Subject subject = {0};
    CostSettings settings = {0};
    const MachineChoices *choices = NULL;
    size_t n_choices = 0;
    Predictor *predictor = NULL;
    Beside beside = {0};
    bool are_sources = n > 0;
    for (int i = 0; i < n; i++)
        are_sources = are_sources && cost_is_program(words[i]);
    if (n != 1 && !are_sources)
        return err_set(err, ERR_USAGE, "expected one flow file, one PAMELA model, or the sources of one MPI program");
    if (!check_options(words[0], err))
        return false;
    if (cost_is_program(words[0]))
        return cost_predict_program(cli, words, command, options.no_messages, err);
    if (command)
        return err_set(err, ERR_USAGE, "arguments behind -- are an MPI program's, and %s is none", words[0]);
    if (options.model && cli->json)
        return err_set(err, ERR_USAGE, "--model prints a PAMELA model, not JSON: leave out --model or --json");
    if (options.model && cost_is_dynamic())
        return err_set(err, ERR_USAGE,
                       "--model prints tasks that are given beforehand: leave out --allocation dynamic");
    if (!cost_check_depth(err) || !cheapest_check(err))
        return false;
    if (cheapest_is_wanted() && (cost_options.kinds.given || cost_options.workers.given))
        return err_set(err, ERR_USAGE, "--deadline chooses the machines: leave out --kinds and --workers");
    const char *const inputs[] = {words[0], cost_options.machine, cost_options.calibration, cost_options.counts,
                                  options.measured};
    if (!outputs_check((const Output[]){{.path = options.svg}, {.path = report_option()}}, 2, inputs,
                       sizeof inputs / sizeof *inputs, arena, err) ||
        !load_options(arena, &how, &machine, &runs, err) || !beside_load(arena, &beside, err) ||
        !(cheapest_is_wanted() || cost_find_choices(machine, arena, &n_choices, &choices, err)) ||
        !load_subject(cli, words[0], &subject, err) || !cost_read_settings(subject.space, arena, &settings, err))
        return false;
    note_application(cli, &subject, &runs);
    how.set = settings.items;
    how.n_set = settings.count;
    CostReport report = {.name = subject.name,
                         .without_messages = options.no_messages,
                         .with_expressions = options.expressions,
                         .runs = runs,
                         .beside = beside};
    if (subject.application) {
        report.n_batches = subject.application->n_batches;
        report.batches = batch_names(subject.application, arena);
    }
    if (subject.application && !run_check_arrays(subject.application, arena, err))
        return false;
    if (subject.application && !cost_analyse_batches(cli, subject.application, false, &how, &subject.models, err))
        return false;
    bool ok = subject.application ? predictor_new(subject.application, subject.models, &how, arena, &predictor, err)
                                  : predictor_of_model(subject.model, &how, arena, &predictor, err);
    if (ok && cheapest_is_wanted()) {
        ok = cheapest_find(predictor, machine, arena, &cheapest, err);
        choices = &cheapest.choice;
        n_choices = 1;
    }
    ok = ok && predict_all(cli, predictor, choices, n_choices, &report, err);
    predictor_end(predictor);
    return ok;
}

const Verb cost_predict = {
    .name = "cost predict",
    .summary = "predict an application's run time on chosen machines",
    .synopsis = "APP.pasl|MODEL.pamela -m MACHINE [--kinds KIND:N,… | --workers LIST] [--set NAME=VALUE]… | "
                "PROGRAM.c… -m MACHINE -n LIST [--set NAME=VALUE]… [-- ARGUMENT…]",
    .description =
        "Predicts the interval of an application's run time on chosen machines. A machine model "
        "(machine.json) has the costs of operations and messages. Tasks go to workers in proportion to "
        "the workers' relative performance. With --allocation dynamic, a master gives the next task to the first free "
        "worker, which is shorter if tasks take differently long.\n\n"
        "T0 is the time without contention, and T1 to TR are the loads of each processor and link. The "
        "run time of a level of the flow is the largest of these. The levels follow each other, so their "
        "times are added up. All are expressions in the application's parameters, and are printed.\n\n"
        "Several choices of machines give a table, and with --svg a picture, with the times of real runs "
        "beside the predictions, and earlier predictions (--beside): of another version of the sources, say, or with "
        "another Q. For each number, the text says whether it was measured, given, in a "
        "file, calibrated or assumed.\n\n"
        "An MPI program in C is predicted from its sources alone, of which all are named, on each number of processes: firma follows "
        "every process through it, and simulates what they compute and send. The program's arguments stand behind --; without them it is run with none. "
        "The machine model needs both "
        "messages (`firma comm`) and operations (`firma machine cpu --into`). If it has the costs of code that is "
        "compiled with --compiler-options, computation is that of the compiled code.",
    .examples =
        "firma cost predict app.pasl -m machine.json --workers 1,2,4      # on this machine\n"
        "firma cost predict app.pasl -m machine.json --kinds old:3,fast:2 --set Q_points_12=0.785\n"
        "firma cost predict app.pasl -m machine.json --kinds fast:2,4,8,16 --svg app.svg\n"
        "firma cost predict b.pasl -m machine.json --workers 1,2 --beside a.json   # two versions; a.json: from --json\n"
        "firma cost predict app.pasl -m machine.json --workers 2,4 --allocation dynamic  # a free worker gets the next task\n"
        "firma cost predict app.pasl -m machine.json --calibration calibration.json --measured results.json\n"
        "firma cost predict app.pasl -m machine.json --counts counts.json         # of cost run --count\n"
        "firma cost predict jacobi.c -m machine.json -n 1,2,4 -- 1000 10000       # an MPI program, from its source\n"
        "firma cost predict main.c halo.c -m machine.json -n 4                    # from several sources",
    .files = "pasl pamela c",
    .takes_command = true,
    .options = option_table,
    .run = run,
};
