/* SPDX-License-Identifier: BSD-3-Clause */
/* See model_file.h. Tasks of a batch are spread evenly over p workers:
 *
 *     ⌈tasks/p⌉ C                                   if all tasks cost the same, C
 *     largest(worker = 1, p, sum(task = …, C))      otherwise
 *
 * A worker gets the data of its tasks in one message, and returns their results in one; the master's
 * link carries all messages. Batches follow each other. */
#include "verbs/scale/model_file.h"

#include "base/files.h"
#include "cost/lang/pasl.h"
#include "cost/model/cost.h"
#include "cost/source/analyse.h"

#include <string.h>

typedef struct ModelFile {
    ExprSpace *space;
    Arena *arena;
    const MachineModel *machine;
    bool (*is_set)(const char *name);
} ModelFile;

static const char *path_of(const char *text)
{
    const char *equals = strchr(text, '=');
    text = equals ? equals + 1 : text;
    return text + strspn(text, " ");
}

bool model_file_is(const char *text)
{
    return files_has_suffix(path_of(text), ".pasl") || files_has_suffix(path_of(text), ".pamela");
}

static const Expr *symbol(const ModelFile *file, const char *name)
{
    return expr_symbol(file->space, name);
}

static const Expr *replaced(const ModelFile *file, const Expr *expr, const char *name, const Expr *value)
{
    return expr_substitute(file->space, expr, &name, &value, 1);
}

/* ---- Values ---- */

/* Values of the model's parameters: of the batch, or else of the model itself. A probability without a
 * value is 1/2. They may depend on parameters before them. */
static const Expr *with_values(const ModelFile *file, const PamelaModel *model, const PaslBatch *batch,
                               const Expr *time)
{
    for (size_t i = model->n_parameters; i-- > 0;) {
        const PamelaParameter *parameter = &model->parameters[i];
        const Expr *value = parameter->value;
        for (size_t j = 0; batch && j < batch->n_values; j++)
            if (pamela_is_named(parameter, batch->values[j].name))
                value = batch->values[j].value;
        if (value && !file->is_set(parameter->name) && strcmp(parameter->name, "n") != 0)
            time = replaced(file, time, parameter->name, expr_import(file->space, value));
    }
    return time;
}

/* Costs of operations are the middle of their intervals. */
static bool with_machine(const ModelFile *file, const char *language, const Expr **time, Err *err)
{
    const char *const *names;
    size_t n = expr_symbols(file->space, *time, &names);
    const CpuModel *cpu = file->machine && file->machine->n_processors ? &file->machine->processors[0] : NULL;
    const CpuCosts *costs = cpu ? cpu_costs(cpu, language) : NULL;
    if (cpu && file->machine->n_processors > 1)
        return err_set(err, ERR_INPUT, "the machine model has %u kinds of machines; p machines of one kind are meant",
                       file->machine->n_processors);
    for (size_t i = 0; costs && i < n; i++) {
        CpuOperation operation;
        CpuType type;
        bool is_one = strncmp(names[i], "t_", 2) == 0 && cpu_find(names[i] + 2, &operation, &type);
        if (!is_one || file->is_set(names[i]))
            continue;
        Interval cost = cpu_cost(costs, operation, type, 0);
        if (cost.high >= cost.low)
            *time = replaced(file, *time, names[i], expr_real(file->space, cost.low + (cost.high - cost.low) / 2));
    }
    return true;
}

/* The size and the number of processes have the names of formulas. */
static bool with_names(const ModelFile *file, const char *path, const Expr **time, Err *err)
{
    if (expr_has_symbol(*time, "p"))
        return err_set(err, ERR_INPUT, "%s: the time depends on p, the processor that runs a part", path);
    if (!expr_has_symbol(*time, "n"))
        *time = replaced(file, *time, "N", symbol(file, "n"));
    *time = replaced(file, *time, "P", symbol(file, "p"));
    return true;
}

/* ---- Flow files ---- */

static const Expr *call_of(const ModelFile *file, ExprFunction function, const Expr *a, const Expr *b)
{
    return expr_function(file->space, function, (const Expr *[]){a, b}, b ? 2 : 1);
}

/* The computation of the worker with the most tasks. */
static const Expr *longest_worker(const ModelFile *file, const Expr *task, const Expr *tasks)
{
    ExprSpace *space = file->space;
    const Expr *workers = symbol(file, "P"), *worker = symbol(file, "worker"), *one = expr_integer(space, 1);
    if (!expr_has_symbol(task, "task"))
        return expr_multiply(space, task, call_of(file, EXPR_CEIL, expr_divide(space, tasks, workers), NULL));
    const Expr *before = expr_divide(space, expr_multiply(space, expr_subtract(space, worker, one), tasks), workers);
    const Expr *last = expr_divide(space, expr_multiply(space, worker, tasks), workers);
    const Expr *sum = expr_sum(space, "task", expr_add(space, call_of(file, EXPR_FLOOR, before, NULL), one),
                               call_of(file, EXPR_FLOOR, last, NULL), one, task);
    return expr_largest(space, "worker", one, workers, sum);
}

/* Messages with these bytes of each task: the time of one worker's message, and of all. */
static void add_messages(const ModelFile *file, const Expr *bytes, const Expr *tasks, const Expr **longest,
                         const Expr **all)
{
    ExprSpace *space = file->space;
    const Expr *workers = symbol(file, "P"), *startup = symbol(file, "ts"), *of_byte = symbol(file, "tw");
    double number;
    if (expr_is_number(bytes, &number) && number == 0)
        return;
    const Expr *busy = call_of(file, EXPR_MIN, workers, tasks);
    const Expr *most = call_of(file, EXPR_CEIL, expr_divide(space, tasks, workers), NULL);
    const Expr *transfer = expr_multiply(space, of_byte, bytes);
    *longest = expr_add(space, *longest, expr_add(space, startup, expr_multiply(space, transfer, most)));
    *all = expr_add(space, *all,
                    expr_add(space, expr_multiply(space, busy, startup), expr_multiply(space, transfer, tasks)));
}

static bool batch_time(const ModelFile *file, const PaslApplication *application, const PaslBatch *batch,
                       const Expr **time, Err *err)
{
    const AnalysisOptions how = {.recursion_depth = batch->depth};
    const AnalysisSource source = {batch->language, batch->source, batch->options, batch->entry, NULL};
    Analysis *analysis;
    if (!analyse_source(&source, &how, application->space, file->arena, &analysis, err))
        return err_prefix(err, "batch `%s`", batch->name);
    const PamelaModel *model = analysis->model;
    const PamelaSub *entry = &model->subs[model->n_subs - 1];
    if (entry->n_parameters != batch->n_arguments)
        return err_set(err, ERR_INPUT, "%s:%u: batch `%s`: `%s` expects %zu arguments, found %zu", application->file,
                       batch->line, batch->name, batch->entry, entry->n_parameters, batch->n_arguments);
    const Expr **arguments = arena_new_array(file->arena, const Expr *, batch->n_arguments);
    for (size_t i = 0; i < batch->n_arguments; i++)
        arguments[i] = batch->arguments[i].value;
    const Expr *task = expr_substitute(file->space, cost_unplaced(model, entry, file->arena), entry->parameters,
                                       arguments, entry->n_parameters);
    task = with_values(file, model, batch, task);
    if (!with_machine(file, batch->language, &task, err))
        return false;
    const Expr *all = expr_integer(file->space, 0);
    *time = longest_worker(file, task, batch->tasks);
    add_messages(file, batch->receives_bytes, batch->tasks, time, &all);
    add_messages(file, batch->returns_bytes, batch->tasks, time, &all);
    *time = call_of(file, EXPR_MAX, *time, all);
    return true;
}

static bool flow_time(ModelFile *file, const char *path, const Expr **time, Err *err)
{
    PaslApplication *application;
    if (!pasl_load(path, file->arena, &application, err))
        return false;
    ExprSpace *formulas = file->space;
    file->space = application->space;
    const Expr *all = expr_integer(file->space, 0);
    for (size_t i = 0; i < application->n_batches; i++) {
        const Expr *one;
        if (!batch_time(file, application, &application->batches[i], &one, err))
            return false;
        all = expr_add(file->space, all, one);
    }
    bool has_n = false;
    for (size_t i = 0; i < application->n_parameters; i++)
        has_n |= strcmp(application->parameters[i].name, "n") == 0;
    for (size_t i = application->n_parameters; i-- > 0;) {
        const PaslBinding *parameter = &application->parameters[i];
        bool is_size = strcmp(parameter->name, has_n ? "n" : "N") == 0;
        if (!is_size && parameter->value && !file->is_set(parameter->name))
            all = replaced(file, all, parameter->name, parameter->value);
    }
    file->space = formulas;
    *time = expr_import(formulas, all);
    return true;
}

static bool model_time(const ModelFile *file, const char *path, const Expr **time, Err *err)
{
    PamelaModel *model;
    if (!pamela_load(path, file->space, file->arena, &model, err))
        return false;
    *time = with_values(file, model, NULL, cost_unplaced(model, &model->subs[model->n_subs - 1], file->arena));
    return with_machine(file, "c", time, err);
}

bool model_file_read(Cli *cli, ExprSpace *space, const char *text, const MachineModel *machine,
                     bool (*is_set)(const char *name), Formula *formula, Err *err)
{
    ModelFile file = {space, cli->arena, machine, is_set};
    const char *path = path_of(text), *end = path;
    while (end > text && strchr(" =", end[-1]))
        end--;
    formula->name = end > text ? arena_strndup(cli->arena, text, (size_t)(end - text)) : files_base_name(path);
    if (!(files_has_suffix(path, ".pasl") ? flow_time(&file, path, &formula->time, err)
                                          : model_time(&file, path, &formula->time, err)) ||
        !with_names(&file, path, &formula->time, err))
        return false;
    formula->text = expr_text(formula->time, cli->arena);
    return true;
}
