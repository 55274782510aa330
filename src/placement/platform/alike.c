/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares units of a platform (alike.h).
 *
 * Within a node, the cost of a message depends only on the level at which its ends are apart. So units
 * of the same shape and speed are interchangeable. Two nodes must also have the same ways to all other
 * nodes. They may have links of their own: `images` says which link of one node stands for which link
 * of the other. */
#include "placement/platform/alike.h"

#include <string.h>

#define NONE UINT32_MAX

typedef struct Comparison {
    const Platform *platform;
    uint32_t *owners; /* [2 · n_links] of each link, up to two nodes where all its routes begin or end */
    uint32_t *images; /* [n_links] NONE: not known yet */
} Comparison;

static void note_owners(const Comparison *comparison, const Route *route, uint32_t from, uint32_t to, bool *is_known)
{
    for (uint32_t i = 0; i < route->n_links; i++) {
        uint32_t *owners = &comparison->owners[2 * route->links[i]];
        if (!is_known[route->links[i]]) {
            is_known[route->links[i]] = true;
            owners[0] = from;
            owners[1] = to;
        }
        for (int k = 0; k < 2; k++)
            if (owners[k] != from && owners[k] != to)
                owners[k] = NONE;
    }
}

static void find_owners(const Comparison *comparison, Arena *arena)
{
    const Platform *platform = comparison->platform;
    bool *is_known = arena_new_array(arena, bool, platform->n_links);
    uint32_t n = platform->n_nodes;
    memset(comparison->owners, 0xff, sizeof(uint32_t) * 2 * platform->n_links);
    for (uint32_t i = 0; i < n * n; i++)
        if (i / n != i % n)
            note_owners(comparison, &platform->routes[i], i / n, i % n, is_known);
    for (uint32_t node = 0; node < n; node++)
        for (uint32_t level = platform->node_level + 1; level < platform->n_levels; level++)
            note_owners(comparison, &platform->routes[platform_inside(platform, node, level)], node, node, is_known);
}

/* Whether no route between other nodes has the link. */
static bool is_of(const Comparison *comparison, uint32_t link, uint32_t first, uint32_t second)
{
    const uint32_t *owners = &comparison->owners[2 * link];
    return owners[0] == first || owners[1] == first || owners[0] == second || owners[1] == second;
}

static bool stands_for(const Comparison *comparison, uint32_t link, uint32_t other, uint32_t first, uint32_t second)
{
    uint32_t *images = comparison->images;
    if (images[link] == NONE && images[other] == NONE) {
        images[link] = other;
        images[other] = link;
    }
    return images[link] == other && images[other] == link &&
           (link == other || (comparison->platform->link_rates[link] == comparison->platform->link_rates[other] &&
                              is_of(comparison, link, first, second) && is_of(comparison, other, first, second)));
}

static bool routes_are_alike(const Comparison *comparison, uint32_t number, uint32_t other, uint32_t first,
                             uint32_t second)
{
    const Route *a = &comparison->platform->routes[number], *b = &comparison->platform->routes[other];
    if (a->path != b->path || a->n_links != b->n_links)
        return false;
    for (uint32_t i = 0; i < a->n_links; i++)
        if (!stands_for(comparison, a->links[i], b->links[i], first, second))
            return false;
    return true;
}

static bool has_same_ways(const Comparison *comparison, uint32_t first, uint32_t second)
{
    const Platform *platform = comparison->platform;
    uint32_t n = platform->n_nodes;
    memset(comparison->images, 0xff, sizeof(uint32_t) * platform->n_links);
    for (uint32_t level = platform->node_level + 1; level < platform->n_levels; level++)
        if (!routes_are_alike(comparison, platform_inside(platform, first, level),
                              platform_inside(platform, second, level), first, second))
            return false;
    if (!routes_are_alike(comparison, first * n + second, second * n + first, first, second))
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (i != first && i != second &&
            (!routes_are_alike(comparison, first * n + i, second * n + i, first, second) ||
             !routes_are_alike(comparison, i * n + first, i * n + second, first, second)))
            return false;
    return true;
}

/* Whether the units have the same smaller units, and processors of the same speed. */
static bool has_same_shape(const Platform *platform, uint32_t first, uint32_t second, uint32_t level)
{
    uint32_t n = platform_unit_end(platform, first, level) - first;
    if (platform_unit_end(platform, second, level) - second != n)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (platform->processors[first + i].speed != platform->processors[second + i].speed ||
            (i && platform_level(platform, first + i - 1, first + i) !=
                      platform_level(platform, second + i - 1, second + i)))
            return false;
    return true;
}

/* above: of the level above. NULL: none, since the units are the nodes. */
static AlikeUnits find_units(const Comparison *comparison, uint32_t level, const AlikeUnits *above, Arena *arena)
{
    const Platform *platform = comparison->platform;
    uint32_t n = platform->n_processors;
    uint32_t *firsts = arena_new_array(arena, uint32_t, n), *kinds = arena_new_array(arena, uint32_t, n);
    for (uint32_t unit = 0; unit < n; unit = platform_unit_end(platform, unit, level)) {
        uint32_t like = above ? above->firsts[unit] : 0;
        while (like < unit && (kinds[like] != like || !has_same_shape(platform, like, unit, level) ||
                               (!above && !has_same_ways(comparison, platform->processors[like].node_index,
                                                         platform->processors[unit].node_index))))
            like = platform_unit_end(platform, like, level);
        kinds[unit] = like;
        for (uint32_t i = unit; i < platform_unit_end(platform, unit, level); i++)
            firsts[i] = unit;
    }
    return (AlikeUnits){firsts, kinds};
}

const AlikeUnits *alike_find(const Platform *platform, Arena *arena)
{
    const Comparison comparison = {.platform = platform,
                                   .owners = arena_new_array(arena, uint32_t, 2 * (size_t)platform->n_links),
                                   .images = arena_new_array(arena, uint32_t, platform->n_links)};
    AlikeUnits *units = arena_new_array(arena, AlikeUnits, platform->n_levels - platform->node_level);
    find_owners(&comparison, arena);
    for (uint32_t level = platform->node_level; level < platform->n_levels; level++) {
        uint32_t at = level - platform->node_level;
        units[at] = find_units(&comparison, level, at ? &units[at - 1] : NULL, arena);
    }
    return units;
}
