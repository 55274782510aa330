/* SPDX-License-Identifier: BSD-3-Clause */
/* See models.h. */
#include "verbs/cost/models.h"

#include "base/map.h"
#include "base/text.h"
#include "cost/context/rewrite.h"
#include "cost/lang/names.h"
#include "cost/source/analyse.h"
#include "verbs/cost/calibration_option.h"
#include "verbs/cost/cost.h"
#include "verbs/cost/counts_option.h"
#include <string.h>

/* Tells the user what the analysis left out, and that it had to name parameters, or to approximate. */
static void note_findings(const Cli *cli, const PaslBatch *batch, const Analysis *analysis)
{
    for (size_t i = 0; i < analysis->n_findings; i++)
        if (analysis->findings[i].leaves_out)
            cli_note(cli, "batch `%s`: %s:%u: %s", batch->name, analysis->findings[i].place.file,
                     analysis->findings[i].place.line, analysis->findings[i].message);
    if (analysis->n_findings)
        cli_note(cli, "batch `%s`: %zu finding%s in its source: `firma cost model` lists %s", batch->name,
                 analysis->n_findings, analysis->n_findings == 1 ? "" : "s", analysis->n_findings == 1 ? "it" : "them");
}

/* The batch's model. Batches with the same tasks share it: `known` has models by what they are read from. */
static bool analyse_batch(Cli *cli, const PaslApplication *application, const PaslBatch *batch, bool for_context,
                          Map *known, Analysis **analysis, Err *err)
{
    const AnalysisSource source = {batch->language, batch->source, batch->options, batch->entry, NULL};
    const AnalysisOptions how = {cost_options.depth ? (unsigned)cost_options.depth : batch->depth, for_context};
    const char *task = arena_printf(cli->arena, "%s\n%s\n%s\n%s\n%u", batch->language, batch->source, batch->options,
                                    batch->entry, how.recursion_depth);
    const uint64_t *found = names_get(known, task);
    if (found) {
        *analysis = (Analysis *)(uintptr_t)*found;
        return true;
    }
    if (!analyse_source(&source, &how, application->space, cli->arena, analysis, err))
        return err_prefix(err, "batch `%s`", batch->name);
    return names_add(known, task, (uint64_t)(uintptr_t)*analysis);
}

typedef VEC(const char *) Names;

static void add_names(const char *place, const PamelaModel *model, Names *names)
{
    for (size_t i = 0; i < model->n_parameters; i++) {
        const PamelaParameter *parameter = &model->parameters[i];
        size_t at = 0;
        while (at < names->count && strcmp(names->items[at], parameter->name) != 0)
            at++;
        if (at == names->count && parameter->place && strcmp(parameter->place, place) == 0)
            *vec_push(names) = parameter->name;
    }
}

void cost_note_place(const Cli *cli, const char *name, const PamelaModel *const *models, size_t n_models)
{
    Names names = {0};
    Text text = {0};
    for (size_t i = 0; i < n_models; i++)
        add_names(name, models[i], &names);
    for (size_t i = 0; i < names.count; i++)
        text_add(&text, "%s%s", i ? ", " : "", names.items[i]);
    if (names.count > 1)
        cli_note(cli, "%s stands for %zu parameters, which all have the value that it gets: %s", name, names.count,
                 text_take(&text, cli->arena));
    vec_free(&text.bytes);
    vec_free(&names);
}

static void note_places(const Cli *cli, const PaslApplication *application, const PredictOptions *how,
                        const PamelaModel *const *models)
{
    for (size_t i = 0; i < how->n_set; i++)
        cost_note_place(cli, how->set[i].name, models, application->n_batches);
    for (size_t i = 0; i < application->n_batches; i++)
        for (size_t k = 0; k < application->batches[i].n_values; k++)
            cost_note_place(cli, application->batches[i].values[k].name, &models[i], 1);
}

static bool analyse(Cli *cli, const PaslApplication *application, bool for_context, const PamelaModel **models,
                    const SourceProgram **programs, Err *err)
{
    Map known = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < application->n_batches; i++) {
        const PaslBatch *batch = &application->batches[i];
        Analysis *analysis;
        ok = analyse_batch(cli, application, batch, for_context, &known, &analysis, err);
        if (!ok)
            break;
        models[i] = analysis->model;
        programs[i] = analysis->program;
        note_findings(cli, batch, analysis);
    }
    map_free(&known);
    return ok;
}

void cost_note_loops(const Cli *cli, const char *what, const ContextLoops *loops)
{
    if (loops->n_compiled < loops->n)
        cli_note(cli, "%s: %zu of its %zu loops that run aren't found in the compiled code, so their operations count",
                 what, loops->n - loops->n_compiled, loops->n);
}

void cost_note_operations(const Cli *cli, const char *what, const Err *err)
{
    cli_note(cli, "%s: its operations count, not its compiled code: %s", what, err->message);
}

ContextLimits cost_limits(const CpuCosts *costs)
{
    ContextLimits limits = {.learnt_branches = costs->learnt_branches};
    for (uint32_t i = 0; i < costs->n_far; i++) {
        if (strcmp(costs->far[i].operation, "stray") == 0)
            limits.first_bytes = costs->far[i].near_bytes;
        if (strcmp(costs->far[i].operation, "element") == 0)
            limits.second_bytes = costs->far[i].near_bytes;
    }
    return limits;
}

/* The costs at the batch's options by which cycles are counted: those of the first kind of machine, if all kinds have
 * such. */
static const CpuCosts *costs_of_cycles(const MachineModel *machine, const PaslBatch *batch)
{
    const CpuCosts *first = NULL;
    for (uint32_t i = 0; i < machine->n_processors; i++) {
        const CpuCosts *costs = cpu_costs_at(&machine->processors[i], "c", batch->options);
        if (!costs || !*costs->scheduler)
            return NULL;
        first = first ? first : costs;
    }
    return first;
}

static const PredictionNumber *find_number(const PredictOptions *how, const char *name)
{
    for (size_t i = 0; i < how->n_counted; i++)
        if (strcmp(how->counted[i].name, name) == 0)
            return &how->counted[i];
    return NULL;
}

/* Adds the batch's numbers. One that has another value in a batch before has the batch's name, as in a joined model. */
static void add_counted(PredictOptions *how, const PaslBatch *batch, const ContextRewritten *rewritten, Arena *arena)
{
    PredictionNumber *all = arena_new_array(arena, PredictionNumber, how->n_counted + rewritten->n_numbers);
    size_t n = how->n_counted;
    if (n)
        memcpy(all, how->counted, n * sizeof *all);
    for (size_t i = 0; i < rewritten->n_numbers; i++) {
        PredictionNumber number = rewritten->numbers[i];
        const PredictionNumber *other = find_number(how, number.name);
        bool is_same = other && other->value.low == number.value.low && other->value.high == number.value.high;
        if (other && !is_same)
            number.name = arena_printf(arena, "%s_%s", batch->name, number.name);
        if (!is_same)
            all[n++] = number;
    }
    how->counted = all;
    how->n_counted = n;
}

/* The batch's compiled source. Batches with the same source and options share it: `known` has codes by these. */
static bool compile_source(Cli *cli, const PaslBatch *batch, const char *scheduler, Map *known, CompiledCode **code,
                           Err *err)
{
    const char *key = arena_printf(cli->arena, "%s\n%s\n%s", scheduler, batch->source, batch->options);
    const char *options = arena_printf(cli->arena, "%s " COMPILED_AS_LIBRARY, batch->options);
    const uint64_t *found = names_get(known, key);
    if (found) {
        *code = (CompiledCode *)(uintptr_t)*found;
        return true;
    }
    return compiled_open(batch->source, options, scheduler, cli->arena, code, err) &&
           names_add(known, key, (uint64_t)(uintptr_t)*code);
}

/* A batch whose compiled code counts. */
typedef struct Compiling {
    size_t batch;
    const char *scheduler;
    ContextRewrite *rewrite;
} Compiling;

typedef VEC(Compiling) Compilings;

/* Other failures than of the environment are those that the prediction itself will have. */
static void note_failure(const Cli *cli, const PaslApplication *application, size_t batch, const Err *err)
{
    if (err->kind == ERR_ENVIRONMENT)
        cost_note_operations(cli, arena_printf(cli->arena, "batch `%s`", application->batches[batch].name), err);
}

static bool begin_batch(Cli *cli, const PaslApplication *application, size_t index, const PredictOptions *how,
                        const SourceProgram *program, const PamelaModel *model, Map *known, Compilings *begun, Err *err)
{
    const PaslBatch *batch = &application->batches[index];
    const CpuCosts *costs = costs_of_cycles(how->machine, batch);
    CompiledCode *code;
    Compiling compiling = {.batch = index};
    if (!costs)
        return true;
    if (!compile_source(cli, batch, costs->scheduler, known, &code, err))
        return false;
    const ContextSource source = {program, code, cost_limits(costs), NULL};
    if (!context_begin(application, index, model, &source, how, cli->arena, &compiling.rewrite, err))
        return false;
    compiling.scheduler = costs->scheduler;
    *vec_push(begun) = compiling;
    return true;
}

/* Batches of the same scheduler are simulated at once, since it takes longer to start than to simulate one. */
static void end_batches(Cli *cli, const PaslApplication *application, const Compilings *begun, PredictOptions *how,
                        const PamelaModel **models)
{
    ContextRewrite **all = arena_new_array(cli->arena, ContextRewrite *, begun->count);
    for (size_t first = 0, n; first < begun->count; first += n) {
        Err err = {0};
        for (n = 0;
             first + n < begun->count && strcmp(begun->items[first + n].scheduler, begun->items[first].scheduler) == 0;
             n++)
            all[n] = begun->items[first + n].rewrite;
        const bool is_simulated = context_simulate(all, n, cli->arena, &err);
        for (size_t i = first; i < first + n; i++) {
            const size_t batch = begun->items[i].batch;
            if (!is_simulated) {
                note_failure(cli, application, batch, &err);
                continue;
            }
            const ContextRewritten *rewritten = context_end(begun->items[i].rewrite);
            models[batch] = rewritten->model;
            add_counted(how, &application->batches[batch], rewritten, cli->arena);
            cost_note_loops(cli, arena_printf(cli->arena, "batch `%s`", application->batches[batch].name),
                            &rewritten->loops);
        }
    }
}

static void compile(Cli *cli, const PaslApplication *application, PredictOptions *how,
                    const SourceProgram *const *programs, const PamelaModel **models)
{
    Map known = {0};
    Compilings begun = {0};
    for (size_t i = 0; i < application->n_batches; i++) {
        Err err = {0};
        if (strcmp(application->batches[i].language, "c") == 0 && programs[i] &&
            !begin_batch(cli, application, i, how, programs[i], models[i], &known, &begun, &err))
            note_failure(cli, application, i, &err);
    }
    end_batches(cli, application, &begun, how, models);
    vec_free(&begun);
    map_free(&known);
}

bool cost_analyse_batches(Cli *cli, PaslApplication *application, bool to_calibrate, PredictOptions *how,
                          const PamelaModel *const **result, Err *err)
{
    const PamelaModel **models = arena_new_array(cli->arena, const PamelaModel *, application->n_batches);
    const SourceProgram **programs = arena_new_array(cli->arena, const SourceProgram *, application->n_batches);
    if (!analyse(cli, application, machine_has_context(how->machine), models, programs, err) ||
        !counts_option_apply(cli, application, models, how, err) ||
        !(to_calibrate ? calibration_option_check(application, models, how, cli->arena, err)
                       : calibration_option_scale(cli, application, models, how, err)))
        return false;
    note_places(cli, application, how, models);
    if (!to_calibrate && !how->n_calibrations)
        compile(cli, application, how, programs, models);
    *result = models;
    return true;
}
