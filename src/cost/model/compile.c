/* SPDX-License-Identifier: BSD-3-Clause */
/* AMC: T0, T1 … TR and T of a model on a platform (docs/METHOD.md, section 16; the paper, section
 * 3.1).
 *
 * The paper takes max(T0, …, TR) over the whole application. But parts that follow each other can't
 * overlap: the loads of a stage are done before the next stage begins. So the time is a sum over
 * stages: `;` and `seq` add times, and each parallel part takes the max of its own T0, …, TR. The
 * sum is never less than the paper's T, and is a lower bound, too. */
#include "cost/model/application.h"
#include "cost/model/classes.h"

#include "base/vec.h"

typedef struct Compiler {
    Walk *walk;
    const MachineClass *classes;
    size_t n_classes, n_named;
    const char *const *named; /* resources of `use` */
    const PamelaSub *main;
    Place place;
} Compiler;

static const Expr *cost_for(Compiler *compiler, const PamelaNode *node, const Scope *scope, const PamelaSub *within,
                            const Selector *selector)
{
    compiler->walk->selector = selector;
    return walk_node(compiler->walk, node, scope, &compiler->place, within);
}

static const Expr *time_of(Compiler *compiler, const PamelaNode *node, const Scope *scope, const PamelaSub *within)
{
    static const Selector time = {.kind = SELECT_TIME};
    compiler->place.share = expr_integer(compiler->walk->space, 1);
    return cost_for(compiler, node, scope, within, &time);
}

/* The largest load of the class's machines. If each has one worker, the index is that of workers, as in T0: equal
 * sums are evaluated once. */
static const Expr *largest_load(Compiler *compiler, const MachineClass *class, const Expr *load)
{
    ExprSpace *space = compiler->walk->space;
    const char *index = class->index;
    int64_t before = 0;
    if (class->selector.low == class->selector.high) {
        index = walk_free_name(compiler->walk, "worker", compiler->main);
        before = class->before;
        const Expr *machine = expr_subtract(space, expr_symbol(space, index), expr_integer(space, before));
        load = expr_substitute(space, load, &class->index, &machine, 1);
    }
    return expr_largest(space, index, expr_integer(space, before + class->first),
                        expr_integer(space, before + class->last), load);
}

/* The load of a class's most loaded machine. Operations that name no processor run on worker 1. */
static const Expr *class_load(Compiler *compiler, const PamelaNode *node, const Scope *scope, const PamelaSub *within,
                              const MachineClass *class, SelectorKind kind)
{
    ExprSpace *space = compiler->walk->space;
    Selector selector = class->selector;
    selector.kind = kind;
    bool has_first = selector.least <= 1 && 1 <= selector.most;
    compiler->place.share = expr_integer(space, has_first);
    const Expr *load = cost_for(compiler, node, scope, within, &selector);
    if (load && kind == SELECT_PROCESSOR)
        load = expr_divide(space, load, expr_integer(space, class->capacity));
    if (load && class->index && expr_has_symbol(load, class->index))
        load = largest_load(compiler, class, load);
    return load;
}

static const Expr *named_load(Compiler *compiler, const PamelaNode *node, const Scope *scope, const PamelaSub *within,
                              const char *name)
{
    const Selector selector = {.kind = SELECT_NAMED, .name = name};
    return cost_for(compiler, node, scope, within, &selector);
}

typedef VEC(CostResource) Resources;

static bool add_resource(Compiler *compiler, Resources *resources, const char *what, const char *name, const Expr *load)
{
    int64_t value;
    if (load && !(expr_is_integer(load, &value) && value == 0))
        *vec_push(resources) = (CostResource){arena_printf(compiler->walk->arena, "%s%s", what, name), load};
    return load;
}

static bool add_resources(Compiler *compiler, const PamelaNode *node, const Scope *scope, const PamelaSub *within,
                          Resources *resources)
{
    for (size_t i = 0; i < compiler->n_classes; i++) {
        const MachineClass *class = &compiler->classes[i];
        const char *what = class->capacity > 1 ? "processors of " : "processor of ";
        if (!add_resource(compiler, resources, what, class->name,
                          class_load(compiler, node, scope, within, class, SELECT_PROCESSOR)) ||
            !add_resource(compiler, resources, "link of ", class->name,
                          class_load(compiler, node, scope, within, class, SELECT_LINK)))
            return false;
    }
    for (size_t i = 0; i < compiler->n_named; i++)
        if (!add_resource(compiler, resources, "", compiler->named[i],
                          named_load(compiler, node, scope, within, compiler->named[i])))
            return false;
    return true;
}

static const Expr *largest_of(Compiler *compiler, const Expr *time, const CostResource *resources, size_t n)
{
    const Expr **all = arena_new_array(compiler->walk->arena, const Expr *, n + 1);
    all[0] = time;
    for (size_t i = 0; i < n; i++)
        all[i + 1] = resources[i].load;
    return n ? expr_function(compiler->walk->space, EXPR_MAX, all, n + 1) : time;
}

/* T0, T1 … TR of a node, and their max. */
static bool find_bound(Compiler *compiler, const PamelaNode *node, const Scope *scope, const PamelaSub *within,
                       CostStage *stage)
{
    Resources resources = {0};
    *stage = (CostStage){.without_contention = time_of(compiler, node, scope, within)};
    if (!stage->without_contention || !add_resources(compiler, node, scope, within, &resources)) {
        vec_free(&resources);
        return false;
    }
    stage->resources = vec_copy(&resources, compiler->walk->arena);
    stage->n_resources = resources.count;
    vec_free(&resources);
    stage->time = largest_of(compiler, stage->without_contention, stage->resources, stage->n_resources);
    return true;
}

static const Expr *tight_time(Compiler *compiler, const PamelaNode *node, const Scope *scope, const PamelaSub *within);

static const Expr *tight_parts(Compiler *compiler, const PamelaNode *node, const Scope *scope, const PamelaSub *within)
{
    const Expr *all = expr_integer(compiler->walk->space, 0);
    for (size_t i = 0; i < node->n_children; i++) {
        const Expr *part = tight_time(compiler, node->children[i], scope, within);
        if (!part)
            return NULL;
        all = expr_add(compiler->walk->space, all, part);
    }
    return all;
}

static const Expr *tight_call(Compiler *compiler, const PamelaNode *node, const Scope *scope)
{
    Walk *walk = compiler->walk;
    const PamelaSub *sub = pamela_find(walk->model, node->name);
    const Expr *time = tight_time(compiler, sub->body, walk_arguments(walk, node, sub, scope), sub);
    return !time || !node->amount ? time : expr_multiply(walk->space, time, walk_expr(walk, node->amount, scope));
}

static const Expr *tight_loop(Compiler *compiler, const PamelaNode *node, const Scope *scope, const PamelaSub *within)
{
    Walk *walk = compiler->walk;
    OpenLoop loop;
    walk_loop_open(walk, node, scope, within, &loop);
    const Expr *body = tight_time(compiler, node->children[0], &loop.inner, within);
    walk_loop_close(walk);
    return body ? expr_sum(walk->space, loop.index, loop.from, loop.to, loop.step, body) : NULL;
}

static const Expr *tight_time(Compiler *compiler, const PamelaNode *node, const Scope *scope, const PamelaSub *within)
{
    CostStage stage;
    if (!walk_is_parallel(compiler->walk, node))
        return time_of(compiler, node, scope, within);
    if (node->kind == PAMELA_SEQUENCE)
        return tight_parts(compiler, node, scope, within);
    if (node->kind == PAMELA_CALL && !node->processor)
        return tight_call(compiler, node, scope);
    if (node->kind == PAMELA_SEQ && !walk_names_processor(compiler->walk, node->children[0], node->name))
        return tight_loop(compiler, node, scope, within);
    return find_bound(compiler, node, scope, within, &stage) ? stage.time : NULL;
}

/* Each parallel child of `main` is a stage, and so are the children between two of them. */
static size_t stage_end(Compiler *compiler, const PamelaNode *body, size_t first)
{
    size_t end = first + 1;
    if (!walk_is_parallel(compiler->walk, body->children[first]))
        while (end < body->n_children && !walk_is_parallel(compiler->walk, body->children[end]))
            end++;
    return end;
}

static bool add_stage(Compiler *compiler, const PamelaNode *node, CostStage *stage)
{
    if (!find_bound(compiler, node, NULL, compiler->main, stage))
        return false;
    stage->name = node->comment;
    stage->time = tight_time(compiler, node, NULL, compiler->main);
    return stage->time;
}

static bool find_stages(Compiler *compiler, CostExpressions *expressions)
{
    PamelaNode *body = compiler->main->body;
    Walk *walk = compiler->walk;
    bool is_split = body->kind == PAMELA_SEQUENCE && body->n_children > 1;
    CostStage *stages = arena_new_array(walk->arena, CostStage, is_split ? body->n_children : 1);
    expressions->stages = stages;
    expressions->time = expr_integer(walk->space, 0);
    if (!is_split && !add_stage(compiler, body, &stages[expressions->n_stages++]))
        return false;
    for (size_t i = 0, end; is_split && i < body->n_children; i = end) {
        end = stage_end(compiler, body, i);
        PamelaNode part = *body;
        part.children = body->children + i;
        part.n_children = end - i;
        part.comment = end - i == 1 ? body->children[i]->comment : NULL;
        if (!add_stage(compiler, end - i == 1 ? body->children[i] : &part, &stages[expressions->n_stages++]))
            return false;
    }
    for (size_t i = 0; i < expressions->n_stages; i++)
        expressions->time = expr_add(walk->space, expressions->time, stages[i].time);
    return expressions->n_stages == 1 ? (expressions->whole = stages[0], true)
                                      : find_bound(compiler, body, NULL, compiler->main, &expressions->whole);
}

static void find_named(const PamelaNode *node, const char **names, size_t *n)
{
    size_t i = 0;
    while (i < *n && node->kind == PAMELA_USE && strcmp(names[i], node->name) != 0)
        i++;
    if (node->kind == PAMELA_USE && i == *n && *n < COST_CLASSES_LIMIT)
        names[(*n)++] = node->name;
    for (size_t child = 0; child < node->n_children; child++)
        if (node->children[child])
            find_named(node->children[child], names, n);
}

bool compile(Walk *walk, const PamelaSub *main, CostExpressions **result, Err *err)
{
    Compiler compiler = {.walk = walk, .main = main, .place = {.kind = walk->platform->groups[0].kind}};
    CostExpressions *expressions = arena_new_array(walk->arena, CostExpressions, 1);
    const char **named = arena_new_array(walk->arena, const char *, COST_CLASSES_LIMIT);
    for (size_t i = 0; i < walk->model->n_subs; i++)
        find_named(walk->model->subs[i].body, named, &compiler.n_named);
    compiler.named = named;
    if (!classes_find(walk, main->body, &compiler.classes, &compiler.n_classes, err) ||
        !find_stages(&compiler, expressions))
        return false;
    *result = expressions;
    return true;
}
