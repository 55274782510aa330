/* SPDX-License-Identifier: BSD-3-Clause */
/* firma scale model: times, speedups and limits, from cost models that are written as formulas. */
#include "cli/option_values.h"
#include "cli/outputs.h"
#include "cli/shared_options.h"
#include "cli/values.h"
#include "verbs/scale/model_file.h"
#include "verbs/scale/model_views.h"
#include "verbs/scale/scale.h"

#include "base/text.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMETERS_LIMIT = 32, FORMULAS_LIMIT = 16 };

#define LARGEST_SIZE ((uint64_t)1 << 50)
#define MOST_PROCESSES ((uint64_t)1 << 30)

static struct {
    char *machine, *configuration, *output;
} options;

static bool check_setting(const char *text, Arena *arena, Err *err);
static bool check_sequential(const char *text, Arena *arena, Err *err);

static NumberList sizes = {.option = "--sizes", .by_default = "1", .has_units = true, .least = 1, .most = LARGEST_SIZE},
                  processes = {.option = "--processes", .by_default = "1:1024x2", .least = 1, .most = MOST_PROCESSES};
static CheckedWords set = {.check = check_setting};
static CheckedText sequential = {.check = check_sequential};

static const struct poptOption option_table[] = {
    SHARED_OPTIONS(scale_efficiency_option_table),
    {"sizes", '\0', OPTION_NUMBERS, &sizes, 0, "sizes of the problem, such as 100,200; k, M, G are powers of 1024",
     "LIST"},
    {"processes", 'n', OPTION_NUMBERS, &processes, 0, "numbers of processes, such as 1,2,4 or 1:64x2", "LIST"},
    {"set", 's', OPTION_CHECKED_WORDS, &set, 0,
     "value of a parameter, such as 1e-9, or its interval, such as 1e-9:2e-9; may be repeated", "NAME=VALUE"},
    {"machine", 'm', OPTION_JSON, &options.machine, 0,
     "the machine model, for ts and tw: seconds of a message, and of a byte", "FILE"},
    {"configuration", 'c', POPT_ARG_STRING, &options.configuration, 0, "how messages are sent, such as `openmpi tcp`",
     "NAME"},
    {"sequential-model", '\0', OPTION_CHECKED, &sequential, 0,
     "formula of n for the time of the best sequential algorithm, for real speedups", "FORMULA"},
    {"output", 'o', POPT_ARG_STRING, &options.output, 0, "where to write scaling.json and pictures", "DIR"},
    SHARED_OPTIONS(force_option_table),
    POPT_TABLEEND};

typedef struct Asking {
    ExprSpace *space;
    Formula *formulas, sequential;
    FormulaParameter *parameters;
    ModelQuestion question;
} Asking;

/* ---- parameters ---- */

static bool read_value(const char *text, Estimated *value)
{
    char *end;
    value->low = value->high = text_number(text, &end);
    if (end != text && *end == ':') {
        text = end + 1;
        value->high = text_number(text, &end);
    }
    value->value = value->low + (value->high - value->low) / 2;
    return end != text && !*end && isfinite(value->low) && isfinite(value->high) && value->low <= value->high;
}

static FormulaParameter *parameter_named(Asking *asking, const char *name)
{
    FormulaParameter *parameters = asking->parameters;
    size_t n = asking->question.parameters.count;
    for (size_t i = 0; i < n; i++)
        if (strcmp(parameters[i].name, name) == 0)
            return &parameters[i];
    if (n == PARAMETERS_LIMIT)
        return NULL;
    asking->question.parameters.count++;
    parameters[n] = (FormulaParameter){.name = name};
    return &parameters[n];
}

/* Reads NAME=VALUE or NAME=LOW:HIGH. */
static bool read_setting(const char *setting, Arena *arena, const char **name, Estimated *value, Err *err)
{
    const char *equals = strchr(setting, '=');
    if (!equals || equals == setting || !read_value(equals + 1, value))
        return err_set(err, ERR_USAGE, "--set: `%.100s` isn't a name with a number", setting) ||
               err_hint(err, "for example --set tc=1e-9, or an interval: --set tc=1e-9:2e-9");
    *name = arena_strndup(arena, setting, (size_t)(equals - setting));
    return (strcmp(*name, "n") != 0 && strcmp(*name, "p") != 0) ||
           err_set(err, ERR_USAGE, "--set: %s has many values in the tables", *name) ||
           err_hint(err, "--sizes gives the values of n, --processes those of p");
}

static bool check_setting(const char *text, Arena *arena, Err *err)
{
    const char *name;
    Estimated value;
    return read_setting(text, arena, &name, &value, err);
}

static bool set_parameter(Asking *asking, const char *setting, Arena *arena, Err *err)
{
    const char *name;
    Estimated value;
    if (!read_setting(setting, arena, &name, &value, err))
        return false;
    FormulaParameter *parameter = parameter_named(asking, name);
    if (!parameter)
        return err_set(err, ERR_USAGE, "--set: more than %d parameters", PARAMETERS_LIMIT);
    *parameter = (FormulaParameter){name, value, "given"};
    return true;
}

/* ---- formulas ---- */

static bool is_used(const Asking *asking, const char *name)
{
    const ModelQuestion *question = &asking->question;
    for (uint32_t i = 0; i < question->n_formulas; i++)
        if (expr_has_symbol(asking->formulas[i].time, name))
            return true;
    return question->sequential && expr_has_symbol(question->sequential->time, name);
}

/* An unused --set is an error, because it is probably a typing error. An unused measured parameter
 * isn't. */
static bool drop_unused(Asking *asking, Err *err)
{
    size_t kept = 0;
    for (size_t i = 0; i < asking->question.parameters.count; i++) {
        const FormulaParameter *parameter = &asking->parameters[i];
        if (is_used(asking, parameter->name))
            asking->parameters[kept++] = *parameter;
        else if (strcmp(parameter->source, "given") == 0)
            return err_set(err, ERR_USAGE, "--set: no formula has a parameter `%.100s`", parameter->name);
    }
    asking->question.parameters.count = kept;
    return true;
}

static bool check_sequential(const char *text, Arena *arena, Err *err)
{
    Formula formula;
    return model_file_is(text) ||
           formula_parse(expr_space_new(arena), "--sequential-model", text, arena, &formula, err);
}

static bool is_set(const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; set.given && set.given[i]; i++)
        if (strncmp(set.given[i], name, length) == 0 && set.given[i][length] == '=')
            return true;
    return false;
}

/* A formula as text, or as a flow file or model. */
static bool read_formula(Asking *asking, Cli *cli, const char *option, const char *text, Formula *formula, Err *err)
{
    MachineModel *machine = NULL;
    if (!model_file_is(text))
        return formula_parse(asking->space, option, text, cli->arena, formula, err);
    return (!options.machine || machine_load(options.machine, cli->arena, &machine, err)) &&
           model_file_read(cli, asking->space, text, machine, is_set, formula, err);
}

static bool read_formulas(Asking *asking, int n, const char *const *formulas, Cli *cli, Err *err)
{
    Arena *arena = cli->arena;
    ModelQuestion *question = &asking->question;
    if (n == 0)
        return err_set(err, ERR_USAGE, "no formula is given");
    if (n > FORMULAS_LIMIT)
        return err_set(err, ERR_USAGE, "more than %d formulas", FORMULAS_LIMIT);
    asking->formulas = arena_new_array(arena, Formula, (size_t)n);
    for (int i = 0; i < n; i++)
        if (!read_formula(asking, cli, "formula", formulas[i], &asking->formulas[i], err))
            return false;
    question->formulas = asking->formulas;
    question->n_formulas = (uint32_t)n;
    if (sequential.given) {
        if (!read_formula(asking, cli, "--sequential-model", sequential.given, &asking->sequential, err))
            return false;
        question->sequential = &asking->sequential;
    }
    return true;
}

static bool check_formulas(const Asking *asking, Err *err)
{
    const ModelQuestion *question = &asking->question;
    for (uint32_t i = 0; i < question->n_formulas; i++)
        if (!formula_check(asking->space, &question->formulas[i], &question->parameters, err))
            return false;
    return !question->sequential || formula_check(asking->space, question->sequential, &question->parameters, err);
}

/* Whether a formula needs ts or tw of the machine model. Given values take precedence over measured
 * ones. */
static bool needs_messages(const Asking *asking)
{
    return (is_used(asking, "ts") && !is_set("ts")) || (is_used(asking, "tw") && !is_set("tw"));
}

static bool read_parameters(Asking *asking, Arena *arena, Err *err)
{
    MachineModel *machine;
    FormulaParameter measured[2];
    asking->parameters = arena_new_array(arena, FormulaParameter, PARAMETERS_LIMIT);
    asking->question.parameters.items = asking->parameters;
    if (options.configuration && !options.machine)
        return err_set(err, ERR_USAGE, "--configuration needs --machine");
    if (options.machine && needs_messages(asking)) {
        if (!machine_load(options.machine, arena, &machine, err) ||
            !formula_machine_parameters(machine, options.configuration, arena, measured, err))
            return false;
        for (int i = 0; i < 2; i++)
            *parameter_named(asking, measured[i].name) = measured[i];
    }
    for (size_t i = 0; set.given && set.given[i]; i++)
        if (!set_parameter(asking, set.given[i], arena, err))
            return false;
    return formula_count_inexact(&asking->question.parameters) <= INEXACT_LIMIT ||
           err_set(err, ERR_USAGE, "more than %d parameters are intervals", INEXACT_LIMIT);
}

/* ---- ranges ---- */

static bool read_list(const NumberList *asked, Arena *arena, uint32_t *n, const double **values, Err *err)
{
    const uint64_t *numbers;
    if (!numbers_option_parse(asked, arena, n, &numbers, err))
        return false;
    double *list = arena_new_array(arena, double, *n);
    for (uint32_t i = 0; i < *n; i++)
        list[i] = (double)numbers[i];
    *values = list;
    return true;
}

static bool ask(Asking *asking, int n, const char *const *formulas, Cli *cli, Err *err)
{
    Arena *arena = cli->arena;
    ModelQuestion *question = &asking->question;
    asking->space = expr_space_new(arena);
    question->efficiency = scale_efficiency();
    if (!sizes.given && !processes.given)
        return err_set(err, ERR_USAGE, "sizes and numbers of processes are missing") ||
               err_hint(err, "for example --sizes 64:512x2 -n 1:32x2 (each value twice the one before)");
    return read_list(&sizes, arena, &question->n_sizes, &question->sizes, err) &&
           read_list(&processes, arena, &question->n_processes, &question->processes, err) &&
           read_formulas(asking, n, formulas, cli, err) && read_parameters(asking, arena, err) &&
           drop_unused(asking, err) && check_formulas(asking, err);
}

static bool save(Cli *cli, const ModelQuestion *question, const ModelAnswer *answer, const char *directory, Err *err)
{
    const char *pictures[SCALE_PICTURES];
    for (int i = 0; i < SCALE_PICTURES; i++)
        pictures[i] = scaling_model_picture(question, (ModelPicture)i, cli->arena);
    json_t *document = scaling_model_json(question, answer, cli->arena);
    bool ok = scale_save(cli, document, pictures, directory, err);
    json_decref(document);
    return ok;
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    (void)command;
    Asking asking = {0};
    ModelAnswer answer;
    if (!scale_check_output(options.output, options.machine, cli->arena, err) || !ask(&asking, n, words, cli, err) ||
        !model_answer(&asking.question, cli->arena, &answer, err))
        return false;
    if (options.output && !save(cli, &asking.question, &answer, options.output, err))
        return false;
    if (cli->json) {
        json_t *document = scaling_model_json(&asking.question, &answer, cli->arena);
        if (options.output)
            scale_add_directory(document, options.output);
        cli_print_json(cli, document);
    } else if (!cli->quiet) {
        cli_print(cli, "%s", scaling_model_text(&asking.question, &answer, cli->color, cli->arena));
    }
    return true;
}

const Verb scale_model = {
    .name = "scale model",
    .summary = "evaluate formulas of the run time",
    .synopsis = "FORMULA|APP.pasl|MODEL.pamela… --sizes LIST -n LIST [--set NAME=VALUE] [--machine FILE] [-o DIR]",
    .description = "Evaluates formulas of the run time in seconds, such as \"tc*n/p + ts*log2(p)\", or with a name "
                   "\"tree = …\". n is the problem size, and p the number of processes. Other names are parameters. "
                   "--set gives their values; ts and tw may also come from a --machine, where a message of b bytes "
                   "takes ts + tw*b.\n\n"
                   "A flow file or a PAMELA model may stand wherever a formula may. Its T stays symbolic in n (the "
                   "parameter n, or else N) and p (P), on p equal machines. Operations cost the middle of the "
                   "machine's intervals, or what --set t_sum_double=… says.\n\n"
                   "firma prints times, speedups and efficiencies, the size that keeps the efficiency on each p, "
                   "and what more processes can gain. For several formulas, firma prints where one becomes faster "
                   "than another. A speedup is T(n,1)/T(n,p), or the --sequential-model over T(n,p).",
    .examples =
        "firma scale model \"n/p + 2*log2(p)\" --sizes 64:512x2 -n 1:32x2   # evaluate a formula\n"
        "firma scale model \"tree = n + log2(p)\" \"line = n + p/4\" --sizes 8 -n 2:64x2   # which is faster?\n"
        "firma scale model app.pasl -m machine.json --sizes 1M:16Mx2 -n 1:64x2   # of a flow file\n"
        "firma scale model \"tc*n^2/p + 4*(ts + tw*8*n)\" --set tc=1e-9 --machine machine.json --sizes 1000 -n 1:64x2",
    .files = "pasl pamela",
    .options = option_table,
    .run = run,
};
