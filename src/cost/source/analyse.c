/* SPDX-License-Identifier: BSD-3-Clause */
/* AMGen as a whole: makes a model of the entry function and all functions that it calls. */
#include "cost/source/analyse.h"

#include "cost/lang/names.h"
#include "cost/source/arrays.h"
#include "cost/source/jvm/escape.h"
#include "cost/source/program/recycling.h"
#include "cost/source/program/syntax.h"
#include "cost/source/statement.h"
#include "cost/source/sub.h"
#include "cost/source/values/decided.h"
#include "cost/source/values/generator.h"

#include <string.h>

static void find_assigned_globals(Generator *all)
{
    for (size_t i = 0; i < all->program->n_functions; i++) {
        AssignedSet set = {0};
        assigned_in_statement(&set, all->program->functions[i].body);
        for (size_t j = 0; j < set.items.count; j++)
            if (set.items.items[j].variable->is_global)
                *vec_push(&all->assigned_globals) = set.items.items[j].variable;
        for (size_t j = 0; j < set.addressed.count; j++)
            if (set.addressed.items[j]->is_global)
                *vec_push(&all->assigned_globals) = set.addressed.items[j];
        assigned_free(&set);
    }
}

static bool is_before(const SourcePlace *a, const SourcePlace *b)
{
    return strcmp(a->file, b->file) == 0 && (a->line < b->line || (a->line == b->line && a->column <= b->column));
}

/* The last function that begins before the place. NULL: the place belongs to the whole file. */
static const SourceFunction *function_at(const SourceProgram *program, const SourcePlace *place)
{
    const SourceFunction *found = NULL;
    for (size_t i = 0; i < program->n_functions; i++) {
        const SourceFunction *function = &program->functions[i];
        if (is_before(&function->place, place) && (!found || is_before(&found->place, &function->place)))
            found = function;
    }
    return found;
}

/* Makes findings of the front end's notes on functions that the model contains. */
static void notes_to_findings(Generator *all)
{
    for (size_t i = 0; i < all->program->n_notes; i++) {
        const SourceNote *note = &all->program->notes[i];
        const SourceFunction *function = function_at(all->program, &note->place);
        bool is_used = !function;
        for (size_t j = 0; j < all->made.count && !is_used; j++)
            is_used = all->made.items[j].function == function;
        if (is_used)
            finding_add(all, &note->place, NULL, note->message);
    }
}

static void use_expression(ExprSpace *space, Map *used, const Expr *expr)
{
    const char *const *names;
    size_t count = expr ? expr_symbols(space, expr, &names) : 0;
    for (size_t i = 0; i < count; i++)
        names_add(used, names[i], 1);
}

static void use_node(ExprSpace *space, Map *used, const PamelaNode *node)
{
    if (node->kind == PAMELA_OPERATION)
        names_add(used, node->name, 1);
    use_expression(space, used, node->from);
    use_expression(space, used, node->to);
    use_expression(space, used, node->step);
    use_expression(space, used, node->amount);
    for (size_t i = 0; i < node->n_arguments; i++)
        use_expression(space, used, node->arguments[i]);
    for (size_t i = 0; i < node->n_children; i++)
        use_node(space, used, node->children[i]);
}

/* Drops named parameters on which no cost depends. They come from conditionals without costs, and
 * from values that turned out to be unnecessary. */
static void drop_unused(Generator *all)
{
    Map used = {0};
    size_t n_parameters = 0, n_findings = 0, n_counts = 0;
    for (size_t i = 0; i < all->subs.count; i++)
        use_node(all->space, &used, all->subs.items[i].body);
    for (size_t i = 0; i < all->parameters.count; i++)
        if (names_get(&used, all->parameters.items[i].name))
            all->parameters.items[n_parameters++] = all->parameters.items[i];
    for (size_t i = 0; i < all->findings.count; i++) {
        const char *name = all->findings.items[i].parameter;
        if (!name || names_get(&used, name))
            all->findings.items[n_findings++] = all->findings.items[i];
    }
    for (size_t i = 0; i < all->counts.count; i++)
        if (names_get(&used, all->counts.items[i].parameter))
            all->counts.items[n_counts++] = all->counts.items[i];
    all->counts.count = n_counts;
    all->parameters.count = n_parameters;
    all->findings.count = n_findings;
    map_free(&used);
}

/* The entry's body, behind what the memory of arrays costs that no call allocates. */
static void add_arrays(Generator *all, const SourceFunction *entry)
{
    const double bytes = all->options->for_context ? arrays_bytes(all, entry) : 0;
    PamelaSub *sub = &all->subs.items[all->subs.count - 1];
    if (!bytes)
        return;
    PamelaNode *cost = node_new(all, PAMELA_OPERATION), *body = node_new(all, PAMELA_SEQUENCE);
    cost->name = cpu_name(CPU_ALLOCATE, CPU_FIXED, all->arena);
    cost->amount = expr_real(all->space, bytes);
    PamelaNode *const children[] = {cost, sub->body};
    body->n_children = 2;
    body->children = arena_copy_array(all->arena, children, 2, sizeof *children);
    sub->body = body;
}

static Analysis *finished(Generator *all)
{
    drop_unused(all);
    PamelaModel *model = arena_alloc(all->arena, sizeof *model);
    Analysis *analysis = arena_alloc(all->arena, sizeof *analysis);
    model->space = all->space;
    model->n_parameters = all->parameters.count;
    model->parameters = vec_copy(&all->parameters, all->arena);
    model->n_subs = all->subs.count;
    model->subs = vec_copy(&all->subs, all->arena);
    analysis->model = model;
    analysis->program = all->program;
    analysis->n_findings = all->findings.count;
    analysis->findings = vec_copy(&all->findings, all->arena);
    analysis->n_counts = all->counts.count;
    analysis->counts = vec_copy(&all->counts, all->arena);
    return analysis;
}

enum { NAMES_SHOWN = 8 };

/* Functions whose names contain the entry's name, as overloads do; if there are none, the first
 * ones. */
static const char *names_like(const SourceProgram *program, const char *entry, Arena *arena)
{
    const char *names = "";
    size_t found = 0;
    for (int any = 0; any < 2 && !found; any++)
        for (size_t i = 0; i < program->n_functions; i++) {
            const char *name = program->functions[i].name;
            if ((any || strstr(name, entry)) && found++ < NAMES_SHOWN)
                names = arena_printf(arena, "%s%s%s", names, found > 1 ? ", " : "", name);
        }
    return found > NAMES_SHOWN ? arena_printf(arena, "%s, and %zu more", names, found - NAMES_SHOWN) : names;
}

static bool fail_entry(const SourceProgram *program, const char *entry, Arena *arena, Err *err)
{
    err_set(err, ERR_INPUT, "the source has no function `%s` with a body", entry);
    return err_hint(err, "name one of the source's functions as the entry: %s", names_like(program, entry, arena));
}

bool analyse_task(const SourceProgram *program, const char *entry, const AnalysisOptions *options, ExprSpace *space,
                  Arena *arena, Analysis **analysis, Err *err)
{
    Generator all = {.program = program,
                     .options = options,
                     .space = space,
                     .arena = arena,
                     .err = err,
                     .emit_list = emit_list,
                     .sub_make = sub_make};
    const SourceFunction *function = source_find(program, entry);
    MadeSub made;
    if (!function)
        return fail_entry(program, entry, arena, err);
    find_assigned_globals(&all);
    if (options->for_context)
        recycling_find(program, function);
    escape_mark(&all);
    bool fine = sub_make(&all, function, &function->place, "", &made);
    if (fine) {
        decided_drop_uncalled(&all);
        add_arrays(&all, function);
        notes_to_findings(&all);
        *analysis = finished(&all);
    }
    vec_free(&all.parameters);
    vec_free(&all.findings);
    vec_free(&all.counts);
    vec_free(&all.names);
    vec_free(&all.subs);
    vec_free(&all.made);
    vec_free(&all.calls);
    vec_free(&all.back_calls);
    vec_free(&all.assigned_globals);
    vec_free(&all.orders);
    vec_free(&all.fixed);
    return fine;
}
