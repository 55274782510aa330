/* SPDX-License-Identifier: BSD-3-Clause */
/* See learning.h. */
#include "cost/context/learning.h"

#include "cost/compiled/regions.h"
#include "cost/source/draws.h"
#include <math.h>
#include <string.h>

enum { NONE = -1, SEARCHED = -2 };

/* The loop of which iterations are rounds. */
typedef struct Round {
    double count, branches; /* iterations; branches that data decide, in all of them */
    bool draws, is_known;
} Round;

typedef struct Learning {
    const LearningTask *task;
    int *loops; /* [regions->n] of a function, the loop of rounds around its calls */
    bool *is_visited;
} Learning;

static int find_round(const Learning *learning, int region);

static int function_of(const CompiledRegions *regions, int region)
{
    while (regions->items[region].outer >= 0)
        region = regions->items[region].outer;
    return region;
}

/* Around the call of the function that runs most often, but not from where the search comes: a recursion. */
static int round_of_calls(const Learning *learning, int function)
{
    const CompiledRegions *regions = learning->task->regions;
    const CompiledUse *found = NULL;
    for (size_t i = 0; i < regions->n_uses; i++) {
        const CompiledUse *use = &regions->uses[i];
        bool is_call = use->expression && use->expression->kind == SOURCE_CALL && use->expression->name &&
                       strcmp(use->expression->name, regions->items[function].function) == 0;
        bool is_back = is_call && learning->loops[function_of(regions, use->region)] == SEARCHED;
        if (is_call && !is_back && (!found || regions->items[use->region].count > regions->items[found->region].count))
            found = use;
    }
    return found ? find_round(learning, found->region) : NONE;
}

/* The outermost loop around the region, also in its function's callers; NONE: there is none. */
static int find_round(const Learning *learning, int region)
{
    const CompiledRegions *regions = learning->task->regions;
    int loop = NONE, function = function_of(regions, region);
    for (int at = region; at >= 0; at = regions->items[at].outer)
        loop = regions->items[at].kind == COMPILED_LOOP ? at : loop;
    if (strcmp(regions->items[function].function, learning->task->entry) == 0)
        return loop;
    if (!learning->is_visited[function]) {
        learning->is_visited[function] = true;
        learning->loops[function] = SEARCHED;
        learning->loops[function] = round_of_calls(learning, function);
    }
    return learning->loops[function] >= 0 ? learning->loops[function] : loop;
}

/* How many decisions data make there: of a condition, one; of a loop, as many as its mean iterations have bits. */
static double decisions(const CompiledRegions *regions, size_t region)
{
    const CompiledRegion *own = &regions->items[region];
    double around = own->outer >= 0 ? regions->items[own->outer].count : 0;
    return own->kind == COMPILED_LOOP && around > 0 ? around * (1 + log2(1 + own->count / around)) : around;
}

/* Half of so many branches as are learnt by halves, and twice as many, differ by the square of their ratio: measured
 * shares are 0.1, 0.3, 0.75, 0.9 from a half of them on (docs/METHOD.md, section 17). */
static double remaining(const Round *round, double learnt_branches)
{
    double ratio = round->branches / round->count / learnt_branches;
    if (!(learnt_branches > 0) || round->draws)
        return 1;
    return fmax(1 / round->count, ratio * ratio / (1 + ratio * ratio));
}

const double *learning_remaining(const LearningTask *task, Arena *arena)
{
    const CompiledRegions *regions = task->regions;
    double *shares = arena_new_array(arena, double, regions->n);
    int *loops = arena_new_array(arena, int, regions->n);
    /* The last one has what is in no loop. */
    Round *rounds = arena_new_array(arena, Round, regions->n + 1);
    const Learning learning = {task, arena_new_array(arena, int, regions->n), arena_new_array(arena, bool, regions->n)};
    for (size_t i = 0; i < regions->n; i++) {
        if (!task->is_by_data[i])
            continue;
        int loop = find_round(&learning, (int)i);
        Round *round = &rounds[loop >= 0 ? (size_t)loop : regions->n];
        if (!round->is_known) {
            round->is_known = true;
            round->count = loop >= 0 ? fmax(1, regions->items[loop].count) : 1;
            round->draws = loop >= 0 && statement_draws(task->program, regions->items[loop].origin, arena);
        }
        loops[i] = loop;
        round->branches += decisions(regions, i);
    }
    for (size_t i = 0; i < regions->n; i++)
        if (task->is_by_data[i])
            shares[i] = remaining(&rounds[loops[i] >= 0 ? (size_t)loops[i] : regions->n], task->learnt_branches);
    return shares;
}
