/* SPDX-License-Identifier: BSD-3-Clause */
/* Rewrites the model of a program of several processes, stretch by stretch, while it is run through. See rewrite.h. */
#include "cost/context/rewriter.h"

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
    rewritten->counted = counted;
    rewritten->bytes = own->rewriter.bytes;
    if (!source->code)
        return true;
    if (!rewriter_compile(&own->rewriter, source, how->source.entry, &rewritten->loops, err))
        return false;
    rewritten->rewriter = &own->functions;
    return true;
}
