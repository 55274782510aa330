/* SPDX-License-Identifier: BSD-3-Clause */
/* Platforms: the cost of messages, interchangeable nodes, speeds, and the choice of nodes.
 * platform_machine.c and platform_text.c make platforms. */
#include "placement/mapping/platform.h"

#include "base/text.h"
#include "base/vec.h"
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const Route *route_of_nodes(const Platform *platform, uint32_t from_node, uint32_t to_node)
{
    return &platform->routes[(size_t)from_node * platform->n_nodes + to_node];
}

const Route *platform_route(const Platform *platform, uint32_t from_processor, uint32_t to_processor)
{
    if (from_processor == to_processor)
        return NULL;
    return route_of_nodes(platform, platform->processors[from_processor].node_index,
                          platform->processors[to_processor].node_index);
}

double platform_message_s(const Platform *platform, uint32_t from_processor, uint32_t to_processor, double bytes)
{
    const Route *route = platform_route(platform, from_processor, to_processor);
    return route ? machine_message_s(route->path, bytes) : 0;
}

void platform_connect(Platform *platform, const MachinePath *inside, const MachinePath *const *between, Arena *arena)
{
    uint32_t n = platform->n_nodes;
    Route *routes = arena_new_array(arena, Route, (size_t)n * n);
    uint32_t *links = arena_new_array(arena, uint32_t, 2 * (size_t)n * n);
    double *rates = arena_new_array(arena, double, 2 * (size_t)n);
    for (uint32_t i = 0; i < n * n; i++) {
        uint32_t sends = 2 * (i / n), receives = 2 * (i % n) + 1;
        if (i / n == i % n) {
            routes[i].path = inside;
            continue;
        }
        links[2 * i] = sends;
        links[2 * i + 1] = receives;
        routes[i] = (Route){.path = between[i], .n_links = 2, .links = &links[2 * i]};
        double rate = machine_path_rate(between[i]);
        rates[sends] = fmax(rates[sends], rate);
        rates[receives] = fmax(rates[receives], rate);
    }
    platform->n_routes = n * n;
    platform->routes = routes;
    platform->n_links = 2 * n;
    platform->link_rates = rates;
}

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

static bool is_same_path(const Platform *platform, uint32_t from, uint32_t to, uint32_t other_from, uint32_t other_to)
{
    return route_of_nodes(platform, from, to)->path == route_of_nodes(platform, other_from, other_to)->path;
}

bool platform_nodes_are_alike(const Platform *platform, uint32_t first, uint32_t second)
{
    uint32_t a = platform_first(platform, first), n = platform_first(platform, first + 1) - a;
    uint32_t b = platform_first(platform, second);
    if (platform_first(platform, second + 1) - b != n)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (platform->processors[a + i].speed != platform->processors[b + i].speed)
            return false;
    if (!is_same_path(platform, first, second, second, first))
        return false;
    for (uint32_t other = 0; other < platform->n_nodes; other++)
        if (other != first && other != second &&
            (!is_same_path(platform, first, other, second, other) ||
             !is_same_path(platform, other, first, other, second)))
            return false;
    return true;
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

bool platform_choose_nodes(const Platform *platform, const char *names, Arena *arena, Platform **chosen, Err *err)
{
    uint32_t *order = arena_new_array(arena, uint32_t, platform->n_nodes), n;
    if (!platform_read_names(platform->nodes, platform->n_nodes, names, arena, order, &n, err))
        return false;
    Platform *result = arena_new_array(arena, Platform, 1);
    const char **nodes = arena_new_array(arena, const char *, n);
    Processor *processors = arena_new_array(arena, Processor, platform->n_processors);
    const MachinePath **between = arena_new_array(arena, const MachinePath *, (size_t)n *n);
    *result = *platform;
    result->n_nodes = n;
    result->n_processors = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t end = platform_first(platform, order[i] + 1);
        nodes[i] = platform->nodes[order[i]];
        for (uint32_t k = platform_first(platform, order[i]); k < end; k++) {
            processors[result->n_processors] = platform->processors[k];
            processors[result->n_processors++].node_index = i;
        }
        for (uint32_t k = 0; k < n; k++)
            if (k != i)
                between[(size_t)i * n + k] = route_of_nodes(platform, order[i], order[k])->path;
    }
    if (!result->n_processors)
        return err_set(err, ERR_INPUT, "%s: no processors of these nodes are known", names) ||
               err_hint(err, "give their number with --cores");
    assert(result->n_processors <= platform->n_processors);
    result->nodes = nodes;
    result->processors = processors;
    platform_connect(result, route_of_nodes(platform, 0, 0)->path, between, arena);
    *chosen = result;
    return true;
}
