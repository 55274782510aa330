/* SPDX-License-Identifier: BSD-3-Clause */
/* firma cost predict: an application's run time on a choice of machines, from its sources or from a model written by
 * hand. */
#include "base/files.h"
#include "cli/cost_application.h"
#include "cli/cost_verbs.h"
#include "cli/list_option.h"
#include "cli/machines_option.h"
#include "cost/analyse/analyse.h"
#include "report/cost.h"
#include "report/plot.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define WORKERS_LIMIT 1000000

static struct {
    char *machines, *workers, *configuration, *language, *calibration, *measured, *svg;
    int no_messages, model, expressions;
} options;

const struct poptOption cost_predict_option_table[] = {
    {"machines", 0, POPT_ARG_STRING, &options.machines, 0,
     "predict: on which machines, by kinds of the machine model: old:3,fast:2; fast:2x4 (four workers on each of two); "
     "fast:2,4,8 (three choices)",
     "KIND:N,…"},
    {"workers", 0, POPT_ARG_STRING, &options.workers, 0,
     "predict: so many workers on one machine, the model's only one or this one: 1,2,4", "N,…"},
    {"configuration", 'c', POPT_ARG_STRING, &options.configuration, 0,
     "predict: how messages are sent, as `openmpi tcp`, if the machine model has several ways", "NAME"},
    {"no-messages", 0, POPT_ARG_NONE, &options.no_messages, 0, "predict: as if messages cost nothing", NULL},
    {"calibration", 0, POPT_ARG_STRING, &options.calibration, 0,
     "predict: the scale that a short run gave (cost run --calibrate)", "FILE"},
    {"language", 0, POPT_ARG_STRING, &options.language, 0,
     "predict: operations of models written by hand cost what they do in this language (c, java)", "NAME"},
    {"measured", 0, POPT_ARG_STRING, &options.measured, 0,
     "predict: times of runs to stand beside, a CSV file with columns workers and time", "FILE"},
    {"svg", 0, POPT_ARG_STRING, &options.svg, 0, "predict: draw the intervals and the runs' times", "FILE"},
    {"model", 0, POPT_ARG_NONE, &options.model, 0,
     "predict: print the application's PAMELA model on the first choice of machines, and nothing else", NULL},
    {"expressions", 0, POPT_ARG_NONE, &options.expressions, 0, "predict: print T0, T1 … and T, however long they are",
     NULL},
    POPT_TABLEEND};

typedef struct Settings {
    size_t count;
    const CostValue *items;
} Settings;

/* What it predicts, loaded. */
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

static bool read_settings(ExprSpace *space, Arena *arena, Settings *settings, Err *err)
{
    size_t n = 0;
    while (cost_options.set && cost_options.set[n])
        n++;
    CostValue *items = arena_new_array(arena, CostValue, n);
    for (size_t i = 0; i < n; i++) {
        const char *text = cost_options.set[i], *equals = strchr(text, '=');
        if (!equals || equals == text)
            return err_set(err, ERR_USAGE, "--set: `%s` isn't NAME=VALUE", text);
        const ExprPlace place = {"--set", 1, (unsigned)(equals - text) + 2};
        items[i].name = arena_strndup(arena, text, (size_t)(equals - text));
        if (!expr_parse(space, equals + 1, &place, &items[i].value, err)) {
            err->kind = ERR_USAGE;
            return false;
        }
    }
    *settings = (Settings){n, items};
    return true;
}

/* What the analysis couldn't see is a named parameter, or was approximated: the user has to know. */
static void note_findings(const Cli *cli, const PaslBatch *batch, const Analysis *analysis)
{
    if (analysis->n_findings)
        cli_note(cli, "batch `%s`: %zu finding%s in its source: `firma cost model` lists %s", batch->name,
                 analysis->n_findings, analysis->n_findings == 1 ? "" : "s", analysis->n_findings == 1 ? "it" : "them");
}

static bool load_batches(Cli *cli, Subject *subject, Err *err)
{
    const PaslApplication *application = subject->application;
    const PamelaModel **models = arena_new_array(cli->arena, const PamelaModel *, application->n_batches);
    const AnalysisOptions how = {0};
    for (size_t i = 0; i < application->n_batches; i++) {
        const PaslBatch *batch = &application->batches[i];
        const AnalysisSource source = {batch->language, batch->source, batch->options, batch->entry};
        Analysis *analysis;
        if (!analyse_source(&source, &how, application->space, cli->arena, &analysis, err))
            return err_prefix(err, "batch `%s`", batch->name);
        models[i] = analysis->model;
        note_findings(cli, batch, analysis);
    }
    subject->models = models;
    return true;
}

static bool load_subject(Cli *cli, const char *path, Subject *subject, Err *err)
{
    if (has_extension(path, ".pamela")) {
        subject->space = expr_space_new(cli->arena);
        subject->name = files_base_name(path);
        return pamela_load(path, subject->space, cli->arena, &subject->model, err);
    }
    if (!cost_load_flow(path, cli->arena, &subject->application, err))
        return false;
    subject->name = subject->application->name;
    subject->space = subject->application->space;
    return load_batches(cli, subject, err);
}

static bool is_this_host(const CpuModel *cpu)
{
    char name[256] = "";
    if (gethostname(name, sizeof name - 1) != 0)
        return false;
    for (uint32_t i = 0; i < cpu->n_hosts; i++)
        if (strcmp(cpu->hosts[i], name) == 0)
            return true;
    return strcmp(cpu->name, name) == 0;
}

/* The machine that --workers is about. */
static bool find_local_kind(const MachineModel *machine, const char **kind, Err *err)
{
    const CpuModel *found = machine->n_processors == 1 ? &machine->processors[0] : NULL;
    for (uint32_t i = 0; i < machine->n_processors && !found; i++)
        found = is_this_host(&machine->processors[i]) ? &machine->processors[i] : NULL;
    if (found)
        *kind = found->name;
    else if (!machine->n_processors)
        return err_set(err, ERR_INPUT, "the machine model doesn't say what computing costs") ||
               err_hint(err, "measure it with `firma machine cpu`");
    return found || err_set(err, ERR_USAGE, "the machine model has several kinds, and this machine is none of them") ||
           err_hint(err, "name one: --machines %s:1x2", machine->processors[0].name);
}

static bool find_choices(const MachineModel *machine, Arena *arena, size_t *n, const MachineChoices **choices, Err *err)
{
    const uint64_t *numbers, one = 1;
    uint32_t count = 1;
    const char *kind = NULL;
    if (options.machines && options.workers)
        return err_set(err, ERR_USAGE, "--machines and --workers are both given") ||
               err_hint(err, "workers on each machine are said as --machines fast:2x4");
    if (options.machines)
        return machines_option_parse(options.machines, arena, n, choices, err);
    if (!find_local_kind(machine, &kind, err) ||
        (options.workers &&
         !numbers_option_parse("--workers", options.workers, 1, WORKERS_LIMIT, arena, &count, &numbers, err)))
        return false;
    MachineChoices *list = arena_new_array(arena, MachineChoices, count);
    MachineChoice *items = arena_new_array(arena, MachineChoice, count);
    for (uint32_t i = 0; i < count; i++) {
        items[i] = (MachineChoice){kind, 1, (uint32_t)(options.workers ? numbers[i] : one)};
        list[i] = (MachineChoices){1, &items[i]};
    }
    *choices = list;
    *n = count;
    return true;
}

static bool load_options(Arena *arena, PredictOptions *how, MachineModel **machine, MeasuredRuns *runs, Err *err)
{
    if (!cost_options.machine)
        return err_set(err, ERR_USAGE, "no machine model is named") ||
               err_hint(err, "add -m machine.json, which `firma machine cpu` makes");
    if (!machine_load(cost_options.machine, arena, machine, err))
        return err->kind == ERR_INPUT ? err_prefix(err, "%s", cost_options.machine) : false;
    how->machine = *machine;
    how->without_messages = options.no_messages;
    how->configuration = options.configuration;
    how->language = options.language;
    return (!options.calibration ||
            calibration_load(options.calibration, arena, &how->calibrations, &how->n_calibrations, err)) &&
           (!options.measured || measured_load(options.measured, arena, runs, err));
}

static bool output(Cli *cli, const CostReport *report, Err *err)
{
    if (options.svg && !plot_draw(cost_plot(report, cli->arena), options.svg, err))
        return false;
    if (options.model)
        fputs(pamela_text(report->predictions[0]->model, cli->arena), stdout);
    else if (cli->json)
        cli_print_json(&verb_cost, cost_json(report, cli->arena));
    else
        fputs(cost_text(report, cli->color, cli->arena), stdout);
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

static bool run(Cli *cli, int n, const char *const *words, Err *err)
{
    Arena *arena = cli->arena;
    PredictOptions how = {0};
    MachineModel *machine = NULL;
    MeasuredRuns runs = {0};
    Subject subject = {0};
    Settings settings = {0};
    const MachineChoices *choices = NULL;
    size_t n_choices = 0;
    Predictor *predictor = NULL;
    if (n != 1)
        return err_set(err, ERR_USAGE, "expected is one flow file, or one PAMELA model") ||
               cost_usage(&cost_predict, err);
    if (options.model && cli->json)
        return err_set(err, ERR_USAGE, "--model prints a PAMELA model, which is no JSON");
    if (!load_options(arena, &how, &machine, &runs, err) || !find_choices(machine, arena, &n_choices, &choices, err) ||
        !load_subject(cli, words[0], &subject, err) || !read_settings(subject.space, arena, &settings, err))
        return false;
    how.set = settings.items;
    how.n_set = settings.count;
    CostReport report = {.name = subject.name,
                         .without_messages = options.no_messages,
                         .with_expressions = options.expressions,
                         .runs = runs};
    if (subject.application) {
        report.n_batches = subject.application->n_batches;
        report.batches = batch_names(subject.application, arena);
    }
    bool ok = subject.application ? predictor_new(subject.application, subject.models, &how, arena, &predictor, err)
                                  : predictor_of_model(subject.model, &how, arena, &predictor, err);
    ok = ok && predict_all(cli, predictor, choices, n_choices, &report, err);
    predictor_end(predictor);
    return ok;
}

const CostVerb cost_predict = {
    .name = "predict",
    .synopsis = "APP.pasl|MODEL.pamela -m MACHINE [--machines KIND:N,… | --workers N,…] [--set NAME=VALUE]…",
    .options = cost_predict_option_table,
    .takes = COST_SET | COST_MACHINE,
    .run = run};
