/* SPDX-License-Identifier: BSD-3-Clause */
/* How processes are laid out, so that partners are functions of a process's place: lines, grids and boxes, each
 * side open or closed to a ring; hypercubes; binary trees; a first process with workers. The same layout exists for
 * every number of processes. Private to the folder. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { LAYOUT_SIDES = 3 };

typedef enum LayoutKind {
    LAYOUT_BOX,  /* 1 to 3 sides, as of MPI_Dims_create, ranks row by row */
    LAYOUT_CUBE, /* partners differ in some bits of their ranks */
    LAYOUT_TREE, /* process r has the children 2 r + 1 and 2 r + 2 */
    LAYOUT_STAR  /* process 0 and workers */
} LayoutKind;

typedef struct Layout {
    const char *name;
    LayoutKind kind;
    uint32_t n_sides;
    bool closed[LAYOUT_SIDES];
} Layout;

/* From the simplest on. Ends with a NULL name. */
extern const Layout layouts[];

/* A layout of p processes. */
typedef struct Shape {
    const Layout *layout;
    uint32_t p, sides[LAYOUT_SIDES];
} Shape;

Shape shape_of(const Layout *layout, uint32_t p);

/* A partner as seen from a process: equal for processes whose partners lie in the same direction. */
typedef uint64_t Direction;
#define DIRECTION_WORKER (UINT64_C(1) << 62) /* of LAYOUT_STAR: some worker, as seen from process 0 */
#define NO_PROCESS UINT32_MAX

Direction shape_direction(const Shape *shape, uint32_t process, uint32_t partner);

/* The partner in this direction; NO_PROCESS: there is none. */
uint32_t shape_partner(const Shape *shape, uint32_t process, Direction direction);

/* The process of a smaller shape of the same layout that stands for this one: as far from the near ends of each side.
 * Where the smaller shape has only both ends of a side, none stands between them. Then *between has the side's bit, and
 * the process stands at the first end; shape_other_end() is the one at the other end. NO_PROCESS: the smaller one is too
 * small to have such a process. */
uint32_t shape_stand_in(const Shape *shape, uint32_t process, const Shape *smaller, uint32_t *between);
uint32_t shape_other_end(const Shape *shape, uint32_t process, uint32_t side);

/* The closed sides, as bits, around whose ends the way from a process to its partner leads. */
uint32_t shape_around(const Shape *shape, uint32_t process, uint32_t partner);

/* Whether some process of the shape has a partner in this direction, and in no other one. */
bool shape_knows(const Shape *shape, Direction direction);

/* Whether the direction is also another one in this shape: along a closed side of two processes, both lead to the same. */
bool shape_confuses(const Shape *shape, Direction direction);

/* The sides along which members of a process's communicator lie, as bits. NO_SIDES: they don't lie so. members: [n]. */
#define NO_SIDES UINT32_MAX
uint32_t shape_member_sides(const Shape *shape, uint32_t process, const uint32_t *members, uint32_t n);

/* The i-th of the processes along these sides; their number. */
uint32_t shape_member(const Shape *shape, uint32_t process, uint32_t sides, uint32_t i);
uint32_t shape_n_members(const Shape *shape, uint32_t sides);

/* The only side of a box along which the direction leads; NO_SIDES: several, or none. */
uint32_t shape_side(const Shape *shape, Direction direction);

/* All sides of the layout, as bits. */
uint32_t shape_all_sides(const Shape *shape);
