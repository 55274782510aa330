/* SPDX-License-Identifier: BSD-3-Clause */
/* See models.h. */
#include "verbs/cost/models.h"

#include "cost/source/analyse.h"
#include "verbs/cost/cost.h"

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

bool cost_analyse_batches(Cli *cli, const PaslApplication *application, bool for_context,
                          const PamelaModel *const **result, Err *err)
{
    const PamelaModel **models = arena_new_array(cli->arena, const PamelaModel *, application->n_batches);
    for (size_t i = 0; i < application->n_batches; i++) {
        const PaslBatch *batch = &application->batches[i];
        const AnalysisSource source = {batch->language, batch->source, batch->options, batch->entry};
        const AnalysisOptions how = {cost_options.depth ? (unsigned)cost_options.depth : batch->depth, for_context};
        Analysis *analysis;
        if (!analyse_source(&source, &how, application->space, cli->arena, &analysis, err))
            return err_prefix(err, "batch `%s`", batch->name);
        models[i] = analysis->model;
        note_findings(cli, batch, analysis);
    }
    *result = models;
    return true;
}
