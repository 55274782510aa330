/* SPDX-License-Identifier: BSD-3-Clause */
/* firma cost model: sources to PAMELA models that people can read and edit. What became a named parameter, or was
 * approximated, is on stderr, by file and line. */
#include "base/files.h"
#include "cli/option_values.h"
#include "cli/outputs.h"
#include "cli/shared_options.h"
#include "cost/source/analyse.h"
#include "verbs/cost/application.h"
#include "verbs/cost/cost.h"
#include "verbs/cost/findings.h"
#include "verbs/cost/models.h"

#include <stdio.h>
#include <string.h>

static struct {
    char *batch, *entry, *compiler_options, *output;
} options;

static const struct poptOption option_table[] = {
    SHARED_OPTIONS(cost_set_option_table),
    {"batch", '\0', POPT_ARG_STRING, &options.batch, 0, "only this batch", "NAME"},
    {"output", 'o', POPT_ARG_STRING, &options.output, 0, "where to write the model", "FILE"},
    SHARED_OPTIONS(force_option_table),
    {"entry", '\0', POPT_ARG_STRING, &options.entry, 0, "the function to begin with, for a source without a flow file",
     "NAME"},
    {"compiler-options", 0, POPT_ARG_STRING, &options.compiler_options, 0,
     "the compiler's options, for a source without a flow file", "TEXT"},
    SHARED_OPTIONS(cost_depth_option_table),
    POPT_TABLEEND};

/* One model, and its source. */
typedef struct Made {
    const char *batch; /* NULL: no flow file */
    AnalysisSource source;
    Analysis *analysis;
} Made;

/* depth: as the flow file has it. */
static bool make(Made *made, unsigned depth, ExprSpace *space, Arena *arena, Err *err)
{
    const AnalysisOptions how = {.recursion_depth = cost_options.depth ? (unsigned)cost_options.depth : depth};
    return analyse_source(&made->source, &how, space, arena, &made->analysis, err);
}

/* The value that the batch gives for a parameter of the model; NULL: none. */
static const PaslBinding *find_given(const PaslBatch *batch, const PamelaParameter *parameter)
{
    for (size_t i = 0; i < batch->n_values; i++)
        if (pamela_is_named(parameter, batch->values[i].name))
            return &batch->values[i];
    return NULL;
}

/* "pi.pasl:14 gives 0.785398" */
static const char *given_text(const char *file, const PaslBinding *given, Arena *arena)
{
    double number;
    const char *value = expr_is_number(given->value, &number) ? arena_printf(arena, "%.6g", number) : "a formula";
    return arena_printf(arena, "%s:%u gives %s", files_base_name(file), given->line, value);
}

static const CostValue *find_setting(const CostSettings *settings, const PamelaParameter *parameter)
{
    const CostValue *last = NULL;
    for (size_t i = 0; i < settings->count; i++)
        if (pamela_is_named(parameter, settings->items[i].name))
            last = &settings->items[i];
    return last;
}

/* "--set gives 0.785398" */
static const char *setting_text(const CostValue *setting, Arena *arena)
{
    return arena_printf(arena, "--set gives %s", expr_text(setting->value, arena));
}

/* Adds to the findings which values --set and the flow file give. The model itself holds only what follows
 * from its source. */
static void add_given(const char *file, const PaslBatch *batch, const CostSettings *settings, Analysis *analysis,
                      Arena *arena)
{
    const PamelaModel *model = analysis->model;
    size_t n = analysis->n_findings;
    AnalysisFinding *findings = arena_copy_array(arena, analysis->findings, n, sizeof(AnalysisFinding));
    for (size_t i = 0; i < model->n_parameters; i++) {
        const CostValue *setting = find_setting(settings, &model->parameters[i]);
        const PaslBinding *given = batch ? find_given(batch, &model->parameters[i]) : NULL;
        for (size_t k = 0; (setting || given) && k < n; k++)
            if (findings[k].parameter && strcmp(findings[k].parameter, model->parameters[i].name) == 0)
                findings[k].message =
                    arena_printf(arena, "%s; %s", findings[k].message,
                                 setting ? setting_text(setting, arena) : given_text(file, given, arena));
    }
    analysis->findings = findings;
}

/* Models of all batches of a flow file, in its order; or of the one that --batch names. */
static bool make_all(const PaslApplication *application, const CostSettings *settings, Arena *arena, Made **models,
                     size_t *count, Err *err)
{
    Made *made = arena_new_array(arena, Made, application->n_batches);
    size_t n = 0;
    for (size_t i = 0; i < application->n_batches; i++) {
        const PaslBatch *batch = &application->batches[i];
        if (options.batch && strcmp(options.batch, batch->name) != 0)
            continue;
        made[n] = (Made){batch->name, {batch->language, batch->source, batch->options, batch->entry, NULL}, NULL};
        if (!make(&made[n++], batch->depth, application->space, arena, err))
            return err_prefix(err, "batch `%s`", batch->name);
        add_given(application->file, batch, settings, made[n - 1].analysis, arena);
    }
    if (!n)
        return err_set(err, ERR_USAGE, "--batch: %s has no batch `%s`", application->file, options.batch);
    *models = made;
    *count = n;
    return true;
}

static bool make_one(const char *file, CostSettings *settings, Arena *arena, Made **models, size_t *count, Err *err)
{
    Made *made = arena_new_array(arena, Made, 1);
    made->source = (AnalysisSource){NULL, file, options.compiler_options, options.entry, NULL};
    *models = made;
    *count = 1;
    ExprSpace *space = expr_space_new(arena);
    if (!cost_read_settings(space, arena, settings, err) || !make(made, 0, space, arena, err))
        return false;
    add_given(file, NULL, settings, made->analysis, arena);
    return true;
}

/* --set may name a parameter of any model, or its place. */
static bool check_settings(const CostSettings *settings, const Made *models, size_t count, Err *err)
{
    for (size_t i = 0; i < settings->count; i++) {
        bool is_found = false;
        for (size_t k = 0; k < count; k++)
            for (size_t j = 0; j < models[k].analysis->model->n_parameters; j++)
                is_found =
                    is_found || pamela_is_named(&models[k].analysis->model->parameters[j], settings->items[i].name);
        if (!is_found)
            return err_set(err, ERR_USAGE, "--set: there is no parameter `%s`", settings->items[i].name);
    }
    return true;
}

static const char *texts(const Made *models, size_t count, Arena *arena)
{
    const char *all = "";
    for (size_t i = 0; i < count; i++) {
        const char *header = count > 1 ? arena_printf(arena, "# batch %s\n\n", models[i].batch) : "";
        all =
            arena_printf(arena, "%s%s%s%s", all, i ? "\n" : "", header, pamela_text(models[i].analysis->model, arena));
    }
    return all;
}

static json_t *value_json(const FieldContext *context, const void *record)
{
    const Expr *value = ((const PamelaParameter *)record)->value;
    Arena *arena = arena_new();
    json_t *json = value ? json_from_text(expr_text(value, arena)) : NULL;
    (void)context;
    arena_free(arena);
    return json;
}

static json_t *comment_json(const FieldContext *context, const void *record)
{
    const char *comment = ((const PamelaParameter *)record)->comment;
    (void)context;
    return json_from_text(comment ? comment : "");
}

static const FieldList parameter_fields =
    FIELDS(PamelaParameter, FIELD(PamelaParameter, name, "as the model has it"),
           FIELD_OWN("value", SHAPE_ONE, value_json, NULL, "an expression as text; null: a prediction must be given it",
                     .flags = FIELD_NULL, .noun = "text"),
           FIELD(PamelaParameter, place, "its place in the source, such as `pi.c:12`; null: none", .flags = FIELD_NULL),
           FIELD_OWN("comment", SHAPE_ONE, comment_json, NULL, "empty: none", .noun = "text"));

static json_t *text_json(const FieldContext *context, const void *record)
{
    Arena *arena = arena_new();
    json_t *text = json_from_text(pamela_text(((const Analysis *)record)->model, arena));
    (void)context;
    arena_free(arena);
    return text;
}

static json_t *parameters_json(const FieldContext *context, const void *record)
{
    const PamelaModel *model = ((const Analysis *)record)->model;
    (void)context;
    return fields_to_json_array(&parameter_fields, model->parameters, model->n_parameters, 0);
}

static const FieldList analysis_fields =
    FIELDS(Analysis, FIELD_OWN("model", SHAPE_ONE, text_json, NULL, "its text", .noun = "text"),
           FIELD_OWN("parameters", SHAPE_LIST, parameters_json, NULL, "named ones", .of = &parameter_fields),
           FIELD_LIST(Analysis, findings, n_findings, "findings", "places where the source doesn't determine the cost",
                      .of = &cost_finding_fields));

const FieldList cost_model_fields =
    FIELDS(Made, FIELD(Made, batch, "its name; null: there is no flow file", .flags = FIELD_NULL),
           FIELD_AS(Made, source.file, "source", "the file"),
           FIELD_AS(Made, source.entry, "entry", "the function that it begins with"),
           FIELD_INLINE_POINTED(Made, analysis, analysis_fields));

static bool print(Cli *cli, const Made *models, size_t count, Err *err)
{
    const char *text = texts(models, count, cli->arena);
    if (options.output && !files_save_text(options.output, text, err))
        return false;
    if (cli->json) {
        json_t *document = json_pack("{s:o}", "models", fields_to_json_array(&cost_model_fields, models, count, 0));
        if (options.output)
            json_object_set_new(document, "output", json_from_text(options.output));
        cli_print_json(cli, document);
    } else if (!options.output && !cli->quiet) {
        cli_print(cli, "%s", text);
    }
    for (size_t i = 0; i < count && !cli->json; i++)
        cost_print_findings(cli, models[i].analysis->findings, models[i].analysis->n_findings);
    return true;
}

static bool is_flow_file(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".pasl") == 0;
}

static bool check(int n, const char *const *words, Err *err)
{
    if (n != 1)
        return err_set(err, ERR_USAGE, "expected one flow file or source");
    bool is_flow = is_flow_file(words[0]);
    if (is_flow && (options.entry || options.compiler_options))
        return err_set(err, ERR_USAGE,
                       "--entry and --compiler-options are for a source: a flow file names them itself");
    if (!is_flow && options.batch)
        return err_set(err, ERR_USAGE, "--batch: %s isn't a flow file (.pasl)", words[0]);
    if (!is_flow && !options.entry)
        return err_set(err, ERR_USAGE, "a source needs the function to begin with") ||
               err_hint(err, "add --entry NAME");
    return cost_check_depth(err);
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    (void)command;
    PaslApplication *application;
    Made *models = NULL;
    size_t count = 0;
    CostSettings settings = {0};
    if (!check(n, words, err) || !outputs_check_one(&(Output){.path = options.output}, words, 1, cli->arena, err))
        return false;
    bool is_made = is_flow_file(words[0]) ? cost_load_application(words[0], cli->arena, &application, &settings, err) &&
                                                make_all(application, &settings, cli->arena, &models, &count, err)
                                          : make_one(words[0], &settings, cli->arena, &models, &count, err);
    if (!is_made || !check_settings(&settings, models, count, err))
        return false;
    for (size_t i = 0; i < settings.count; i++)
        for (size_t k = 0; k < count; k++)
            cost_note_place(cli, settings.items[i].name, (const PamelaModel *const[]){models[k].analysis->model}, 1);
    if (options.output && count > 1)
        return err_set(err, ERR_USAGE, "%s has %zu batches, and a file holds one model", words[0], count) ||
               err_hint(err, "choose a batch with --batch NAME");
    return print(cli, models, count, err);
}

const Verb cost_model = {
    .name = "cost model",
    .summary = "make PAMELA models of sources, to read and edit",
    .synopsis = "APP.pasl [--batch NAME] [-o FILE] | SOURCE --entry NAME [-o FILE]",
    .description =
        "Makes a model (docs/PAMELA.md) of the entry function of a batch, or of a function in a single "
        "source in C or Java, with all that it calls. The model has operations by type, loops with "
        "counts in terms of the function's parameters, and conditionals with both sides and a "
        "probability Q. Q is 1/2 unless the flow file gives it, or it follows from the parameters.\n\n"
        "What the source doesn't tell, such as the iterations of a loop that ends by its data, becomes a "
        "named parameter. These parameters, and what isn't understood, are listed on standard error by "
        "file and line. Linear and divide-and-conquer recursions have closed forms. Any other recursion has a "
        "number of calls, calls_FILE_LINE, or is followed to --depth.",
    .examples = "firma cost model app.pasl --batch points           # the model of a batch's tasks\n"
                "firma cost model pi.c --entry count -o pi.pamela   # the model of a function",
    .files = "pasl c java",
    .options = option_table,
    .run = run,
};
