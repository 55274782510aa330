/* SPDX-License-Identifier: BSD-3-Clause */
/* The levels of a platform, and the ways of messages through them (platform.h). */
#include "placement/platform/platform.h"

#include "base/vec.h"
#include <math.h>

uint32_t platform_level(const Platform *platform, uint32_t processor, uint32_t other)
{
    uint32_t level = 0;
    while (platform->levels[level].units[processor] == platform->levels[level].units[other])
        level++;
    return level;
}

uint32_t platform_unit_end(const Platform *platform, uint32_t first, uint32_t level)
{
    const uint32_t *units = platform->levels[level].units;
    uint32_t at = first;
    vec_bisect(at, platform->n_processors, units[at] <= units[first]);
    return at;
}

Level platform_node_level(const Platform *platform, Arena *arena)
{
    uint32_t *units = arena_new_array(arena, uint32_t, platform->n_processors);
    for (uint32_t i = 0; i < platform->n_processors; i++)
        units[i] = platform->processors[i].node_index;
    return (Level){"node", units};
}

Level platform_core_level(const Platform *platform, Arena *arena)
{
    uint32_t *units = arena_new_array(arena, uint32_t, platform->n_processors);
    for (uint32_t i = 0; i < platform->n_processors; i++)
        units[i] = i;
    return (Level){"core", units};
}

void platform_make_flat(Platform *platform, Arena *arena)
{
    Level *levels = arena_new_array(arena, Level, 2);
    levels[0] = platform_node_level(platform, arena);
    levels[1] = platform_core_level(platform, arena);
    platform->n_levels = 2;
    platform->levels = levels;
    platform->node_level = 0;
}

uint32_t platform_inside(const Platform *platform, uint32_t node, uint32_t level)
{
    uint32_t n = platform->n_nodes, n_inside = platform->n_levels - platform->node_level - 1;
    return n * n + node * n_inside + level - platform->node_level - 1;
}

uint32_t platform_count_routes(const Platform *platform)
{
    return platform_inside(platform, platform->n_nodes, platform->node_level + 1);
}

const Route *platform_route(const Platform *platform, uint32_t from_processor, uint32_t to_processor)
{
    if (from_processor == to_processor)
        return NULL;
    uint32_t from = platform->processors[from_processor].node_index;
    uint32_t to = platform->processors[to_processor].node_index;
    return &platform->routes[from == to ? platform_inside(platform, from,
                                                          platform_level(platform, from_processor, to_processor))
                                        : from * platform->n_nodes + to];
}

double platform_message_s(const Platform *platform, uint32_t from_processor, uint32_t to_processor, double bytes)
{
    const Route *route = platform_route(platform, from_processor, to_processor);
    return route ? machine_message_s(route->path, bytes) : 0;
}

/* Links are numbered by levels, from the nodes outwards. Of each unit, first the link up. */
typedef struct Connecting {
    const Platform *platform;
    const Paths *paths;
    double *rates;
} Connecting;

/* Fills in the links of a route between two nodes, and returns their number. */
static uint32_t find_links(const Connecting *connecting, uint32_t from, uint32_t to, uint32_t *links)
{
    uint32_t n = 0, first = 2 * connecting->platform->n_nodes;
    links[n++] = 2 * from;
    links[n++] = 2 * to + 1;
    for (uint32_t i = connecting->paths->n_switches; i--;) {
        uint32_t size = connecting->paths->switches[i].n_nodes;
        if (from / size == to / size)
            break;
        links[n++] = first + 2 * (from / size);
        links[n++] = first + 2 * (to / size) + 1;
        first += 2 * (connecting->platform->n_nodes / size);
    }
    return n;
}

static uint32_t count_links(const Connecting *connecting)
{
    uint32_t n_nodes = connecting->platform->n_nodes, n = 2 * n_nodes;
    for (uint32_t i = 0; i < connecting->paths->n_switches; i++)
        n += 2 * (n_nodes / connecting->paths->switches[i].n_nodes);
    return n;
}

static void set_switch_rates(const Connecting *connecting)
{
    uint32_t n_nodes = connecting->platform->n_nodes, at = 2 * n_nodes;
    for (uint32_t i = connecting->paths->n_switches; i--;)
        for (uint32_t end = at + 2 * (n_nodes / connecting->paths->switches[i].n_nodes); at < end; at++)
            connecting->rates[at] = connecting->paths->switches[i].rate;
}

static void connect_nodes(const Connecting *connecting, Route *routes, Arena *arena)
{
    uint32_t n = connecting->platform->n_nodes, most = 2 + 2 * connecting->paths->n_switches;
    uint32_t *links = arena_new_array(arena, uint32_t, (size_t)most * n * n);
    for (uint32_t i = 0; i < n * n; i++, links += most) {
        uint32_t from = i / n, to = i % n;
        if (from == to)
            continue;
        const MachinePath *path = connecting->paths->between[i];
        routes[i] = (Route){.path = path, .n_links = find_links(connecting, from, to, links), .links = links};
        double rate = machine_path_rate(path), *sends = &connecting->rates[2 * from];
        double *receives = &connecting->rates[2 * to + 1];
        *sends = fmax(*sends, rate);
        *receives = fmax(*receives, rate);
    }
}

void platform_connect(Platform *platform, const Paths *paths, Arena *arena)
{
    Connecting connecting = {.platform = platform, .paths = paths};
    platform->n_links = count_links(&connecting);
    platform->n_routes = platform_count_routes(platform);
    connecting.rates = arena_new_array(arena, double, platform->n_links);
    Route *routes = arena_new_array(arena, Route, platform->n_routes);
    connect_nodes(&connecting, routes, arena);
    set_switch_rates(&connecting);
    for (uint32_t node = 0; node < platform->n_nodes; node++)
        for (uint32_t level = platform->node_level + 1; level < platform->n_levels; level++)
            routes[platform_inside(platform, node, level)].path = paths->inside[level - platform->node_level - 1];
    platform->routes = routes;
    platform->link_rates = connecting.rates;
}
