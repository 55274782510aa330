/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes `main` of an application whose tasks have been allocated to workers. The batches come level
 * by level. In each level, workers of one kind with equally many tasks of each batch share a `par`. A worker has the
 * tasks of its batches one after the other. */
#include "cost/model/application.h"

#include <string.h>

/* The tasks of a batch that workers from `first` on have: `count` each; the workers before have `before` together. */
typedef struct Share {
    const CostGroup *group;
    uint64_t first, count, before;
} Share;

typedef struct Builder {
    CostApplication *application;
    const CostBatch *batch;
    const JoinedEntry *entry;
} Builder;

static const Expr *whole(const Builder *builder, uint64_t value)
{
    return expr_integer(builder->application->space, (int64_t)value);
}

static PamelaNode *new_node(const CostApplication *application, PamelaNode node, size_t n_children,
                            PamelaNode *const *children)
{
    PamelaNode *copy = arena_new_array(application->arena, PamelaNode, 1);
    *copy = node;
    copy->n_children = n_children;
    copy->children = arena_copy_array(application->arena, children, n_children, sizeof(PamelaNode *));
    return copy;
}

/* The tasks of a worker: from, to. Task 1 is the batch's first. */
static void find_tasks(const Builder *builder, const Share *share, const Expr *worker, const Expr **from,
                       const Expr **to)
{
    ExprSpace *space = builder->application->space;
    const Expr *rank = expr_subtract(space, worker, whole(builder, share->first));
    const Expr *before =
        expr_add(space, whole(builder, share->before), expr_multiply(space, rank, whole(builder, share->count)));
    *from = expr_add(space, before, whole(builder, 1));
    *to = expr_add(space, before, whole(builder, share->count));
}

/* The bytes for all tasks of a worker. */
static const Expr *all_bytes(const Builder *builder, const Share *share, const Expr *bytes, const Expr *from,
                             const Expr *to)
{
    ExprSpace *space = builder->application->space;
    return expr_has_symbol(bytes, "task") ? expr_sum(space, "task", from, to, whole(builder, 1), bytes)
                                          : expr_multiply(space, bytes, whole(builder, share->count));
}

static bool depends_on_task(const CostBatch *batch, const JoinedEntry *joined)
{
    if (joined->takes_task)
        return true;
    const PamelaSub *entry = &batch->model->subs[batch->model->n_subs - 1];
    for (size_t i = 0; i < entry->n_parameters; i++)
        if (expr_has_symbol(batch->arguments[i], "task"))
            return true;
    return false;
}

static const Expr *const *arguments_of(const Builder *builder, size_t *n)
{
    const CostBatch *batch = builder->batch;
    *n = batch->model->subs[batch->model->n_subs - 1].n_parameters;
    const Expr **arguments = arena_new_array(builder->application->arena, const Expr *, *n + 1);
    for (size_t i = 0; i < *n; i++)
        arguments[i] = batch->arguments[i];
    if (builder->entry->takes_task)
        arguments[(*n)++] = expr_symbol(builder->application->space, "task");
    return arguments;
}

/* How often a task's model counts: by the calibration's scale. NULL: once. */
static const Expr *scale_of(const Builder *builder, const CostGroup *group)
{
    const CostApplication *application = builder->application;
    return builder->batch->is_scaled ? expr_symbol(application->space, arena_printf(application->arena, "scale_%s_%s",
                                                                                    builder->batch->name, group->kind))
                                     : NULL;
}

static PamelaNode *tasks_node(const Builder *builder, const Share *share, const Expr *worker, const Expr *from,
                              const Expr *to)
{
    const CostApplication *application = builder->application;
    const Expr *scale = scale_of(builder, share->group);
    PamelaNode call = {.kind = PAMELA_CALL, .name = builder->entry->name, .processor = worker};
    call.arguments = arguments_of(builder, &call.n_arguments);
    if (!depends_on_task(builder->batch, builder->entry)) {
        const Expr *tasks = whole(builder, share->count);
        call.amount = !scale ? tasks : expr_multiply(application->space, tasks, scale);
        return new_node(application, call, 0, NULL);
    }
    call.amount = scale;
    PamelaNode *each = new_node(application, call, 0, NULL);
    return new_node(application, (PamelaNode){.kind = PAMELA_SEQ, .name = "task", .from = from, .to = to}, 1, &each);
}

typedef VEC(PamelaNode *) Nodes;

/* A worker's tasks of a batch, and their messages. */
static void add_share(const Builder *builder, const Share *share, const Expr *worker, Nodes *nodes)
{
    const CostApplication *application = builder->application;
    const CostBatch *batch = builder->batch;
    const bool has_messages = !application->platform.without_messages;
    const Expr *from, *to, *master = whole(builder, 0);
    find_tasks(builder, share, worker, &from, &to);
    PamelaNode give = {.kind = PAMELA_SEND, .from = master, .to = worker};
    PamelaNode take = {.kind = PAMELA_SEND, .from = worker, .to = master};
    give.amount = all_bytes(builder, share, batch->receives_bytes, from, to);
    take.amount = all_bytes(builder, share, batch->returns_bytes, from, to);
    if (has_messages)
        *vec_push(nodes) = new_node(application, give, 0, NULL);
    *vec_push(nodes) = tasks_node(builder, share, worker, from, to);
    if (has_messages)
        *vec_push(nodes) = new_node(application, take, 0, NULL);
}

/* The batches of a level, and the tasks that earlier workers have of each. */
typedef struct Level {
    CostApplication *application;
    uint32_t number;
    const uint64_t *const *counts;
    size_t n;
    const size_t *batches; /* [n] */
    uint64_t *before;      /* [n] */
    Nodes nodes;
} Level;

static void add_run(Level *level, const CostGroup *group, PlacedRun *run)
{
    CostApplication *application = level->application;
    const uint64_t n_workers = run->last - run->first + 1;
    const Expr *first = expr_integer(application->space, (int64_t)run->first),
               *last = expr_integer(application->space, (int64_t)run->last),
               *worker = first == last ? first : expr_symbol(application->space, "worker");
    Nodes parts = {0};
    for (size_t i = 0; i < level->n; i++) {
        const size_t batch = level->batches[i];
        const Builder builder = {application, &application->batches[batch], &application->entries[batch]};
        const Share share = {group, run->first, level->counts[batch][run->first - 1], level->before[i]};
        if (share.count)
            add_share(&builder, &share, worker, &parts);
        level->before[i] += share.count * n_workers;
    }
    if (!parts.count)
        return;
    PamelaNode *all = parts.count == 1
                          ? parts.items[0]
                          : new_node(application, (PamelaNode){.kind = PAMELA_SEQUENCE}, parts.count, parts.items);
    vec_free(&parts);
    run->node = all;
    *vec_push(&application->runs) = *run;
    *vec_push(&level->nodes) =
        first == last
            ? all
            : new_node(application, (PamelaNode){.kind = PAMELA_PAR, .name = "worker", .from = first, .to = last}, 1,
                       &all);
}

static bool has_equal_counts(const Level *level, uint64_t a, uint64_t b)
{
    for (size_t i = 0; i < level->n; i++)
        if (level->counts[level->batches[i]][a] != level->counts[level->batches[i]][b])
            return false;
    return true;
}

/* Cuts the row of workers where their kind or number of tasks changes. */
static void add_workers(Level *level)
{
    const CostPlatform *platform = &level->application->platform;
    const CostGroup *kind = NULL;
    PlacedRun run;
    uint64_t worker = 0;
    for (size_t i = 0; i < platform->n_groups; i++) {
        const CostGroup *group = &platform->groups[i];
        const uint64_t n = (uint64_t)group->n_machines * group->workers_each;
        for (uint64_t j = 0; j < n; j++, worker++) {
            bool continues =
                kind && strcmp(kind->kind, group->kind) == 0 && has_equal_counts(level, worker - 1, worker);
            if (kind && !continues)
                add_run(level, kind, &run);
            if (!continues) {
                kind = group;
                run = (PlacedRun){.level = level->number, .first = worker + 1};
            }
            run.last = worker + 1;
        }
    }
    add_run(level, kind, &run);
}

static const char *names_of(const Level *level)
{
    const CostApplication *application = level->application;
    const char *names = arena_printf(application->arena, "batch %s", application->batches[level->batches[0]].name);
    for (size_t i = 1; i < level->n; i++)
        names = arena_printf(application->arena, "%s, %s", names, application->batches[level->batches[i]].name);
    return names;
}

/* Each level is parallel, so that it is a stage of its own. */
static PamelaNode *level_node(Level *level)
{
    const CostApplication *application = level->application;
    add_workers(level);
    Nodes *nodes = &level->nodes;
    PamelaNode *node = nodes->count == 1 && nodes->items[0]->kind == PAMELA_PAR
                           ? nodes->items[0]
                           : new_node(application, (PamelaNode){.kind = PAMELA_PARALLEL}, nodes->count, nodes->items);
    vec_free(nodes);
    node->comment = names_of(level);
    return node;
}

PamelaNode *placed_body(CostApplication *application, const uint64_t *const *counts)
{
    size_t *batches = arena_new_array(application->arena, size_t, application->n_batches);
    uint64_t *before = arena_new_array(application->arena, uint64_t, application->n_batches);
    Nodes nodes = {0};
    uint32_t last = 0;
    application->runs.count = 0;
    for (size_t i = 0; i < application->n_batches; i++)
        last = application->levels[i] > last ? application->levels[i] : last;
    for (uint32_t number = 0; number <= last; number++) {
        Level level = {
            .application = application, .number = number, .counts = counts, .batches = batches, .before = before};
        for (size_t i = 0; i < application->n_batches; i++)
            if (application->levels[i] == number) {
                before[level.n] = 0;
                batches[level.n++] = i;
            }
        *vec_push(&nodes) = level_node(&level);
    }
    PamelaNode *body = new_node(application, (PamelaNode){.kind = PAMELA_SEQUENCE}, nodes.count, nodes.items);
    vec_free(&nodes);
    return body;
}

/* ---- tasks that any worker may get ----------------------------------------------------------------------------- */

/* `par (task = 1, n) { send[0, w](…); entry[w](…); send[w, 0](…) }`, with the group's first worker w. */
static PamelaNode *shared_node(const Builder *builder, const CostGroup *group, uint64_t first_worker, uint64_t n_tasks)
{
    const CostApplication *application = builder->application;
    const CostBatch *batch = builder->batch;
    const Expr *worker = whole(builder, first_worker), *master = whole(builder, 0);
    PamelaNode call = {.kind = PAMELA_CALL, .name = builder->entry->name, .processor = worker};
    call.arguments = arguments_of(builder, &call.n_arguments);
    call.amount = scale_of(builder, group);
    const PamelaNode give = {.kind = PAMELA_SEND, .from = master, .to = worker, .amount = batch->receives_bytes},
                     take = {.kind = PAMELA_SEND, .from = worker, .to = master, .amount = batch->returns_bytes};
    PamelaNode *parts[SHARED_PARTS] = {new_node(application, give, 0, NULL), new_node(application, call, 0, NULL),
                                       new_node(application, take, 0, NULL)};
    PamelaNode *all = new_node(application, (PamelaNode){.kind = PAMELA_SEQUENCE}, SHARED_PARTS, parts);
    return new_node(
        application,
        (PamelaNode){.kind = PAMELA_PAR, .name = "task", .from = whole(builder, 1), .to = whole(builder, n_tasks)}, 1,
        &all);
}

PamelaNode *placed_shared(CostApplication *application, const uint64_t *n_tasks)
{
    const CostPlatform *platform = &application->platform;
    Nodes nodes = {0};
    for (size_t i = 0; i < application->n_batches; i++) {
        const Builder builder = {application, &application->batches[i], &application->entries[i]};
        uint64_t first_worker = 1;
        for (size_t k = 0; k < platform->n_groups; k++) {
            const CostGroup *group = &platform->groups[k];
            *vec_push(&nodes) = shared_node(&builder, group, first_worker, n_tasks[i]);
            first_worker += (uint64_t)group->n_machines * group->workers_each;
        }
    }
    PamelaNode *body = new_node(application, (PamelaNode){.kind = PAMELA_PARALLEL}, nodes.count, nodes.items);
    vec_free(&nodes);
    return body;
}
