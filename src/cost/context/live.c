/* SPDX-License-Identifier: BSD-3-Clause */
/* See live.h. */
#include "cost/context/live.h"

#include "cost/source/program/recycling.h"

#include <math.h>

static double iterations_of(const CompiledRegions *regions, const SourceStatement *loop)
{
    for (size_t i = 0; loop && i < regions->n; i++)
        if (regions->items[i].kind == COMPILED_LOOP && regions->items[i].origin == loop)
            return regions->items[i].count;
    return 0;
}

double live_share(const SourceProgram *program, const char *entry, const CompiledRegions *regions)
{
    recycling_find(program, source_find(program, entry));
    double all = 0, live = 0;
    for (size_t i = 0; i < regions->n_uses; i++) {
        const SourceExpression *allocation = regions->uses[i].expression;
        if (!allocation || !allocation->unit_bytes || !allocation->is_recycled)
            continue;
        double count = regions->items[regions->uses[i].region].count;
        double iterations = iterations_of(regions, allocation->recycled_in);
        all += count;
        live += fmin(count, fmax(1, iterations > 0 ? count / iterations : 1));
    }
    return all > 0 ? live / all : 0;
}
