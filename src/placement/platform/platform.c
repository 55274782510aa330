/* SPDX-License-Identifier: BSD-3-Clause */
/* Platforms: speeds, and the choice of nodes. routes.c has the cost of messages. machine.c and
 * text.c make platforms. */
#include "placement/platform/platform.h"

#include "base/text.h"
#include "base/vec.h"
#include <assert.h>
#include <math.h>
#include <string.h>

uint32_t platform_first(const Platform *platform, uint32_t node)
{
    uint32_t at = 0;
    vec_bisect(at, platform->n_processors, platform->processors[at].node_index < node);
    return at;
}

const MachinePath *platform_make_path(double latency_s, double s_per_byte, Arena *arena)
{
    CostSegment *segment = arena_new_array(arena, CostSegment, 1);
    MachinePath *path = arena_new_array(arena, MachinePath, 1);
    segment->latency_s = (Estimated){latency_s, latency_s, latency_s};
    segment->s_per_byte = (Estimated){s_per_byte, s_per_byte, s_per_byte};
    *path = (MachinePath){.configuration = {"", "", "", ""}, .n_segments = 1, .segments = segment, .linear = true};
    return path;
}

static bool find_node(const char *const *nodes, uint32_t n_nodes, const char *name, size_t length, uint32_t *node)
{
    for (uint32_t i = 0; i < n_nodes; i++) {
        if (strlen(nodes[i]) == length && memcmp(nodes[i], name, length) == 0) {
            *node = i;
            return true;
        }
    }
    return false;
}

static const char *all_nodes(const char *const *nodes, uint32_t n_nodes, Arena *arena)
{
    enum { NAMED = 20 };
    uint32_t n = n_nodes < NAMED ? n_nodes : NAMED;
    return arena_printf(arena, "its nodes are: %s%s", arena_join(arena, nodes, n), n < n_nodes ? " …" : "");
}

static bool read_speed(const char *word, size_t *name_length, double *speed, Err *err)
{
    const char *equals = strrchr(word, '=');
    char *end;
    if (!equals || equals == word)
        return err_set(err, ERR_USAGE, "--speed %s: expected NODE=FACTOR", word);
    *name_length = (size_t)(equals - word);
    *speed = text_number(equals + 1, &end);
    return (end != equals + 1 && !*end && isfinite(*speed) && *speed >= 1e-6 && *speed <= 1e6) ||
           err_set(err, ERR_USAGE, "--speed %s: expected a factor such as 1.5, from 1e-6 to 1e6", word);
}

bool platform_check_speed(const char *word, Err *err)
{
    size_t length;
    double speed;
    return read_speed(word, &length, &speed, err);
}

static bool set_speed(Platform *platform, Processor *processors, const char *word, Arena *arena, Err *err)
{
    size_t length;
    double speed;
    uint32_t node;
    if (!read_speed(word, &length, &speed, err))
        return false;
    if (!find_node(platform->nodes, platform->n_nodes, word, length, &node)) {
        err_set(err, ERR_USAGE, "--speed %s: the platform has no such node", word);
        return err_hint(err, "%s", all_nodes(platform->nodes, platform->n_nodes, arena));
    }
    for (uint32_t i = 0; i < platform->n_processors; i++)
        if (processors[i].node_index == node)
            processors[i].speed = speed;
    return true;
}

bool platform_set_speeds(Platform *platform, const char *const *speeds, Arena *arena, Err *err)
{
    Processor *processors = arena_copy_array(arena, platform->processors, platform->n_processors, sizeof *processors);
    for (size_t i = 0; speeds && speeds[i]; i++)
        if (!set_speed(platform, processors, speeds[i], arena, err))
            return false;
    platform->processors = processors;
    return true;
}

bool platform_read_names(const char *const *nodes, uint32_t n_nodes, const char *names, Arena *arena, uint32_t *order,
                         uint32_t *n, Err *err)
{
    bool *is_chosen = arena_new_array(arena, bool, n_nodes);
    *n = 0;
    for (const char *name = names;;) {
        size_t length = strcspn(name, ",");
        uint32_t node;
        if (!find_node(nodes, n_nodes, name, length, &node)) {
            err_set(err, ERR_USAGE, "--nodes: the platform has no node \"%.*s\"", (int)length, name);
            return err_hint(err, "%s", all_nodes(nodes, n_nodes, arena));
        }
        if (is_chosen[node])
            return err_set(err, ERR_USAGE, "--nodes: \"%.*s\" is named twice", (int)length, name);
        is_chosen[node] = true;
        order[(*n)++] = node;
        if (!name[length])
            return true;
        name += length + 1;
    }
}

/* Copies the routes of the chosen nodes. All links stay. */
static void choose_routes(const Platform *platform, const uint32_t *order, Platform *chosen, Arena *arena)
{
    uint32_t n = chosen->n_nodes;
    chosen->n_routes = platform_count_routes(chosen);
    Route *routes = arena_new_array(arena, Route, chosen->n_routes);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < n; k++)
            routes[i * n + k] = platform->routes[order[i] * platform->n_nodes + order[k]];
        for (uint32_t level = platform->node_level + 1; level < platform->n_levels; level++)
            routes[platform_inside(chosen, i, level)] = platform->routes[platform_inside(platform, order[i], level)];
    }
    chosen->routes = routes;
}

/* from[n_processors]: the former numbers of the processors. Counts units anew. */
static void choose_levels(const Platform *platform, const uint32_t *from, Platform *chosen, Arena *arena)
{
    Level *levels = arena_new_array(arena, Level, chosen->n_levels);
    uint32_t *numbers = arena_new_array(arena, uint32_t, platform->n_processors);
    for (uint32_t level = 0; level < chosen->n_levels; level++) {
        uint32_t *units = arena_new_array(arena, uint32_t, chosen->n_processors), n = 0;
        memset(numbers, 0xff, sizeof *numbers * platform->n_processors);
        for (uint32_t i = 0; i < chosen->n_processors; i++) {
            uint32_t *number = &numbers[platform->levels[level].units[from[i]]];
            if (*number == UINT32_MAX)
                *number = n++;
            units[i] = *number;
        }
        levels[level] = (Level){platform->levels[level].name, units};
    }
    chosen->levels = levels;
}

bool platform_choose_nodes(const Platform *platform, const char *names, Arena *arena, Platform **chosen, Err *err)
{
    uint32_t *order = arena_new_array(arena, uint32_t, platform->n_nodes), n;
    if (!platform_read_names(platform->nodes, platform->n_nodes, names, arena, order, &n, err))
        return false;
    Platform *result = arena_new_array(arena, Platform, 1);
    const char **nodes = arena_new_array(arena, const char *, n);
    Processor *processors = arena_new_array(arena, Processor, platform->n_processors);
    uint32_t *from = arena_new_array(arena, uint32_t, platform->n_processors);
    *result = *platform;
    result->n_nodes = n;
    result->n_processors = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t end = platform_first(platform, order[i] + 1);
        nodes[i] = platform->nodes[order[i]];
        for (uint32_t k = platform_first(platform, order[i]); k < end; k++) {
            from[result->n_processors] = k;
            processors[result->n_processors] = platform->processors[k];
            processors[result->n_processors++].node_index = i;
        }
    }
    if (!result->n_processors)
        return err_set(err, ERR_INPUT, "%s: no processors of these nodes are known", names) ||
               err_hint(err, "give their number with --cores");
    assert(result->n_processors <= platform->n_processors);
    result->nodes = nodes;
    result->processors = processors;
    choose_levels(platform, from, result, arena);
    choose_routes(platform, order, result, arena);
    *chosen = result;
    return true;
}
