/* SPDX-License-Identifier: BSD-3-Clause */
/* AMGen as a whole: the entry function and all that it calls, to a model. */
#include "cost/source/generate.h"

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

#define TAKE(all, vec, Type) ((Type *)take((all)->arena, (vec).items, (vec).count, sizeof(Type)))

static void *take(Arena *arena, const void *items, size_t count, size_t item_bytes)
{
    void *taken = arena_alloc_array(arena, count, item_bytes);
    if (count)
        memcpy(taken, items, count * item_bytes);
    return taken;
}

static Analysis *finished(Generator *all)
{
    drop_unused(all);
    PamelaModel *model = arena_alloc(all->arena, sizeof *model);
    Analysis *analysis = arena_alloc(all->arena, sizeof *analysis);
    model->space = all->space;
    model->n_parameters = all->parameters.count;
    model->parameters = TAKE(all, all->parameters, PamelaParameter);
    model->n_subs = all->subs.count;
    model->subs = TAKE(all, all->subs, PamelaSub);
    analysis->model = model;
    analysis->n_findings = all->findings.count;
    analysis->findings = TAKE(all, all->findings, AnalysisFinding);
    return analysis;
}

enum { NAMES_SHOWN = 8 };

/* Those that have the entry's name in theirs, as overloads have; else the first ones. */
static const char *names_like(const SourceProgram *program, const char *entry, Arena *arena)
{
    const char *names = "";
    size_t shown = 0;
    for (int any = 0; any < 2 && !shown; any++)
        for (size_t i = 0; i < program->n_functions && shown < NAMES_SHOWN; i++) {
            const char *name = program->functions[i].name;
            if (any || strstr(name, entry))
                names = arena_printf(arena, "%s%s%s", names, shown++ ? ", " : "", name);
        }
    return names;
}

static bool fail_entry(const SourceProgram *program, const char *entry, Arena *arena, Err *err)
{
    err_set(err, ERR_INPUT, "the source has no function `%s` with a body", entry);
    return err_hint(err, "name one of the source's functions as the entry: %s", names_like(program, entry, arena));
}

bool analyse_task(const SourceProgram *program, const char *entry, const AnalysisOptions *options, ExprSpace *space,
                  Arena *arena, Analysis **analysis, Err *err)
{
    Generator all = {
        .program = program, .options = options, .space = space, .arena = arena, .err = err, .failed = false};
    const SourceFunction *function = source_find(program, entry);
    MadeSub made;
    if (!function)
        return fail_entry(program, entry, arena, err);
    find_assigned_globals(&all);
    bool fine = sub_make(&all, function, &function->place, &made);
    if (fine) {
        notes_to_findings(&all);
        *analysis = finished(&all);
    }
    vec_free(&all.parameters);
    vec_free(&all.findings);
    vec_free(&all.names);
    vec_free(&all.subs);
    vec_free(&all.made);
    vec_free(&all.calls);
    vec_free(&all.assigned_globals);
    return fine;
}
