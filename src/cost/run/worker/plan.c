/* SPDX-License-Identifier: BSD-3-Clause */
/* See plan.h. */
#include "cost/run/worker/plan.h"

#include "base/json.h"
#include "base/vec.h"
#include "cost/run/protocol.h"

static bool get_uints(const json_t *object, const char *key, const JsonPlace *place, uint64_t count, Arena *arena,
                      const uint64_t **values, Err *err)
{
    uint64_t *read = arena_new_array(arena, uint64_t, count);
    *values = read;
    return json_get_uints(object, key, place, count, read, err);
}

static bool get_arguments(const json_t *object, const JsonPlace *place, PlanBatch *batch, Arena *arena, Err *err)
{
    json_t *list;
    uint64_t n = batch->n_tasks * batch->n_arguments;
    double *arguments = arena_new_array(arena, double, n);
    if (!json_get_array(object, "arguments", place, n, &list, err))
        return false;
    for (uint64_t i = 0; i < n; i++)
        arguments[i] = json_number_value(json_array_get(list, i));
    batch->arguments = arguments;
    return true;
}

typedef VEC(PlanPiece) Pieces;

static bool read_pieces(const json_t *object, const JsonPlace *place, uint64_t n_workers, uint64_t index,
                        const PlanBatch *batch, Arena *arena, Pieces *pieces, Err *err)
{
    json_t *lists, *list;
    const uint64_t *counts, *workers, *receives, *returns;
    uint64_t first = 0;
    if (!json_get_object(object, "pieces", place, &lists, err) ||
        !json_get_array(lists, "counts", place, SIZE_MAX, &list, err))
        return false;
    const uint64_t n = json_array_size(list);
    if (!get_uints(lists, "counts", place, n, arena, &counts, err) ||
        !get_uints(lists, "workers", place, n, arena, &workers, err) ||
        !get_uints(lists, "receives", place, n, arena, &receives, err) ||
        !get_uints(lists, "returns", place, n, arena, &returns, err))
        return false;
    for (uint64_t i = 0; i < n; first += counts[i++]) {
        if (workers[i] > n_workers || counts[i] > batch->n_tasks - first)
            return err_set(err, ERR_INPUT, "batch `%s` has a piece with more tasks or workers than there are",
                           batch->name);
        *vec_push(pieces) = (PlanPiece){index, first, counts[i], workers[i], receives[i], returns[i]};
    }
    return true;
}

static bool read_batch(const json_t *object, const JsonPlace *place, Arena *arena, PlanBatch *batch, Err *err)
{
    json_t *numbers;
    if (!json_get_text(object, "name", place, arena, &batch->name, err) ||
        !json_get_uint(object, "level", place, UINT32_MAX, &batch->level, err) ||
        !json_get_uint(object, "executor", place, UINT32_MAX, &batch->executor, err) ||
        !json_get_uint(object, "entry", place, UINT32_MAX, &batch->entry, err) ||
        !json_get_uint(object, "n_arguments", place, UINT32_MAX, &batch->n_arguments, err) ||
        !json_get_array(object, "numbers", place, SIZE_MAX, &numbers, err))
        return false;
    batch->n_tasks = json_array_size(numbers);
    return get_uints(object, "numbers", place, batch->n_tasks, arena, &batch->numbers, err) &&
           get_arguments(object, place, batch, arena, err);
}

static const char *const *read_words(const json_t *list, Arena *arena)
{
    size_t n = json_array_size(list);
    const char **words = arena_new_array(arena, const char *, n + 1);
    for (size_t i = 0; i < n; i++)
        words[i] = json_to_text(json_array_get(list, i), arena);
    return words;
}

static bool read(const json_t *root, const char *path, Arena *arena, Plan *plan, Err *err)
{
    const JsonPlace place = json_place(path, "%s", "");
    json_t *executors, *batches;
    if (!json_get_uint(root, "n_workers", &place, RUN_WORKERS_LIMIT, &plan->n_workers, err) ||
        !json_get_real(root, "limit_s", &place, &plan->limit_s, err) ||
        !json_get_text(root, "results", &place, arena, &plan->results, err) ||
        !json_get_array(root, "executors", &place, SIZE_MAX, &executors, err) ||
        !json_get_array(root, "batches", &place, SIZE_MAX, &batches, err))
        return false;
    plan->n_executors = json_array_size(executors);
    plan->n_batches = json_array_size(batches);
    const char *const **words = arena_new_array(arena, const char *const *, plan->n_executors);
    for (size_t i = 0; i < plan->n_executors; i++)
        words[i] = read_words(json_array_get(executors, i), arena);
    plan->executors = words;
    PlanBatch *items = arena_new_array(arena, PlanBatch, plan->n_batches);
    plan->batches = items;
    Pieces pieces = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < plan->n_batches; i++) {
        const JsonPlace at = json_place(path, "batches[%zu]", i);
        const json_t *object = json_array_get(batches, i);
        ok = read_batch(object, &at, arena, &items[i], err) &&
             read_pieces(object, &at, plan->n_workers, i, &items[i], arena, &pieces, err);
    }
    plan->n_pieces = pieces.count;
    plan->pieces = vec_copy(&pieces, arena);
    vec_free(&pieces);
    return ok;
}

bool plan_load(const char *path, Arena *arena, Plan *plan, Err *err)
{
    json_t *root;
    if (!json_load_document(path, RUN_PLAN_FORMAT, RUN_VERSION, &root, err))
        return false;
    bool ok = read(root, path, arena, plan, err);
    json_decref(root);
    return ok;
}
