/* SPDX-License-Identifier: BSD-3-Clause */
/* See foreign.h. */
#include "verbs/map/foreign.h"

#include "base/files.h"
#include "cli/values.h"
#include "placement/exchange/exchange.h"
#include <inttypes.h>
#include <string.h>

#define TARGET_SUFFIX ".tgt"

/* Behind the name of a target; NULL: the word names none. */
static const char *target_end(const char *word)
{
    const char *suffix = strstr(word, TARGET_SUFFIX);
    while (suffix && suffix[strlen(TARGET_SUFFIX)] && suffix[strlen(TARGET_SUFFIX)] != ':')
        suffix = strstr(suffix + 1, TARGET_SUFFIX);
    return suffix && suffix > word ? suffix + strlen(TARGET_SUFFIX) : NULL;
}

bool platform_word_names_file(const char *word)
{
    return target_end(word) || platform_is_file(word);
}

bool platform_from_word(const char *word, Arena *arena, Platform **platform, Err *err)
{
    const char *end = target_end(word), *shape;
    if (platform_is_file(word))
        return platform_from_file(word, arena, platform, err);
    if (!end)
        return platform_from_text(word, arena, platform, err);
    const char *target = arena_strndup(arena, word, (size_t)(end - word));
    return exchange_read_target(target, arena, &shape, err) &&
           (platform_from_text(arena_printf(arena, "%s%s", shape, end), arena, platform, err) ||
            err_prefix(err, "%s: the target is %s", target, shape));
}

static bool parse_list(const char *word, Arena *arena, uint32_t *n, const uint64_t **numbers, Err *err)
{
    const NumberList list = {.given = arena_strdup(arena, word),
                             .option = "--given",
                             .keeps_order = true,
                             .most = PROCESSORS_LIMIT - 1,
                             .items_limit = TASKS_LIMIT};
    return numbers_option_parse(&list, arena, n, numbers, err);
}

const char *given_file(const char *word)
{
    return word && files_has_suffix(word, ".map") ? word : NULL;
}

bool given_check(const char *word, Arena *arena, Err *err)
{
    const uint64_t *numbers;
    uint32_t n;
    return given_file(word) || parse_list(word, arena, &n, &numbers, err);
}

static bool take_numbers(const MappingProblem *problem, const uint64_t *numbers, uint32_t n, uint32_t *processors,
                         Err *err)
{
    if (n != problem->ttig->n_nodes)
        return err_set(err, ERR_USAGE, "--given: names %u processors; the graph has %u tasks", n,
                       problem->ttig->n_nodes);
    for (uint32_t i = 0; i < n; i++) {
        if (numbers[i] >= problem->platform->n_processors)
            return err_set(err, ERR_USAGE, "--given: there is no processor %" PRIu64 "; they are 0 to %u", numbers[i],
                           problem->platform->n_processors - 1);
        processors[i] = (uint32_t)numbers[i];
    }
    return true;
}

bool given_parse(const char *word, const MappingProblem *problem, uint32_t *processors, Err *err)
{
    const uint64_t *numbers;
    uint32_t n;
    if (given_file(word))
        return exchange_read_mapping(word, problem->ttig->n_nodes, problem->platform->n_processors, processors, err);
    Arena *arena = arena_new();
    bool ok = parse_list(word, arena, &n, &numbers, err) && take_numbers(problem, numbers, n, processors, err);
    arena_free(arena);
    return ok;
}

const char *const *scotch_paths(const char *prefix, Arena *arena)
{
    const char **paths = arena_new_array(arena, const char *, 3);
    paths[0] = arena_printf(arena, "%s.map", prefix);
    paths[1] = arena_printf(arena, "%s" TARGET_SUFFIX, prefix);
    return paths;
}

bool scotch_write(const MappingProblem *problem, const uint32_t *processors, const char *prefix, Err *err)
{
    Arena *arena = arena_new();
    const char *const *paths = scotch_paths(prefix, arena);
    const FileText texts[] = {
        {.path = paths[0], .text = exchange_mapping_text(processors, problem->ttig->n_nodes, arena)},
        {.path = paths[1], .text = exchange_target_text(problem->platform, arena)}};
    bool ok = files_save_texts(texts, sizeof texts / sizeof *texts, err);
    arena_free(arena);
    return ok;
}
