/* SPDX-License-Identifier: BSD-3-Clause */
/* See models.h. */
#include "verbs/cost/models.h"

#include "base/map.h"
#include "cost/context/rewrite.h"
#include "cost/lang/names.h"
#include "cost/source/analyse.h"
#include "verbs/cost/cost.h"
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
    const AnalysisSource source = {batch->language, batch->source, batch->options, batch->entry};
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

bool cost_analyse_batches(Cli *cli, const PaslApplication *application, bool for_context,
                          const PamelaModel *const **result, Err *err)
{
    const PamelaModel **models = arena_new_array(cli->arena, const PamelaModel *, application->n_batches);
    Map known = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < application->n_batches; i++) {
        const PaslBatch *batch = &application->batches[i];
        Analysis *analysis;
        ok = analyse_batch(cli, application, batch, for_context, &known, &analysis, err);
        if (!ok)
            break;
        models[i] = analysis->model;
        note_findings(cli, batch, analysis);
    }
    map_free(&known);
    *result = models;
    return ok;
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

static double near_bytes(const CpuCosts *costs)
{
    for (uint32_t i = 0; i < costs->n_far; i++)
        if (strcmp(costs->far[i].operation, "roam") == 0)
            return costs->far[i].near_bytes;
    return 0;
}

static bool compile_batch(Cli *cli, const PaslApplication *application, size_t index, const PredictOptions *how,
                          const PamelaModel **model, Err *err)
{
    const PaslBatch *batch = &application->batches[index];
    const CpuCosts *costs = costs_of_cycles(how->machine, batch);
    ContextSource source;
    ContextRewritten rewritten;
    if (!costs)
        return true;
    if (source_has_threads(batch->options))
        return err_set(err, ERR_ENVIRONMENT, "compilers move OpenMP's regions into functions of their own");
    if (!context_source(batch, costs->scheduler, near_bytes(costs), cli->arena, &source, err) ||
        !context_rewrite(application, index, *model, &source, how, cli->arena, &rewritten, err))
        return false;
    *model = rewritten.model;
    if (rewritten.n_compiled < rewritten.n_loops)
        cli_note(
            cli,
            "batch `%s`: %zu of its %zu loops that run aren't found in the compiled code, so their operations count",
            batch->name, rewritten.n_loops - rewritten.n_compiled, rewritten.n_loops);
    return true;
}

/* Other failures are those that the prediction itself will have. */
void cost_compile_batches(Cli *cli, const PaslApplication *application, const PredictOptions *how,
                          const PamelaModel *const **models)
{
    const PamelaModel **all = arena_copy_array(cli->arena, *models, application->n_batches, sizeof *all);
    for (size_t i = 0; i < application->n_batches; i++) {
        Err err = {0};
        if (strcmp(application->batches[i].language, "c") == 0 &&
            !compile_batch(cli, application, i, how, &all[i], &err) && err.kind == ERR_ENVIRONMENT)
            cli_note(cli, "batch `%s`: its operations count, not its compiled code: %s", application->batches[i].name,
                     err.message);
    }
    *models = all;
}
