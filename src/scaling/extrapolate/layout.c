/* SPDX-License-Identifier: BSD-3-Clause */
/* See layout.h. */
#include "scaling/extrapolate/layout.h"

#include <stddef.h>

const Layout layouts[] = {
    {"a line", LAYOUT_BOX, 1, {false}},
    {"a ring", LAYOUT_BOX, 1, {true}},
    {"a grid", LAYOUT_BOX, 2, {false, false}},
    {"a torus", LAYOUT_BOX, 2, {true, true}},
    {"a grid with closed columns", LAYOUT_BOX, 2, {true, false}},
    {"a grid with closed rows", LAYOUT_BOX, 2, {false, true}},
    {"a box", LAYOUT_BOX, 3, {false, false, false}},
    {"a torus of three sides", LAYOUT_BOX, 3, {true, true, true}},
    {"a box with a closed first side", LAYOUT_BOX, 3, {true, false, false}},
    {"a hypercube", LAYOUT_CUBE, 1, {false}},
    {"a binary tree", LAYOUT_TREE, 1, {false}},
    {"a first process with workers", LAYOUT_STAR, 1, {false}},
    {NULL, LAYOUT_BOX, 0, {false}},
};

/* ---- sides ---- */

/* As equal as possible, from the longest on: the factors of p, from the largest on, each go to the shortest side. */
static void find_sides(uint32_t p, uint32_t n_sides, uint32_t sides[LAYOUT_SIDES])
{
    uint32_t factors[32], n = 0;
    for (uint32_t factor = 2; p > 1;) {
        if (p % factor == 0) {
            factors[n++] = factor;
            p /= factor;
        } else {
            factor = (uint64_t)factor * factor > p ? p : factor + 1;
        }
    }
    for (uint32_t i = 0; i < LAYOUT_SIDES; i++)
        sides[i] = 1;
    while (n-- > 0) {
        uint32_t shortest = 0;
        for (uint32_t i = 1; i < n_sides; i++)
            shortest = sides[i] < sides[shortest] ? i : shortest;
        sides[shortest] *= factors[n];
    }
    for (uint32_t i = 0; i < n_sides; i++)
        for (uint32_t k = i + 1; k < n_sides; k++)
            if (sides[k] > sides[i]) {
                uint32_t longer = sides[k];
                sides[k] = sides[i];
                sides[i] = longer;
            }
}

Shape shape_of(const Layout *layout, uint32_t p)
{
    Shape shape = {.layout = layout, .p = p};
    find_sides(p, layout->n_sides, shape.sides);
    return shape;
}

static void find_place(const Shape *shape, uint32_t process, uint32_t place[LAYOUT_SIDES])
{
    for (uint32_t i = LAYOUT_SIDES; i-- > 0;) {
        place[i] = process % shape->sides[i];
        process /= shape->sides[i];
    }
}

static uint32_t process_at(const Shape *shape, const uint32_t place[LAYOUT_SIDES])
{
    uint32_t process = 0;
    for (uint32_t i = 0; i < LAYOUT_SIDES; i++)
        process = process * shape->sides[i] + place[i];
    return process;
}

/* ---- directions in boxes: 20 bits a side ---- */

enum { STEP_BITS = 20 };
#define STEP_MASK ((UINT64_C(1) << STEP_BITS) - 1)
#define STEP_ZERO (UINT64_C(1) << (STEP_BITS - 1))
#define STEP_HALF STEP_MASK /* half of a closed side */

static uint64_t step_of(const Shape *shape, uint32_t side, uint32_t from, uint32_t to)
{
    int64_t length = shape->sides[side], step = (int64_t)to - from;
    if (!shape->layout->closed[side])
        return (uint64_t)((int64_t)STEP_ZERO + step);
    if (length > 2 && 2 * (step < 0 ? -step : step) == length)
        return STEP_HALF;
    if (2 * step > length)
        step -= length;
    else if (2 * step <= -length)
        step += length;
    return (uint64_t)((int64_t)STEP_ZERO + step);
}

static Direction box_direction(const Shape *shape, uint32_t process, uint32_t partner)
{
    uint32_t from[LAYOUT_SIDES], to[LAYOUT_SIDES];
    Direction direction = 0;
    find_place(shape, process, from);
    find_place(shape, partner, to);
    for (uint32_t i = 0; i < LAYOUT_SIDES; i++)
        direction = direction << STEP_BITS | step_of(shape, i, from[i], to[i]);
    return direction;
}

static uint32_t box_partner(const Shape *shape, uint32_t process, Direction direction)
{
    uint32_t place[LAYOUT_SIDES];
    find_place(shape, process, place);
    for (uint32_t i = LAYOUT_SIDES; i-- > 0; direction >>= STEP_BITS) {
        int64_t length = shape->sides[i], step = (int64_t)(direction & STEP_MASK) - (int64_t)STEP_ZERO;
        if ((direction & STEP_MASK) == STEP_HALF)
            step = length / 2;
        int64_t at = place[i] + step;
        if (shape->layout->closed[i])
            at = (at % length + length) % length;
        if (at < 0 || at >= length)
            return NO_PROCESS;
        place[i] = (uint32_t)at;
    }
    return process_at(shape, place);
}

/* Processes near an end keep their distance from it. Those between keep their distance from the near end but for a
 * multiple of the number that the smaller side has between, which is even if it can be. */
static uint32_t stand_in_at(uint32_t at, uint32_t length, uint32_t smaller, bool *between_ends)
{
    uint32_t near = smaller / 4 ? smaller / 4 : 1, between = smaller > 2 * near ? smaller - 2 * near : 0;
    if (length == smaller || at < near)
        return at < smaller ? at : NO_PROCESS;
    if (length - 1 - at < near)
        return smaller > near ? smaller - (length - at) : NO_PROCESS;
    *between_ends = smaller == 2;
    return between ? near + (at - near) % between : *between_ends ? 0 : NO_PROCESS;
}

static uint32_t box_stand_in(const Shape *shape, uint32_t process, const Shape *smaller, uint32_t *between)
{
    uint32_t place[LAYOUT_SIDES];
    find_place(shape, process, place);
    for (uint32_t i = 0; i < LAYOUT_SIDES; i++) {
        bool between_ends = false;
        place[i] = shape->layout->closed[i] && shape->sides[i] % smaller->sides[i] == 0
                       ? place[i] % smaller->sides[i]
                       : stand_in_at(place[i], shape->sides[i], smaller->sides[i], &between_ends);
        *between |= (uint32_t)between_ends << i;
        if (place[i] == NO_PROCESS)
            return NO_PROCESS;
    }
    return process_at(smaller, place);
}

/* ---- trees ---- */

enum { TREE_PARENT = 1, TREE_CHILD, TREE_OTHER = TREE_CHILD + 2 };

static Direction tree_direction(uint32_t process, uint32_t partner)
{
    if (process && partner == (process - 1) / 2)
        return TREE_PARENT;
    if (partner && process == (partner - 1) / 2)
        return (Direction)(TREE_CHILD + (partner - 1) % 2);
    return TREE_OTHER + (Direction)partner;
}

static uint32_t tree_partner(const Shape *shape, uint32_t process, Direction direction)
{
    uint64_t partner = direction == TREE_PARENT  ? (process ? (process - 1) / 2 : NO_PROCESS)
                       : direction >= TREE_OTHER ? direction - TREE_OTHER
                                                 : 2 * (uint64_t)process + 1 + (direction - TREE_CHILD);
    return partner < shape->p ? (uint32_t)partner : NO_PROCESS;
}

static uint32_t n_children(const Shape *shape, uint32_t process)
{
    uint64_t first = 2 * (uint64_t)process + 1;
    return (first < shape->p) + (first + 1 < shape->p);
}

/* The last process with as many children that is the same child of its parent. */
static uint32_t tree_stand_in(const Shape *shape, uint32_t process, const Shape *smaller)
{
    if (process == 0)
        return n_children(smaller, 0) == n_children(shape, 0) ? 0 : NO_PROCESS;
    for (uint32_t i = smaller->p; i-- > 1;)
        if (i % 2 == process % 2 && n_children(smaller, i) == n_children(shape, process))
            return i;
    for (uint32_t i = smaller->p; i-- > 1;)
        if (n_children(smaller, i) == n_children(shape, process))
            return i;
    return NO_PROCESS;
}

/* ---- all ---- */

Direction shape_direction(const Shape *shape, uint32_t process, uint32_t partner)
{
    switch (shape->layout->kind) {
    case LAYOUT_CUBE:
        return process ^ partner;
    case LAYOUT_TREE:
        return tree_direction(process, partner);
    case LAYOUT_STAR:
        return process == 0 ? DIRECTION_WORKER : partner;
    default:
        return box_direction(shape, process, partner);
    }
}

uint32_t shape_partner(const Shape *shape, uint32_t process, Direction direction)
{
    switch (shape->layout->kind) {
    case LAYOUT_CUBE:
        return (process ^ direction) < shape->p ? (uint32_t)(process ^ direction) : NO_PROCESS;
    case LAYOUT_TREE:
        return tree_partner(shape, process, direction);
    case LAYOUT_STAR:
        return direction < shape->p ? (uint32_t)direction : NO_PROCESS;
    default:
        return box_partner(shape, process, direction);
    }
}

uint32_t shape_stand_in(const Shape *shape, uint32_t process, const Shape *smaller, uint32_t *between)
{
    *between = 0;
    switch (shape->layout->kind) {
    case LAYOUT_CUBE:
        return process % smaller->p;
    case LAYOUT_TREE:
        return tree_stand_in(shape, process, smaller);
    case LAYOUT_STAR:
        if (process == 0)
            return 0;
        return smaller->p > 1 ? 1 + (process - 1) % (smaller->p - 1) : NO_PROCESS;
    default:
        return box_stand_in(shape, process, smaller, between);
    }
}

uint32_t shape_other_end(const Shape *shape, uint32_t process, uint32_t side)
{
    uint32_t place[LAYOUT_SIDES];
    find_place(shape, process, place);
    place[side] = shape->sides[side] - 1 - place[side];
    return process_at(shape, place);
}

uint32_t shape_around(const Shape *shape, uint32_t process, uint32_t partner)
{
    uint32_t from[LAYOUT_SIDES], to[LAYOUT_SIDES], around = 0;
    find_place(shape, process, from);
    find_place(shape, partner, to);
    for (uint32_t i = 0; i < LAYOUT_SIDES; i++) {
        bool leads_on = step_of(shape, i, from[i], to[i]) == (uint64_t)((int64_t)STEP_ZERO + to[i] - from[i]);
        around |= (uint32_t)!leads_on << i;
    }
    return around;
}

bool shape_knows(const Shape *shape, Direction direction)
{
    for (uint32_t i = 0; i < shape->p; i++) {
        uint32_t partner = shape_partner(shape, i, direction);
        if (partner != NO_PROCESS && shape_direction(shape, i, partner) == direction)
            return true;
    }
    return false;
}

bool shape_confuses(const Shape *shape, Direction direction)
{
    if (shape->layout->kind != LAYOUT_BOX)
        return false;
    for (uint32_t i = LAYOUT_SIDES; i-- > 0; direction >>= STEP_BITS)
        if (shape->layout->closed[i] && shape->sides[i] == 2 && (direction & STEP_MASK) != STEP_ZERO)
            return true;
    return false;
}

uint32_t shape_side(const Shape *shape, Direction direction)
{
    uint32_t side = NO_SIDES, n = 0;
    for (uint32_t i = LAYOUT_SIDES; i-- > 0 && shape->layout->kind == LAYOUT_BOX; direction >>= STEP_BITS)
        if ((direction & STEP_MASK) != STEP_ZERO) {
            side = i;
            n++;
        }
    return n == 1 ? side : NO_SIDES;
}

/* ---- communicators ---- */

uint32_t shape_all_sides(const Shape *shape)
{
    return (1u << shape->layout->n_sides) - 1;
}

uint32_t shape_n_members(const Shape *shape, uint32_t sides)
{
    uint32_t n = 1;
    for (uint32_t i = 0; i < LAYOUT_SIDES; i++)
        n *= sides >> i & 1 ? shape->sides[i] : 1;
    return n;
}

uint32_t shape_member(const Shape *shape, uint32_t process, uint32_t sides, uint32_t i)
{
    uint32_t place[LAYOUT_SIDES];
    find_place(shape, process, place);
    for (uint32_t k = LAYOUT_SIDES; k-- > 0;)
        if (sides >> k & 1) {
            place[k] = i % shape->sides[k];
            i /= shape->sides[k];
        }
    return process_at(shape, place);
}

uint32_t shape_member_sides(const Shape *shape, uint32_t process, const uint32_t *members, uint32_t n)
{
    for (uint32_t sides = shape_all_sides(shape); sides != NO_SIDES; sides--) {
        uint32_t i = 0;
        if (shape_n_members(shape, sides) != n)
            continue;
        while (i < n && shape_member(shape, process, sides, i) == members[i])
            i++;
        if (i == n)
            return sides;
    }
    return NO_SIDES;
}
