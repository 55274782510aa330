/* SPDX-License-Identifier: BSD-3-Clause */
/* Rewrites the model of a program of several processes, stretch by stretch, while it is run through. See rewrite.h. */
#include "cost/context/rewriter.h"

#include <string.h>

typedef struct OfProcesses {
    ProcessesRewriter functions; /* first, since these get a pointer to it */
    Rewriter rewriter;
} OfProcesses;

static Rewriter with_model(const ProcessesRewriter *self, const PamelaModel *model)
{
    Rewriter rewriter = ((const OfProcesses *)self)->rewriter;
    rewriter.model = model;
    return rewriter;
}

static PamelaNode *rewrite(const ProcessesRewriter *self, const PamelaModel *model, PamelaNode *node,
                           const void *origin)
{
    const Rewriter rewriter = with_model(self, model);
    return rewriter_rewrite(&rewriter, node, rewriter_find_unit(&rewriter, origin));
}

static PamelaNode *rewrite_sub(const ProcessesRewriter *self, const PamelaModel *model, const PamelaSub *sub)
{
    const Rewriter rewriter = with_model(self, model);
    return rewriter_rewrite_sub(&rewriter, sub);
}

/* Probabilities that the user didn't give. */
static void keep_assumed(const ProcessesOptions *how, const Processes *counted, Rewriter *rewriter)
{
    rewriter->assumed = arena_new_array(rewriter->arena, const char *, counted->n_findings);
    for (size_t i = 0; i < counted->n_findings; i++) {
        const AnalysisFinding *finding = &counted->findings[i];
        bool is_given = !finding->is_assumed;
        for (size_t k = 0; k < how->n_given && !is_given; k++)
            is_given = strcmp(how->given[k].name, finding->parameter) == 0;
        if (!is_given)
            rewriter->assumed[rewriter->n_assumed++] = finding->parameter;
    }
}

bool context_rewrite_processes(const ProcessesOptions *how, const ContextSource *source, Arena *arena,
                               ContextProcesses *rewritten, Err *err)
{
    ProcessesOptions options = *how;
    OfProcesses *own = arena_alloc(arena, sizeof *own);
    Processes *counted;
    *rewritten = (ContextProcesses){0};
    if (!rewriter_new(source, how->source.entry, arena, &own->rewriter, err))
        return false;
    own->functions = (ProcessesRewriter){rewrite, rewrite_sub};
    options.program = source->program;
    options.rewriter = &own->functions;
    options.counted = REWRITER_MARKS;
    if (!processes_of_source(&options, arena, &counted, err))
        return false;
    for (size_t i = 0; i < counted->n_amounts; i++)
        rewriter_take(&own->rewriter, counted->amounts[i].name, counted->amounts[i].amount);
    own->rewriter.bytes /= how->n_processes;
    own->rewriter.recycled /= how->n_processes;
    rewritten->counted = counted;
    rewriter_find_live(&own->rewriter);
    rewritten->bytes = own->rewriter.bytes + own->rewriter.live;
    keep_assumed(how, counted, &own->rewriter);
    rewritten->guesses = own->rewriter.n_assumed > 0;
    if (!source->code)
        return true;
    if (!rewriter_compile(&own->rewriter, source, how->source.entry, &rewritten->loops, err))
        return false;
    rewritten->rewriter = &own->functions;
    return true;
}
