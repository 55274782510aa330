/* SPDX-License-Identifier: BSD-3-Clause */
/* The arithmetic of grid.h. Part j of a period starts at its occurrence ceil(j · length / n_parts).
 * So when the number of parts is halved, every other cut stays where it was. */
#include "signature/phases/grid.h"
#include <assert.h>

static uint64_t part_start(const Grid *grid, uint64_t part)
{
    return (part * grid->length + grid->n_parts - 1) / grid->n_parts;
}

uint64_t grid_next(const Grid *grid, uint64_t occurrence)
{
    if (occurrence < grid->origin)
        return grid->origin;
    assert(grid->length && grid->n_parts && grid->n_parts <= grid->length);
    uint64_t within = (occurrence - grid->origin) % grid->length, part = within * grid->n_parts / grid->length;
    uint64_t period_start = occurrence - within, here = part_start(grid, part);
    return period_start + (here == within ? here : part_start(grid, part + 1));
}

/* A grid of periods of `length`, cut into parts of at least `spacing`. If a period is shorter than
 * that, several periods together. */
static Grid spaced(uint64_t origin, uint64_t length, uint64_t spacing)
{
    assert(length && spacing);
    Grid grid = {origin, length, 1};
    if (length < spacing)
        grid.length *= (spacing + length - 1) / length;
    while (grid.length / (2 * grid.n_parts) >= spacing)
        grid.n_parts *= 2;
    return grid;
}

static uint64_t spacing(const Grid *grid)
{
    return (grid->length + grid->n_parts - 1) / grid->n_parts;
}

static bool is_aligned(const Grid *grid, uint64_t start, uint64_t length)
{
    return grid->origin >= start && (grid->origin - start) % length == 0 && grid->length % length == 0;
}

Grid grid_coarser(const Grid *grid, const Loops *loops, uint64_t *kept_from)
{
    Grid halved = *grid;
    if (halved.n_parts > 1)
        halved.n_parts /= 2;
    else
        halved.length *= 2;
    uint64_t start, length;
    *kept_from = grid->origin;
    if (!loops_period(loops, &start, &length))
        return halved;
    if (is_aligned(grid, start, length) && length > 1)
        return halved;
    *kept_from = grid->length == 1 ? start : UINT64_MAX;
    return spaced(start, length, 2 * spacing(grid));
}

void grid_follow(Grid *grid, const Loops *loops)
{
    uint64_t start, length;
    if (grid->length == 1 || !loops_period(loops, &start, &length) || length == 1 || is_aligned(grid, start, length))
        return;
    uint64_t next = start + (loops->n_occurrences - start + length - 1) / length * length;
    *grid = spaced(next, length, spacing(grid));
}
