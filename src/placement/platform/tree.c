/* SPDX-License-Identifier: BSD-3-Clause */
/* A platform's processors as a tree with branches of equal size, as Scotch needs it. */
#include "placement/platform/platform.h"

#include <math.h>

enum { TYPICAL_BYTES = 8192, FARTHEST = 1000 };

/* Numbers each unit of a level within the unit above: numbers[i] is that of processor i's. Returns how
 * many numbers there are. */
static uint32_t number_units(const Platform *platform, uint32_t level, uint32_t n, uint32_t *numbers)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t outermost = i ? platform_level(platform, i - 1, i) : 0;
        numbers[i] = outermost < level || !i ? 0 : numbers[i - 1] + (outermost == level);
        most = numbers[i] > most ? numbers[i] : most;
    }
    return most + 1;
}

/* The time of a message between the first two processors that are apart at this level. 0: none are. */
static double time_at(const Platform *platform, uint32_t level, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        if (platform_level(platform, i - 1, i) == level)
            return platform_message_s(platform, i - 1, i, TYPICAL_BYTES);
    return 0;
}

PlatformTree platform_tree(const Platform *platform, uint32_t n, Arena *arena)
{
    PlatformTree tree = {.sizes = arena_new_array(arena, uint32_t, platform->n_levels),
                         .distances = arena_new_array(arena, uint32_t, platform->n_levels),
                         .leaves = arena_new_array(arena, uint32_t, n),
                         .n_leaves = 1};
    uint32_t *numbers = arena_new_array(arena, uint32_t, n);
    double *times_s = arena_new_array(arena, double, platform->n_levels), least_s = HUGE_VAL;
    for (uint32_t level = 0; level < platform->n_levels; level++) {
        uint32_t size = number_units(platform, level, n, numbers);
        if (size == 1 && level + 1 < platform->n_levels)
            continue;
        for (uint32_t i = 0; i < n; i++)
            tree.leaves[i] = tree.leaves[i] * size + numbers[i];
        times_s[tree.n] = time_at(platform, level, n);
        if (times_s[tree.n] > 0)
            least_s = fmin(least_s, times_s[tree.n]);
        tree.n_leaves *= size;
        tree.sizes[tree.n++] = size;
    }
    for (uint32_t i = 0; i < tree.n; i++)
        tree.distances[i] = (uint32_t)round(fmin(FARTHEST, fmax(1, times_s[i] / least_s)));
    return tree;
}
