/* SPDX-License-Identifier: BSD-3-Clause */
/* The search for similar blocks (block_names.h). Similar blocks have the same shapes of entry and
 * exit; blocks with the same shapes are a class. Within a class a block is a point. Its coordinates
 * are each computation time, each volume at the exit, and each volume at the entry. The distinct
 * blocks of a class stand in a tree whose nodes split the points by a coordinate:
 *
 *                time of process 2 <= 310 ns
 *                /                         \
 *        volume 5 <= 4096            { 1, 7, 8, 30 }          a leaf holds a few, the oldest first
 *         /            \
 *    { 0, 2, 3 }    { 4, 9 }
 *
 * A similar block differs by at most the tolerance in each coordinate. So a search enters only the
 * sides that this range reaches. And it enters only subtrees with a block older than the best one
 * found so far.
 *
 * If the times of many processes vary by about the tolerance, nearly all blocks are distinct, and a
 * search enters much of the tree. So the number of steps is limited. Blocks that got their name by
 * an incomplete search are counted. */
#include "signature/phases/block_names.h"

#include <assert.h>
#include <math.h>

enum { LEAF_BLOCKS = 16, SEARCH_STEPS = 1024 };

#define NO_BLOCK UINT32_MAX
#define LEAF UINT32_MAX

typedef struct BlockClass {
    uint32_t root;   /* node */
    uint32_t latest; /* block that was last used as a name, or NO_BLOCK */
} BlockClass;

typedef struct BlockNode {
    uint32_t coordinate;  /* number of the coordinate, or LEAF */
    uint32_t oldest;      /* the oldest block below this node */
    uint32_t children[2]; /* with values <= limit, and above */
    uint32_t first, last; /* of a leaf: its blocks, the oldest first */
    uint32_t n_blocks, n_most;
    double limit;
} BlockNode;

typedef struct Search {
    BlockNames *names;
    const Rows *rows;
    uint32_t entry, exit;
    const float *times;
    uint32_t best; /* the oldest similar block so far, or NO_BLOCK */
    uint32_t n_steps;
} Search;

void block_names_init(BlockNames *names, const PhaseParameters *parameters, double floor_ns)
{
    *names = (BlockNames){.volume_tolerance = parameters->volume_tolerance,
                          .compute_tolerance = parameters->compute_tolerance,
                          .floor_ns = floor_ns};
}

void block_names_free(BlockNames *names)
{
    vec_free(&names->distinct);
    vec_free(&names->times);
    map_free(&names->class_of);
    vec_free(&names->classes);
    vec_free(&names->nodes);
}

static bool is_within(double a, double b, double tolerance, double floor)
{
    return fabs(a - b) <= fmax(tolerance * (a > b ? a : b), floor);
}

static bool volumes_are_within(const Rows *rows, uint32_t a, uint32_t b, double tolerance)
{
    if (a == b)
        return true;
    const uint64_t *left = row_volumes(rows, a), *right = row_volumes(rows, b);
    for (uint32_t i = 0; i < row_shape(rows, a)->n_events; i++)
        if (!is_within((double)left[i], (double)right[i], tolerance, 0))
            return false;
    return true;
}

/* Both blocks must be of one class. */
static bool is_similar(const Search *search, uint32_t candidate)
{
    const BlockNames *names = search->names;
    const DistinctBlock *block = &names->distinct.items[candidate];
    const float *times = names->times.items + block->first_time;
    uint32_t n_times = row_shape(search->rows, search->exit)->n_events;
    for (uint32_t i = 0; i < n_times; i++)
        if (!is_within(times[i], search->times[i], names->compute_tolerance, names->floor_ns))
            return false;
    return volumes_are_within(search->rows, block->exit, search->exit, names->volume_tolerance) &&
           volumes_are_within(search->rows, block->entry, search->entry, names->volume_tolerance);
}

/* One coordinate of a block with these rows and times. */
static double coordinate_of(const Rows *rows, uint32_t entry, uint32_t exit, const float *times, uint32_t coordinate)
{
    uint32_t n_exit = row_shape(rows, exit)->n_events;
    if (coordinate < n_exit)
        return times[coordinate];
    if (coordinate < 2 * n_exit)
        return (double)row_volumes(rows, exit)[coordinate - n_exit];
    return (double)row_volumes(rows, entry)[coordinate - 2 * n_exit];
}

static double coordinate_of_block(const Search *search, uint32_t block, uint32_t coordinate)
{
    const DistinctBlock *distinct = &search->names->distinct.items[block];
    return coordinate_of(search->rows, distinct->entry, distinct->exit,
                         search->names->times.items + distinct->first_time, coordinate);
}

static double own_coordinate(const Search *search, uint32_t coordinate)
{
    return coordinate_of(search->rows, search->entry, search->exit, search->times, coordinate);
}

static void search_leaf(Search *search, const BlockNode *leaf)
{
    for (uint32_t block = leaf->first; block < search->best;
         block = search->names->distinct.items[block].next_in_leaf) {
        search->n_steps++;
        if (is_similar(search, block))
            search->best = block;
    }
}

/* Looks for blocks older than the best one. False: the steps are used up. */
static bool search_node(Search *search, uint32_t number)
{
    const BlockNode *node = &search->names->nodes.items[number];
    if (node->oldest >= search->best)
        return true;
    if (++search->n_steps > SEARCH_STEPS)
        return false;
    if (node->coordinate == LEAF) {
        search_leaf(search, node);
        return true;
    }
    bool is_time = node->coordinate < row_shape(search->rows, search->exit)->n_events;
    double tolerance = is_time ? search->names->compute_tolerance : search->names->volume_tolerance;
    double floor = is_time ? search->names->floor_ns : 0;
    double value = own_coordinate(search, node->coordinate);
    /* A little more than the tolerance, so that rounding excludes no block. The blocks themselves
     * are compared exactly. */
    double reach = (1 - tolerance) * (1 - 1e-9);
    bool enter[2] = {fmin(value * reach, value - floor) <= node->limit,
                     value >= fmin(node->limit * reach, node->limit - floor)};
    const uint32_t *children = node->children;
    int older = search->names->nodes.items[children[1]].oldest < search->names->nodes.items[children[0]].oldest;
    bool whole = !enter[older] || search_node(search, children[older]);
    return (!enter[!older] || search_node(search, children[!older])) && whole;
}

static void append_to_leaf(BlockNames *names, BlockNode *leaf, uint32_t block)
{
    names->distinct.items[block].next_in_leaf = NO_BLOCK;
    if (leaf->n_blocks++)
        names->distinct.items[leaf->last].next_in_leaf = block;
    else
        leaf->first = leaf->oldest = block;
    leaf->last = block;
}

static uint32_t add_leaf(BlockNames *names)
{
    *vec_push(&names->nodes) =
        (BlockNode){.coordinate = LEAF, .oldest = NO_BLOCK, .first = NO_BLOCK, .n_most = LEAF_BLOCKS};
    return (uint32_t)names->nodes.count - 1;
}

/* The coordinate in which the leaf's blocks differ most, by the ratio of the largest value to the
 * smallest. */
static uint32_t widest_coordinate(const Search *search, const BlockNode *leaf, double *ratio)
{
    uint32_t n = 2 * row_shape(search->rows, search->exit)->n_events + row_shape(search->rows, search->entry)->n_events;
    uint32_t widest = 0;
    *ratio = 1;
    for (uint32_t coordinate = 0; coordinate < n; coordinate++) {
        double smallest = INFINITY, largest = 0;
        for (uint32_t block = leaf->first; block != NO_BLOCK;
             block = search->names->distinct.items[block].next_in_leaf) {
            double value = 1 + coordinate_of_block(search, block, coordinate);
            smallest = fmin(smallest, value);
            largest = fmax(largest, value);
        }
        if (largest <= *ratio * smallest)
            continue;
        *ratio = largest / smallest;
        widest = coordinate;
    }
    return widest;
}

static int compare_values(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* A limit in the widest gap between values near their middle. At least one value is at or below it,
 * and at least one above. */
static double choose_limit(double *values, uint32_t n)
{
    qsort(values, n, sizeof *values, compare_values);
    uint32_t best = 0;
    double widest = 0;
    for (uint32_t i = 1; i < n; i++) {
        bool is_central = i >= n / 4 && i <= n - n / 4;
        double gap = (1 + values[i]) / (1 + values[i - 1]) - 1;
        if (!is_central)
            gap *= 1e-6;
        if (values[i] > values[i - 1] && gap > widest) {
            widest = gap;
            best = i - 1;
        }
    }
    double middle = values[best] + (values[best + 1] - values[best]) / 2;
    return middle < values[best + 1] ? middle : values[best];
}

/* Turns the leaf into a node with two leaves. If its blocks don't differ, it stays a leaf and may
 * hold more. */
static void split_leaf(const Search *search, uint32_t number)
{
    BlockNames *names = search->names;
    BlockNode leaf = names->nodes.items[number];
    double ratio;
    uint32_t coordinate = widest_coordinate(search, &leaf, &ratio);
    if (!(ratio > 1)) {
        names->nodes.items[number].n_most *= 2;
        return;
    }
    double *values = memory_resize(NULL, leaf.n_blocks * sizeof *values);
    uint32_t n = 0;
    for (uint32_t block = leaf.first; block != NO_BLOCK; block = names->distinct.items[block].next_in_leaf)
        values[n++] = coordinate_of_block(search, block, coordinate);
    assert(n == leaf.n_blocks);
    double limit = choose_limit(values, n);
    free(values);
    uint32_t children[2];
    for (int side = 0; side < 2; side++)
        children[side] = add_leaf(names);
    for (uint32_t block = leaf.first, next; block != NO_BLOCK; block = next) {
        next = names->distinct.items[block].next_in_leaf;
        bool above = coordinate_of_block(search, block, coordinate) > limit;
        append_to_leaf(names, &names->nodes.items[children[above]], block);
    }
    names->nodes.items[number] = (BlockNode){
        .coordinate = coordinate, .oldest = leaf.oldest, .children = {children[0], children[1]}, .limit = limit};
}

static void add_to_tree(const Search *search, uint32_t root, uint32_t block)
{
    BlockNames *names = search->names;
    uint32_t number = root;
    while (names->nodes.items[number].coordinate != LEAF) {
        const BlockNode *node = &names->nodes.items[number];
        number = node->children[own_coordinate(search, node->coordinate) > node->limit];
    }
    BlockNode *leaf = &names->nodes.items[number];
    append_to_leaf(names, leaf, block);
    if (leaf->n_blocks > leaf->n_most)
        split_leaf(search, number);
}

static BlockClass *find_class(BlockNames *names, uint32_t entry_shape, uint32_t exit_shape)
{
    size_t number = map_number(&names->class_of, (MapKey){entry_shape, exit_shape}, names->classes.count);
    if (number == names->classes.count)
        *vec_push(&names->classes) = (BlockClass){add_leaf(names), NO_BLOCK};
    return &names->classes.items[number];
}

uint32_t block_names_find(BlockNames *names, const Rows *rows, uint32_t entry, uint32_t exit, const float *times)
{
    uint32_t n_times = row_shape(rows, exit)->n_events;
    Search search = {names, rows, entry, exit, times, NO_BLOCK, 0};
    BlockClass *class = find_class(names, rows->rows.items[entry].shape, rows->rows.items[exit].shape);
    if (class->latest != NO_BLOCK && is_similar(&search, class->latest))
        search.best = class->latest;
    if (!search_node(&search, class->root))
        names->n_cut_short++;
    if (search.best == NO_BLOCK) {
        search.best = (uint32_t)names->distinct.count;
        *vec_push(&names->distinct) = (DistinctBlock){entry, exit, NO_BLOCK, names->times.count};
        vec_reserve(&names->times, n_times);
        if (n_times)
            memcpy(names->times.items + names->times.count, times, n_times * sizeof *times);
        names->times.count += n_times;
        add_to_tree(&search, class->root, search.best);
    }
    assert(search.best < names->distinct.count);
    class->latest = search.best;
    return search.best;
}
