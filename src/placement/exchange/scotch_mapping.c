/* SPDX-License-Identifier: BSD-3-Clause */
/* Scotch's mappings (.map) and targets (.tgt); Scotch's user's guide, "Mapping files" and "Target
 * files". */
#include "base/text.h"
#include "placement/exchange/exchange.h"
#include "placement/exchange/words.h"

#include <string.h>

/* ---- mappings: the number of tasks; for each, its number and that of its processor ---- */

#define NOWHERE UINT32_MAX

static bool read_task(Words *words, int64_t base, uint32_t n_tasks, uint32_t n_processors, uint32_t *processors,
                      Err *err)
{
    int64_t task, processor;
    if (!words_whole(words, "the number of a task", base, base + n_tasks - 1, &task, err))
        return false;
    if (processors[task - base] != NOWHERE)
        return words_refuse(words, err, "task %d has a processor already", (int)task);
    if (!words_whole(words, "the number of a processor", 0, n_processors - 1, &processor, err))
        return false;
    processors[task - base] = (uint32_t)processor;
    return true;
}

/* Tasks of a graph with base 1 are counted from 1; then none of them is 0. */
static bool find_base(Words words, int64_t n, int64_t *base, Err *err)
{
    *base = 1;
    for (int64_t i = 0; i < n; i++) {
        int64_t task, processor;
        if (!words_whole(&words, "the number of a task", 0, n, &task, err) ||
            !words_whole(&words, "the number of a processor", INT32_MIN, INT32_MAX, &processor, err))
            return false;
        if (task == 0)
            *base = 0;
    }
    return true;
}

bool exchange_read_mapping(const char *path, uint32_t n_tasks, uint32_t n_processors, uint32_t *processors, Err *err)
{
    Words words;
    int64_t n, base;
    Arena *arena = arena_new();
    bool ok =
        words_open(path, arena, &words, err) && words_whole(&words, "the number of tasks", 1, TASKS_LIMIT, &n, err);
    if (ok && n != n_tasks)
        ok = words_refuse(&words, err, "maps %d tasks; the graph has %u", (int)n, n_tasks);
    ok = ok && find_base(words, n, &base, err);
    for (uint32_t i = 0; ok && i < n_tasks; i++)
        processors[i] = NOWHERE;
    for (uint32_t i = 0; ok && i < n_tasks; i++)
        ok = read_task(&words, base, n_tasks, n_processors, processors, err);
    ok = ok && words_end(&words, err);
    arena_free(arena);
    return ok;
}

const char *exchange_mapping_text(const uint32_t *processors, uint32_t n_tasks, Arena *arena)
{
    Text text = {0};
    text_add(&text, "%u\n", n_tasks);
    for (uint32_t i = 0; i < n_tasks; i++)
        text_add(&text, "%u\t%u\n", i, processors[i]);
    return text_take(&text, arena);
}

/* ---- targets ---- */

/* If some branches are smaller, the target is the part of the tree that exists. */
const char *exchange_target_text(const Platform *platform, Arena *arena)
{
    const PlatformTree tree = platform_tree(platform, platform->n_processors, arena);
    Text text = {0};
    if (platform->n_processors < tree.n_leaves) {
        text_add(&text, "sub\n%u", platform->n_processors);
        for (uint32_t i = 0; i < platform->n_processors; i++)
            text_add(&text, " %u", tree.leaves[i]);
        text_add(&text, "\n");
    }
    text_add(&text, "tleaf\n%u", tree.n);
    for (uint32_t i = 0; i < tree.n; i++)
        text_add(&text, " %u %u", tree.sizes[i], tree.distances[i]);
    text_add(&text, "\n");
    return text_take(&text, arena);
}

static bool read_tree(Words *words, Arena *arena, const char **shape, Err *err)
{
    enum { LEVELS_LIMIT = 20 };
    int64_t n_levels, size, distance;
    Text text = {0};
    bool ok = words_whole(words, "the number of levels", 1, LEVELS_LIMIT, &n_levels, err);
    text_add(&text, ok && n_levels == 1 ? "1x" : "");
    for (int64_t i = 0; ok && i < n_levels; i++) {
        ok = words_whole(words, "the size of a level", 1, PROCESSORS_LIMIT, &size, err) &&
             words_whole(words, "the distance of a level", 0, INT32_MAX, &distance, err);
        if (ok)
            text_add(&text, "%s%d", i ? "x" : "", (int)size);
    }
    *shape = text_take(&text, arena);
    return ok;
}

bool exchange_read_target(const char *path, Arena *arena, const char **shape, Err *err)
{
    Words words;
    const char *kind;
    int64_t n;
    if (!words_open(path, arena, &words, err) || !words_next(&words, "the kind of target", arena, &kind, err))
        return false;
    if (strcmp(kind, "tleaf") == 0)
        return read_tree(&words, arena, shape, err) && words_end(&words, err);
    if (strcmp(kind, "cmplt") != 0)
        return words_refuse(&words, err, "`%.40s`: a platform is made of the targets tleaf and cmplt alone", kind);
    if (!words_whole(&words, "the number of processors", 1, NODES_LIMIT, &n, err) || !words_end(&words, err))
        return false;
    *shape = arena_printf(arena, "%dx1", (int)n);
    return true;
}
