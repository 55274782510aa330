/* SPDX-License-Identifier: BSD-3-Clause */
/* Costs of tasks that any worker may get, and lower bounds of a run in which a master gives the next task to the
 * first free worker (docs/METHOD.md, section 16, *Tasks on demand*). Until the last task has begun, no processor waits
 * for work. So with the load W_k that all tasks are on one processor of kind k, and m_k such processors, all
 * processors are busy for at least 1/(m_1/W_1 + m_2/W_2 + …). */
#include "cost/model/application.h"

#include <string.h>

typedef struct Sharing {
    CostApplication *application;
    const uint64_t *n_tasks; /* [n_batches] */
    CostTask *tasks;         /* [n_batches*n_groups] */
} Sharing;

/* ---- a task ---------------------------------------------------------------------------------------------------- */

static bool find_task(Walk *walk, const PamelaNode *loop_node, const PamelaSub *main, CostTask *task)
{
    static const Selector time = {.kind = SELECT_TIME};
    const PamelaNode *each = loop_node->children[0];
    const Place anywhere = {.kind = walk->platform->groups[0].kind, .share = expr_integer(walk->space, 1)};
    const Expr **parts[SHARED_PARTS] = {&task->give, &task->compute, &task->take};
    OpenLoop loop;
    bool ok = true;
    walk->selector = &time;
    walk_loop_open(walk, loop_node, NULL, main, &loop);
    task->index = loop.index;
    for (size_t i = 0; ok && i < SHARED_PARTS; i++)
        ok = (*parts[i] = walk_node(walk, each->children[i], &loop.inner, &anywhere, main)) != NULL;
    walk_loop_close(walk);
    return ok;
}

/* ---- bounds ---------------------------------------------------------------------------------------------------- */

static ExprSpace *space_of(const Sharing *sharing)
{
    return sharing->application->space;
}

/* A cost of a task on the worker for which it is least. */
static const Expr *least(const Sharing *sharing, size_t batch, const Expr *(*cost)(ExprSpace *, const CostTask *))
{
    const size_t n_groups = sharing->application->platform.n_groups;
    const CostTask *tasks = &sharing->tasks[batch * n_groups];
    const Expr *all = cost(space_of(sharing), &tasks[0]);
    for (size_t i = 1; i < n_groups; i++)
        all = expr_function(space_of(sharing), EXPR_MIN, (const Expr *[]){all, cost(space_of(sharing), &tasks[i])}, 2);
    return all;
}

static const Expr *messages(ExprSpace *space, const CostTask *task)
{
    return expr_add(space, task->give, task->take);
}

static const Expr *everything(ExprSpace *space, const CostTask *task)
{
    return expr_add(space, messages(space, task), task->compute);
}

static const Expr *over_tasks(const Sharing *sharing, size_t batch, bool is_sum, const Expr *body)
{
    ExprSpace *space = space_of(sharing);
    const char *index = sharing->tasks[batch * sharing->application->platform.n_groups].index;
    const Expr *one = expr_integer(space, 1), *n = expr_integer(space, (int64_t)sharing->n_tasks[batch]);
    if (!expr_has_symbol(body, index))
        return is_sum ? expr_multiply(space, n, body) : sharing->n_tasks[batch] ? body : expr_integer(space, 0);
    return is_sum ? expr_sum(space, index, one, n, one, body) : expr_largest(space, index, one, n, body);
}

static const Expr *longest_task(const Sharing *sharing, uint32_t level)
{
    const CostApplication *application = sharing->application;
    const Expr **of_batches = arena_new_array(application->arena, const Expr *, application->n_batches);
    size_t n = 0;
    for (size_t i = 0; i < application->n_batches; i++)
        if (application->levels[i] == level)
            of_batches[n++] = over_tasks(sharing, i, false, least(sharing, i, everything));
    return n == 1 ? of_batches[0] : expr_function(application->space, EXPR_MAX, of_batches, n);
}

static const Expr *link_load(const Sharing *sharing, uint32_t level)
{
    const Expr *load = expr_integer(space_of(sharing), 0);
    for (size_t i = 0; i < sharing->application->n_batches; i++)
        if (sharing->application->levels[i] == level)
            load = expr_add(space_of(sharing), load, over_tasks(sharing, i, true, least(sharing, i, messages)));
    return load;
}

/* The load of one processor of the group, if it had all tasks of the level. */
static const Expr *load_on(const Sharing *sharing, uint32_t level, size_t group)
{
    const CostApplication *application = sharing->application;
    const Expr *load = expr_integer(application->space, 0);
    for (size_t i = 0; i < application->n_batches; i++)
        if (application->levels[i] == level)
            load = expr_add(
                application->space, load,
                over_tasks(sharing, i, true, sharing->tasks[i * application->platform.n_groups + group].compute));
    return load;
}

static int64_t processors_of(const CostGroup *group)
{
    return (int64_t)group->n_machines * (group->n_cores < group->workers_each ? group->n_cores : group->workers_each);
}

static bool is_zero(const Expr *expr)
{
    double value;
    return expr_is_number(expr, &value) && value == 0;
}

/* Groups of one kind have the same load. */
static const Expr *processor_load(const Sharing *sharing, uint32_t level)
{
    const CostPlatform *platform = &sharing->application->platform;
    ExprSpace *space = space_of(sharing);
    const Expr *rate = NULL, *only = NULL;
    bool is_one_kind = true;
    int64_t n = 0;
    for (size_t i = 0; i < platform->n_groups; i++) {
        const Expr *load = load_on(sharing, level, i);
        if (is_zero(load))
            return load;
        const Expr *part = expr_divide(space, expr_integer(space, processors_of(&platform->groups[i])), load);
        rate = rate ? expr_add(space, rate, part) : part;
        is_one_kind = is_one_kind && (!only || load == only);
        only = load;
        n += processors_of(&platform->groups[i]);
    }
    return is_one_kind ? expr_divide(space, only, expr_integer(space, n))
                       : expr_divide(space, expr_integer(space, 1), rate);
}

static void find_time(const Sharing *sharing, CostStage *stage)
{
    stage->time = stage->without_contention;
    for (size_t i = 0; i < stage->n_resources; i++)
        stage->time =
            expr_function(space_of(sharing), EXPR_MAX, (const Expr *[]){stage->time, stage->resources[i].load}, 2);
}

/* T0, T1, T2 of a level. */
static void find_bounds(const Sharing *sharing, uint32_t level, CostStage *stage)
{
    static const char *const names[] = {"all processors", "link of master"};
    const Expr *loads[] = {processor_load(sharing, level), link_load(sharing, level)};
    CostResource *resources = arena_new_array(sharing->application->arena, CostResource, 2);
    *stage = (CostStage){.without_contention = longest_task(sharing, level), .resources = resources};
    for (size_t i = 0; i < 2; i++)
        if (!is_zero(loads[i]))
            resources[stage->n_resources++] = (CostResource){names[i], loads[i]};
    find_time(sharing, stage);
}

static const char *name_of(const Sharing *sharing, uint32_t level)
{
    const CostApplication *application = sharing->application;
    const char *name = NULL;
    for (size_t i = 0; i < application->n_batches; i++)
        if (application->levels[i] == level)
            name = name ? arena_printf(application->arena, "%s, %s", name, application->batches[i].name)
                        : arena_printf(application->arena, "batch %s", application->batches[i].name);
    return name;
}

/* The whole of several levels: their T0 and loads are added up. */
static void add_stage(const Sharing *sharing, const CostStage *stage, CostStage *whole)
{
    ExprSpace *space = space_of(sharing);
    CostResource *resources = arena_new_array(sharing->application->arena, CostResource, 2);
    size_t n = whole->n_resources;
    if (n)
        memcpy(resources, whole->resources, n * sizeof *resources);
    for (size_t i = 0; i < stage->n_resources; i++) {
        size_t at = 0;
        while (at < n && strcmp(resources[at].name, stage->resources[i].name) != 0)
            at++;
        resources[at] =
            at < n ? (CostResource){resources[at].name, expr_add(space, resources[at].load, stage->resources[i].load)}
                   : stage->resources[i];
        n = at < n ? n : n + 1;
    }
    whole->resources = resources;
    whole->n_resources = n;
    whole->without_contention = expr_add(space, whole->without_contention, stage->without_contention);
}

static CostExpressions *find_expressions(const Sharing *sharing)
{
    const CostApplication *application = sharing->application;
    CostExpressions *expressions = arena_new_array(application->arena, CostExpressions, 1);
    uint32_t n_levels = 0;
    for (size_t i = 0; i < application->n_batches; i++)
        n_levels = application->levels[i] >= n_levels ? application->levels[i] + 1 : n_levels;
    CostStage *stages = arena_new_array(application->arena, CostStage, n_levels);
    expressions->n_stages = n_levels;
    expressions->stages = stages;
    expressions->time = expr_integer(application->space, 0);
    for (uint32_t level = 0; level < n_levels; level++) {
        find_bounds(sharing, level, &stages[level]);
        stages[level].name = name_of(sharing, level);
        expressions->time = expr_add(application->space, expressions->time, stages[level].time);
        if (level == 0)
            expressions->whole = stages[0];
        else
            add_stage(sharing, &stages[level], &expressions->whole);
    }
    if (n_levels > 1)
        find_time(sharing, &expressions->whole);
    return expressions;
}

bool cost_share(CostApplication *application, const CostPlatform *platform, const uint64_t *n_tasks,
                const CostTask **tasks, CostExpressions **expressions, const PamelaModel **model, Err *err)
{
    Walk *walk = &application->walk;
    const size_t n = application->n_batches * platform->n_groups;
    PamelaSub *main = &application->subs[application->model.n_subs - 1];
    const Sharing sharing = {application, n_tasks, arena_new_array(application->arena, CostTask, n)};
    if (platform->n_groups == 0)
        return err_set(err, ERR_USAGE, "no machines were chosen");
    application->platform = *platform;
    walk->platform = &application->platform;
    walk->err = err;
    walk->facts[application->model.n_subs - 1] = (SubFacts){0};
    *main = (PamelaSub){.name = "main", .body = placed_shared(application, n_tasks)};
    for (size_t i = 0; i < n; i++)
        if (!find_task(walk, main->body->children[i], main, &sharing.tasks[i]))
            return false;
    *tasks = sharing.tasks;
    *expressions = find_expressions(&sharing);
    *model = &application->model;
    return true;
}
