/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes `main` of an application whose tasks have been allocated to workers. The batches come level
 * by level. In each batch, workers of one kind with equally many tasks share a `par`. */
#include "cost/model/application.h"

#include <string.h>

/* Workers first … last of a group, with `count` tasks each; the workers before have `before` tasks
 * together. */
typedef struct Run {
    const CostGroup *group;
    uint64_t first, last, count, before;
} Run;

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
static void find_tasks(const Builder *builder, const Run *run, const Expr *worker, const Expr **from, const Expr **to)
{
    ExprSpace *space = builder->application->space;
    const Expr *rank = expr_subtract(space, worker, whole(builder, run->first));
    const Expr *before =
        expr_add(space, whole(builder, run->before), expr_multiply(space, rank, whole(builder, run->count)));
    *from = expr_add(space, before, whole(builder, 1));
    *to = expr_add(space, before, whole(builder, run->count));
}

/* The bytes for all tasks of a worker. */
static const Expr *all_bytes(const Builder *builder, const Run *run, const Expr *bytes, const Expr *from,
                             const Expr *to)
{
    ExprSpace *space = builder->application->space;
    return expr_has_symbol(bytes, "task") ? expr_sum(space, "task", from, to, whole(builder, 1), bytes)
                                          : expr_multiply(space, bytes, whole(builder, run->count));
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

static PamelaNode *tasks_node(const Builder *builder, const Run *run, const Expr *worker, const Expr *from,
                              const Expr *to)
{
    const CostApplication *application = builder->application;
    const Expr *scale = scale_of(builder, run->group);
    PamelaNode call = {.kind = PAMELA_CALL, .name = builder->entry->name, .processor = worker};
    call.arguments = arguments_of(builder, &call.n_arguments);
    if (!depends_on_task(builder->batch, builder->entry)) {
        const Expr *tasks = whole(builder, run->count);
        call.amount = !scale ? tasks : expr_multiply(application->space, tasks, scale);
        return new_node(application, call, 0, NULL);
    }
    call.amount = scale;
    PamelaNode *each = new_node(application, call, 0, NULL);
    return new_node(application, (PamelaNode){.kind = PAMELA_SEQ, .name = "task", .from = from, .to = to}, 1, &each);
}

static PamelaNode *run_node(const Builder *builder, const Run *run)
{
    const CostApplication *application = builder->application;
    const CostBatch *batch = builder->batch;
    const Expr *from, *to, *master = whole(builder, 0);
    const Expr *worker =
        run->first == run->last ? whole(builder, run->first) : expr_symbol(application->space, "worker");
    find_tasks(builder, run, worker, &from, &to);
    PamelaNode give = {.kind = PAMELA_SEND, .from = master, .to = worker};
    PamelaNode take = {.kind = PAMELA_SEND, .from = worker, .to = master};
    give.amount = all_bytes(builder, run, batch->receives_bytes, from, to);
    take.amount = all_bytes(builder, run, batch->returns_bytes, from, to);
    PamelaNode *parts[] = {new_node(application, give, 0, NULL), tasks_node(builder, run, worker, from, to),
                           new_node(application, take, 0, NULL)};
    PamelaNode *all = application->platform.without_messages
                          ? parts[1]
                          : new_node(application, (PamelaNode){.kind = PAMELA_SEQUENCE}, 3, parts);
    if (run->first == run->last)
        return all;
    return new_node(
        application,
        (PamelaNode){
            .kind = PAMELA_PAR, .name = "worker", .from = whole(builder, run->first), .to = whole(builder, run->last)},
        1, &all);
}

typedef VEC(PamelaNode *) Nodes;

static void add_run(const Builder *builder, const Run *run, Nodes *nodes)
{
    if (run->count)
        *vec_push(nodes) = run_node(builder, run);
}

/* Cuts the row of workers where their group or number of tasks changes. */
static void add_batch(const Builder *builder, const uint64_t *counts, Nodes *nodes)
{
    const CostPlatform *platform = &builder->application->platform;
    Run run = {0};
    uint64_t worker = 0, before = 0;
    for (size_t i = 0; i < platform->n_groups; i++) {
        const CostGroup *group = &platform->groups[i];
        uint64_t n = (uint64_t)group->n_machines * group->workers_each;
        for (uint64_t j = 0; j < n; j++, worker++) {
            bool continues = run.group && run.count == counts[worker] && strcmp(run.group->kind, group->kind) == 0;
            if (!continues) {
                add_run(builder, &run, nodes);
                run = (Run){group, worker + 1, worker + 1, counts[worker], before};
            }
            run.last = worker + 1;
            before += counts[worker];
        }
    }
    add_run(builder, &run, nodes);
}

static PamelaNode *joined_node(const CostApplication *application, PamelaKind kind, Nodes *nodes, const char *comment)
{
    PamelaNode *node = nodes->count == 1 && nodes->items[0]->kind != PAMELA_SEQUENCE
                           ? nodes->items[0]
                           : new_node(application, (PamelaNode){.kind = kind}, nodes->count, nodes->items);
    if (comment)
        node->comment = comment;
    vec_free(nodes);
    return node;
}

static PamelaNode *level_node(CostApplication *application, uint32_t level, const uint64_t *const *counts)
{
    Nodes nodes = {0};
    const char *comment = NULL;
    for (size_t i = 0; i < application->n_batches; i++) {
        const CostBatch *batch = &application->batches[i];
        const Builder builder = {application, batch, &application->entries[i]};
        if (application->levels[i] != level)
            continue;
        comment = comment ? arena_printf(application->arena, "%s, %s", comment, batch->name)
                          : arena_printf(application->arena, "batch %s", batch->name);
        add_batch(&builder, counts[i], &nodes);
    }
    return joined_node(application, PAMELA_PARALLEL, &nodes, comment);
}

PamelaNode *placed_body(CostApplication *application, const uint64_t *const *counts)
{
    Nodes nodes = {0};
    uint32_t last = 0;
    for (size_t i = 0; i < application->n_batches; i++)
        last = application->levels[i] > last ? application->levels[i] : last;
    for (uint32_t level = 0; level <= last; level++)
        *vec_push(&nodes) = level_node(application, level, counts);
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
