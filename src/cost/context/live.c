/* SPDX-License-Identifier: BSD-3-Clause */
/* See live.h. */
#include "cost/context/live.h"

#include "cost/source/program/recycling.h"

#include <math.h>

static double iterations_of(const Rewriter *rewriter, const SourceStatement *loop)
{
    int region = rewriter_find_unit(rewriter, loop);
    return region >= 0 ? rewriter->regions->items[region].count : 0;
}

double live_share(const Rewriter *rewriter)
{
    const CompiledRegions *regions = rewriter->regions;
    double all = 0, live = 0;
    /* Once more, since another entry may have been analysed meanwhile. */
    recycling_find(rewriter->program, source_find(rewriter->program, rewriter->entry));
    for (size_t i = 0; i < regions->n_uses; i++) {
        const SourceExpression *allocation = regions->uses[i].expression;
        if (!allocation || !allocation->unit_bytes || !allocation->is_recycled)
            continue;
        double count = regions->items[regions->uses[i].region].count;
        double iterations = iterations_of(rewriter, allocation->recycled_in);
        all += count;
        live += fmin(count, fmax(1, iterations > 0 ? count / iterations : 1));
    }
    return all > 0 ? live / all : 0;
}
