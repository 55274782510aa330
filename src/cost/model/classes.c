/* SPDX-License-Identifier: BSD-3-Clause */
/* See classes.h. */
#include "cost/model/classes.h"

#include "base/vec.h"
#include <inttypes.h>

typedef VEC(int64_t) Cuts; /* a cut is behind the worker with this number */

typedef struct Search {
    Walk *walk;
    Cuts cuts;
    bool *visited; /* [n_subs] */
} Search;

static void cut_around(Search *search, const Expr *first, const Expr *last)
{
    int64_t from, to;
    if (first && last && expr_is_integer(walk_expr(search->walk, first, NULL), &from) &&
        expr_is_integer(walk_expr(search->walk, last, NULL), &to)) {
        *vec_push(&search->cuts) = from > 0 ? from - 1 : 0;
        *vec_push(&search->cuts) = to > 0 ? to : 0;
    }
}

static void find_cuts(Search *search, const PamelaNode *node)
{
    if (node->processor)
        cut_around(search, node->processor, node->processor);
    if (node->kind == PAMELA_SEND) {
        cut_around(search, node->from, node->from);
        cut_around(search, node->to, node->to);
    }
    if ((node->kind == PAMELA_SEQ || node->kind == PAMELA_PAR) &&
        walk_names_processor(search->walk, node->children[0], node->name))
        cut_around(search, node->from, node->to);
    for (size_t i = 0; i < node->n_children; i++)
        if (node->children[i])
            find_cuts(search, node->children[i]);
    const PamelaSub *sub = node->kind == PAMELA_CALL ? pamela_find(search->walk->model, node->name) : NULL;
    bool *visited = sub ? &search->visited[sub - search->walk->model->subs] : NULL;
    if (visited && !*visited) {
        *visited = true;
        find_cuts(search, sub->body);
    }
}

/* Whether a node, or something that it calls, names no processor, and so runs on the first
 * worker. */
static bool runs_unplaced(Search *search, const PamelaNode *node)
{
    const PamelaSub *sub = node->kind == PAMELA_CALL ? pamela_find(search->walk->model, node->name) : NULL;
    if (node->processor)
        return false;
    if (node->kind == PAMELA_OPERATION || (sub && walk_is_local(search->walk, sub->body)))
        return true;
    for (size_t i = 0; i < node->n_children; i++)
        if (node->children[i] && runs_unplaced(search, node->children[i]))
            return true;
    bool *visited = sub ? &search->visited[sub - search->walk->model->subs] : NULL;
    if (!visited || *visited)
        return false;
    *visited = true;
    return runs_unplaced(search, sub->body);
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

typedef struct Classes {
    VEC(MachineClass) found;
} Classes;

/* Adds a class of the machines first … last of a group. `base`: number of workers in earlier
 * groups. `before`: number of machines of the same kind in earlier groups. */
static void add_class(Classes *classes, const Walk *walk, const CostGroup *group, int64_t base, int64_t before,
                      int64_t first, int64_t last)
{
    ExprSpace *space = walk->space;
    int64_t each = group->workers_each;
    if (last < first)
        return;
    const char *index = first < last ? "machine" : NULL;
    const Expr *machine = index ? expr_symbol(space, index) : expr_integer(space, first);
    const Expr *high =
        expr_add(space, expr_integer(space, base), expr_multiply(space, machine, expr_integer(space, each)));
    const char *kind = group->kind;
    *vec_push(&classes->found) = (MachineClass){
        .name = first < last ? arena_printf(walk->arena, "%s %" PRId64 "…%" PRId64, kind, before + first, before + last)
                             : arena_printf(walk->arena, "%s %" PRId64, kind, before + first),
        .index = index,
        .first = first,
        .last = last,
        .before = base,
        .selector = {.low = expr_subtract(space, high, expr_integer(space, each - 1)),
                     .high = high,
                     .least = base + (first - 1) * each + 1,
                     .most = base + last * each},
        .capacity = group->n_cores < group->workers_each ? group->n_cores : group->workers_each,
    };
}

static void cut_group(Classes *classes, const Walk *walk, const Cuts *cuts, const CostGroup *group, int64_t base,
                      int64_t before)
{
    int64_t next = 1, each = group->workers_each, n = group->n_machines;
    for (size_t i = 0; i < cuts->count; i++) {
        int64_t workers = cuts->items[i] - base;
        if (workers <= 0 || workers >= n * each)
            continue;
        int64_t whole = workers / each; /* machines completely before the cut */
        if (whole >= next) {
            add_class(classes, walk, group, base, before, next, whole);
            next = whole + 1;
        }
        if (workers % each && next == whole + 1) {
            add_class(classes, walk, group, base, before, next, next);
            next++;
        }
    }
    add_class(classes, walk, group, base, before, next, n);
}

static int64_t machines_before(const CostPlatform *platform, size_t group)
{
    int64_t before = 0;
    for (size_t i = 0; i < group; i++)
        if (strcmp(platform->groups[i].kind, platform->groups[group].kind) == 0)
            before += platform->groups[i].n_machines;
    return before;
}

bool classes_find(Walk *walk, const PamelaNode *root, const MachineClass **result, size_t *n_classes, Err *err)
{
    Search search = {.walk = walk, .visited = arena_new_array(walk->arena, bool, walk->model->n_subs)};
    Classes classes = {0};
    const Expr *zero = expr_integer(walk->space, 0);
    int64_t base = 0;
    if (runs_unplaced(&search, root)) {
        *vec_push(&search.cuts) = 0;
        *vec_push(&search.cuts) = 1;
    }
    memset(search.visited, 0, walk->model->n_subs * sizeof *search.visited);
    find_cuts(&search, root);
    if (search.cuts.count)
        qsort(search.cuts.items, search.cuts.count, sizeof(int64_t), by_number);
    *vec_push(&classes.found) =
        (MachineClass){.name = "master", .selector = {.low = zero, .high = zero}, .capacity = 1};
    for (size_t i = 0; i < walk->platform->n_groups; i++) {
        const CostGroup *group = &walk->platform->groups[i];
        cut_group(&classes, walk, &(Cuts){search.cuts.items, search.cuts.count, 0}, group, base,
                  machines_before(walk->platform, i));
        base += (int64_t)group->n_machines * group->workers_each;
    }
    vec_free(&search.cuts);
    *n_classes = classes.found.count;
    *result = vec_copy(&classes.found, walk->arena);
    vec_free(&classes.found);
    return *n_classes <= COST_CLASSES_LIMIT ||
           err_set(err, ERR_INPUT, "the model loads machines in %zu different ways; the limit is %d", *n_classes,
                   COST_CLASSES_LIMIT) ||
           err_hint(err, "use loops over processors instead of naming each processor");
}
