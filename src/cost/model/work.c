/* SPDX-License-Identifier: BSD-3-Clause */
/* What workers compute in each level of an application that was placed on them. */
#include "cost/model/application.h"

static const Expr *computed_by(Walk *walk, const PlacedRun *run, const PamelaSub *main, const char *index)
{
    static const Selector all = {.kind = SELECT_ALL};
    const Place anywhere = {.kind = walk->platform->groups[0].kind, .share = expr_integer(walk->space, 1)};
    const Scope scope = {.name = "worker", .value = expr_symbol(walk->space, index)};
    walk->selector = &all;
    *vec_push(&walk->loops) = (Loop){scope.value, (int64_t)run->first, (int64_t)run->last, false, true};
    const Expr *compute = walk_node(walk, run->node, &scope, &anywhere, main);
    walk->loops.count--;
    return compute;
}

bool cost_work(CostApplication *application, size_t *n, const CostWork **result, Err *err)
{
    Walk *walk = &application->walk;
    const PamelaSub *main = &application->model.subs[application->model.n_subs - 1];
    CostWork *work = arena_new_array(application->arena, CostWork, application->runs.count);
    const char *index = walk_free_name(walk, "worker", main);
    walk->err = err;
    *n = application->runs.count;
    *result = work;
    for (size_t i = 0; i < *n; i++) {
        const PlacedRun *run = &application->runs.items[i];
        work[i] = (CostWork){run->level, run->first, run->last, index, computed_by(walk, run, main, index)};
        if (!work[i].compute)
            return false;
    }
    return true;
}
