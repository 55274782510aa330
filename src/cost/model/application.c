/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a PAMELA model of batches' tasks on workers, as a person could have written it:
 *
 *     main = {
 *       par (worker = 1, 3) {
 *         send[0, worker](12*16); seq (task = 12*worker - 11, 12*worker) points[worker](N, task);
 *         send[worker, 0](12*8)
 *       } || par (worker = 4, 5) … */
#include "cost/model/application.h"

#include <inttypes.h>
#include <string.h>

/* A batch's level is one more than the highest level of the batches for which it waits. */
static const uint32_t *find_levels(const CostBatch *batches, size_t n_batches, Arena *arena)
{
    uint32_t *levels = arena_new_array(arena, uint32_t, n_batches);
    for (size_t i = 0; i < n_batches; i++)
        for (size_t j = 0; j < batches[i].n_before; j++)
            if (levels[batches[i].before[j]] >= levels[i])
                levels[i] = levels[batches[i].before[j]] + 1;
    return levels;
}

static bool check_names(const CostValue *parameters, size_t n, Err *err)
{
    static const char *const own[] = {"P", "task", "worker"};
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < 3; j++)
            if (strcmp(parameters[i].name, own[j]) == 0)
                return err_set(err, ERR_INPUT, "`%s` is a reserved name, so no parameter can have it", own[j]) ||
                       err_hint(err,
                                "P is the number of workers, `worker` is a worker's number, `task` is a task's number");
    return true;
}

/* The entry of an earlier batch with the same tasks, or NULL: batches with the same tasks share a
 * copy. */
static const JoinedEntry *same_entry(const CostBatch *batches, const JoinedEntry *entries, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (batches[i].model == batches[index].model && batches[i].n_values + batches[index].n_values == 0 &&
            strcmp(batches[i].language, batches[index].language) == 0)
            return &entries[i];
    return NULL;
}

static bool join_all(Joined *joined, const CostBatch *batches, size_t n_batches, JoinedEntry *entries, Err *err)
{
    for (size_t i = 0; i < n_batches; i++) {
        const JoinedEntry *same = same_entry(batches, entries, i);
        if (same)
            entries[i] = *same;
        else if (!join_batch(joined, &batches[i], &entries[i], err))
            return false;
    }
    return true;
}

static bool has_several_languages(const CostBatch *batches, size_t n_batches)
{
    for (size_t i = 1; i < n_batches; i++)
        if (strcmp(batches[i].language, batches[0].language) != 0)
            return true;
    return false;
}

/* Moves the joined model into the arena, with room for `main`. */
static void keep_joined(CostApplication *application, Joined *joined, bool with_languages)
{
    Arena *arena = application->arena;
    size_t n_subs = joined->subs.count, n_parameters = joined->parameters.count;
    PamelaSub *subs = arena_new_array(arena, PamelaSub, n_subs + 1);
    const char **languages = arena_new_array(arena, const char *, n_subs + 1);
    if (n_subs) {
        memcpy(subs, joined->subs.items, n_subs * sizeof *subs);
        memcpy(languages, joined->languages.items, n_subs * sizeof *languages);
    }
    subs[n_subs] = (PamelaSub){.name = "main", .body = arena_new_array(arena, PamelaNode, 1)};
    application->subs = subs;
    application->model = (PamelaModel){.space = joined->space,
                                       .n_parameters = n_parameters,
                                       .n_subs = n_subs + 1,
                                       .parameters = vec_copy(&joined->parameters, arena),
                                       .subs = subs};
    application->walk = (Walk){.model = &application->model,
                               .space = joined->space,
                               .arena = arena,
                               .languages = with_languages ? languages : NULL,
                               .facts = arena_new_array(arena, SubFacts, n_subs + 1)};
}

bool cost_application_new(const CostBatch *batches, size_t n_batches, const CostValue *parameters, size_t n_parameters,
                          ExprSpace *space, Arena *arena, CostApplication **result, Err *err)
{
    Joined joined = {.space = space, .arena = arena};
    JoinedEntry *entries = arena_new_array(arena, JoinedEntry, n_batches);
    CostApplication *application = arena_new_array(arena, CostApplication, 1);
    if (!check_names(parameters, n_parameters, err))
        return false;
    for (size_t i = 0; i < n_parameters; i++)
        *vec_push(&joined.parameters) = (PamelaParameter){.name = parameters[i].name, .value = parameters[i].value};
    bool ok = join_all(&joined, batches, n_batches, entries, err);
    *application = (CostApplication){.space = space,
                                     .arena = arena,
                                     .n_batches = n_batches,
                                     .batches = batches,
                                     .entries = entries,
                                     .levels = find_levels(batches, n_batches, arena)};
    if (ok) {
        keep_joined(application, &joined, has_several_languages(batches, n_batches));
        *result = application;
    }
    vec_free(&joined.subs);
    vec_free(&joined.parameters);
    vec_free(&joined.languages);
    return ok;
}

void cost_application_written(const PamelaModel *model, Arena *arena, CostApplication **result)
{
    CostApplication *application = arena_new_array(arena, CostApplication, 1);
    *application = (CostApplication){.space = model->space, .arena = arena, .is_written = true, .model = *model};
    application->walk = (Walk){.model = &application->model,
                               .space = model->space,
                               .arena = arena,
                               .facts = arena_new_array(arena, SubFacts, model->n_subs)};
    *result = application;
}

bool cost_place(CostApplication *application, const CostPlatform *platform, const uint64_t *const *counts,
                const PamelaModel **model, Err *err)
{
    if (platform->n_groups == 0)
        return err_set(err, ERR_USAGE, "no machines were chosen");
    application->platform = *platform;
    application->walk.platform = &application->platform;
    if (!application->is_written)
        application->subs[application->model.n_subs - 1] =
            (PamelaSub){.name = "main", .body = placed_body(application, counts)};
    *model = &application->model;
    return true;
}

bool cost_of_placed(CostApplication *application, CostExpressions **expressions, Err *err)
{
    Walk *walk = &application->walk;
    walk->err = err;
    walk->facts[application->model.n_subs - 1] = (SubFacts){0};
    return compile(walk, &application->model.subs[application->model.n_subs - 1], expressions, err);
}

const PamelaModel *cost_application_model(const CostApplication *application)
{
    return &application->model;
}

void cost_application_end(CostApplication *application)
{
    if (!application)
        return;
    vec_free(&application->walk.loops);
    vec_free(&application->walk.tasks);
    vec_free(&application->runs);
}

uint32_t cost_level(const CostApplication *application, size_t batch)
{
    return application->levels[batch];
}
