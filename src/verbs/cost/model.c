/* SPDX-License-Identifier: BSD-3-Clause */
/* firma cost model: sources to PAMELA models that people can read and edit. What became a named parameter, or was
 * approximated, is on stderr, by file and line. */
#include "base/files.h"
#include "base/json.h"
#include "cli/shared_options.h"
#include "cost/source/analyse.h"
#include "verbs/cost/application.h"
#include "verbs/cost/cost.h"

#include <stdio.h>
#include <string.h>

#define DEPTH_LIMIT 64 /* of recursion: each level is a sub-model of its own */

static struct {
    char *batch, *entry, *options, *output;
    int depth;
} options;

static const struct poptOption option_table[] = {
    SHARED_OPTIONS(cost_set_option_table),
    {"batch", 'b', POPT_ARG_STRING, &options.batch, 0, "this batch alone", "NAME"},
    {"output", 'o', POPT_ARG_STRING, &options.output, 0, "write the model to this file", "FILE"},
    {"entry", 'e', POPT_ARG_STRING, &options.entry, 0, "of a source without a flow file, the function to begin with",
     "NAME"},
    {"options", 0, POPT_ARG_STRING, &options.options, 0, "of a source without a flow file, the compiler's options",
     "OPTIONS"},
    {"depth", 0, POPT_ARG_INT, &options.depth, 0, "follow recursions so deep, instead of refusing them", "N"},
    POPT_TABLEEND};

/* One model, and what it's of. */
typedef struct Made {
    const char *batch; /* NULL: no flow file */
    AnalysisSource source;
    Analysis *analysis;
} Made;

static bool make(Made *made, ExprSpace *space, Arena *arena, Err *err)
{
    const AnalysisOptions how = {.recursion_depth = (unsigned)options.depth};
    return analyse_source(&made->source, &how, space, arena, &made->analysis, err);
}

/* Those of a flow file, in its order; or the one that --batch names. */
static bool make_all(const PaslApplication *application, Arena *arena, Made **models, size_t *count, Err *err)
{
    Made *made = arena_new_array(arena, Made, application->n_batches);
    size_t n = 0;
    for (size_t i = 0; i < application->n_batches; i++) {
        const PaslBatch *batch = &application->batches[i];
        if (options.batch && strcmp(options.batch, batch->name) != 0)
            continue;
        made[n] = (Made){batch->name, {batch->language, batch->source, batch->options, batch->entry}, NULL};
        if (!make(&made[n++], application->space, arena, err))
            return err_prefix(err, "batch `%s`", batch->name);
    }
    if (!n)
        return err_set(err, ERR_USAGE, "--batch: %s has no batch `%s`", application->file, options.batch);
    *models = made;
    *count = n;
    return true;
}

static bool make_one(const char *file, Arena *arena, Made **models, size_t *count, Err *err)
{
    Made *made = arena_new_array(arena, Made, 1);
    made->source = (AnalysisSource){NULL, file, options.options, options.entry};
    *models = made;
    *count = 1;
    return make(made, expr_space_new(arena), arena, err);
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

static void print_findings(const Cli *cli, const Analysis *analysis)
{
    for (size_t i = 0; i < analysis->n_findings && !cli->quiet; i++) {
        const AnalysisFinding *finding = &analysis->findings[i];
        fprintf(stderr, "%s:%u: %s%s%s\n", finding->place.file, finding->place.line,
                finding->parameter ? finding->parameter : "", finding->parameter ? ": " : "", finding->message);
    }
}

static json_t *findings_json(const Analysis *analysis)
{
    json_t *list = json_array();
    for (size_t i = 0; i < analysis->n_findings; i++) {
        const AnalysisFinding *finding = &analysis->findings[i];
        json_t *object = json_object();
        json_object_set_new(object, "file", json_from_text(finding->place.file));
        json_object_set_new(object, "line", json_integer(finding->place.line));
        json_object_set_new(object, "column", json_integer(finding->place.column));
        json_object_set_new(object, "parameter", finding->parameter ? json_from_text(finding->parameter) : json_null());
        json_object_set_new(object, "message", json_from_text(finding->message));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *parameters_json(const PamelaModel *model, Arena *arena)
{
    json_t *list = json_array();
    for (size_t i = 0; i < model->n_parameters; i++) {
        const PamelaParameter *parameter = &model->parameters[i];
        json_t *object = json_object();
        json_object_set_new(object, "name", json_from_text(parameter->name));
        json_object_set_new(object, "value",
                            parameter->value ? json_from_text(expr_text(parameter->value, arena)) : json_null());
        json_object_set_new(object, "place", parameter->place ? json_from_text(parameter->place) : json_null());
        json_object_set_new(object, "comment", json_from_text(parameter->comment ? parameter->comment : ""));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *models_json(const Made *models, size_t count, Arena *arena)
{
    json_t *document = json_object(), *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *object = json_object();
        json_object_set_new(object, "batch", models[i].batch ? json_from_text(models[i].batch) : json_null());
        json_object_set_new(object, "source", json_from_text(models[i].source.file));
        json_object_set_new(object, "entry", json_from_text(models[i].source.entry));
        json_object_set_new(object, "model", json_from_text(pamela_text(models[i].analysis->model, arena)));
        json_object_set_new(object, "parameters", parameters_json(models[i].analysis->model, arena));
        json_object_set_new(object, "findings", findings_json(models[i].analysis));
        json_array_append_new(list, object);
    }
    json_object_set_new(document, "models", list);
    return document;
}

static bool print(Cli *cli, const Made *models, size_t count, Err *err)
{
    const char *text = texts(models, count, cli->arena);
    if (options.output && !files_save_text(options.output, text, err))
        return false;
    if (cli->json)
        cli_print_json(cli, models_json(models, count, cli->arena));
    else if (!options.output)
        fputs(text, stdout);
    for (size_t i = 0; i < count && !cli->json; i++)
        print_findings(cli, models[i].analysis);
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
        return err_set(err, ERR_USAGE, "expected is one flow file or source");
    bool is_flow = is_flow_file(words[0]);
    if (is_flow && (options.entry || options.options))
        return err_set(err, ERR_USAGE, "a flow file says entries and options itself");
    if (!is_flow && options.batch)
        return err_set(err, ERR_USAGE, "--batch: %s isn't a flow file (.pasl)", words[0]);
    if (!is_flow && !options.entry)
        return err_set(err, ERR_USAGE, "the function to begin with isn't named") || err_hint(err, "add --entry NAME");
    if (options.depth < 0 || options.depth > DEPTH_LIMIT)
        return err_set(err, ERR_USAGE, "--depth: expected a number up to %d", DEPTH_LIMIT);
    return true;
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    (void)command;
    PaslApplication *application;
    Made *models = NULL;
    size_t count = 0;
    if (!check(n, words, err))
        return false;
    bool is_made = is_flow_file(words[0]) ? cost_load_application(words[0], cli->arena, &application, NULL, err) &&
                                                make_all(application, cli->arena, &models, &count, err)
                                          : make_one(words[0], cli->arena, &models, &count, err);
    if (!is_made)
        return false;
    if (options.output && count > 1)
        return err_set(err, ERR_USAGE, "%s has %zu batches, and a file holds the model of one", words[0], count) ||
               err_hint(err, "name one with --batch");
    return print(cli, models, count, err);
}

const Verb cost_model = {
    .name = "cost model",
    .summary = "sources to PAMELA models that people can read and edit",
    .synopsis = "APP.pasl [--batch NAME] [-o FILE] | SOURCE --entry NAME [-o FILE]",
    .description =
        "Turns the entry function of a batch, or of a single source in C or Java, and all that it calls, into a "
        "model (docs/PAMELA.md): operations by type, loops with counts in the function's parameters, conditionals with "
        "both sides and a probability Q, 1/2 unless it's given or follows from the parameters. What can't be seen in "
        "the source, as the iterations of a loop that ends when its data say so, becomes a named parameter; all such, "
        "and what isn't understood, are listed on stderr by file and line. Recursions are refused without --depth.",
    .examples = "firma cost model app.pasl --batch points           # the model of a batch's tasks\n"
                "firma cost model pi.c --entry count -o pi.pamela   # that of a function",
    .options = option_table,
    .run = run,
};
