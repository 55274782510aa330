/* SPDX-License-Identifier: BSD-3-Clause */
/* The scan of block_phases.h. Phases stand in a tree by their names. To find the longest phase that
 * starts here, the scan walks down as long as the names agree.
 *
 * A walk can be longer than the phase that it finds, if the names follow a longer phase for a
 * while. With phases of L blocks there must be as many such phases as places where this happens. So
 * all walks together take at most n_blocks^1.5 steps, and n_blocks steps in programs that loop. */
#include "signature/phases/block_phases.h"

#include "base/map.h"
#include "signature/phases/repeats.h"
#include <assert.h>

#define NONE UINT32_MAX

typedef struct TreeNode {
    uint32_t name, child; /* the first child, and the name that leads to it; further children are
                             in the map */
    uint32_t phase;       /* the phase that ends here, or NONE */
} TreeNode;

typedef struct Parse {
    const uint32_t *names;
    uint32_t n_blocks;
    BlockPhases *found;
    VEC(TreeNode) nodes; /* the first is the root */
    Map children;
    Repeats repeats;
    uint32_t *last_seen;  /* [n_names] block + 1 */
    uint32_t distinct_to; /* no name occurs twice in [current block, distinct_to) */
    uint32_t n_taken;     /* places taken out of the repeats */
} Parse;

void block_phases_free(BlockPhases *found)
{
    vec_free(&found->phases);
    vec_free(&found->sequence);
}

static uint32_t find_child(const Parse *parse, uint32_t node, uint32_t name)
{
    const TreeNode *parent = &parse->nodes.items[node];
    if (parent->name == name)
        return parent->child;
    const uint64_t *child = parent->child == NONE ? NULL : map_get(&parse->children, (MapKey){node, name});
    return child ? (uint32_t)*child : NONE;
}

static uint32_t add_child(Parse *parse, uint32_t node, uint32_t name)
{
    uint32_t child = (uint32_t)parse->nodes.count;
    *vec_push(&parse->nodes) = (TreeNode){NONE, NONE, NONE};
    TreeNode *parent = &parse->nodes.items[node];
    if (parent->child == NONE) {
        parent->name = name;
        parent->child = child;
    } else {
        *map_put(&parse->children, (MapKey){node, name}, NULL) = child;
    }
    return child;
}

/* Returns the longest phase that starts at the block, or NONE. *n_blocks: its length, or 0. */
static uint32_t find_known(const Parse *parse, uint32_t block, uint32_t *n_blocks)
{
    uint32_t phase = NONE;
    *n_blocks = 0;
    for (uint32_t i = block, node = 0; i < parse->n_blocks; i++) {
        node = find_child(parse, node, parse->names[i]);
        if (node == NONE)
            break;
        if (parse->nodes.items[node].phase != NONE) {
            phase = parse->nodes.items[node].phase;
            *n_blocks = i + 1 - block;
        }
    }
    return phase;
}

static uint32_t add_phase(Parse *parse, uint32_t block, uint32_t n_blocks)
{
    uint32_t node = 0, phase = (uint32_t)parse->found->phases.count;
    for (uint32_t i = block; i < block + n_blocks; i++) {
        uint32_t child = find_child(parse, node, parse->names[i]);
        node = child != NONE ? child : add_child(parse, node, parse->names[i]);
    }
    parse->nodes.items[node].phase = phase;
    *vec_push(&parse->found->phases) = (BlockPhase){block, n_blocks, 0};
    return phase;
}

/* Returns how many blocks from here on have different names. */
static uint32_t count_distinct(Parse *parse, uint32_t block)
{
    if (parse->distinct_to < block)
        parse->distinct_to = block;
    while (parse->distinct_to < parse->n_blocks) {
        uint32_t *seen = &parse->last_seen[parse->names[parse->distinct_to]];
        if (*seen > block)
            break;
        *seen = ++parse->distinct_to;
    }
    assert(parse->distinct_to >= block);
    return parse->distinct_to - block;
}

static uint32_t count_repeated(Parse *parse, uint32_t block)
{
    for (; parse->n_taken < block; parse->n_taken++)
        repeats_take(&parse->repeats, parse->n_taken);
    parse->n_taken++;
    return repeats_take(&parse->repeats, block);
}

void block_phases_find(const uint32_t *names, uint32_t n_blocks, uint32_t n_names, BlockPhases *found)
{
    Parse parse = {.names = names, .n_blocks = n_blocks, .found = found};
    *vec_push(&parse.nodes) = (TreeNode){NONE, NONE, NONE};
    parse.last_seen = memory_zeroed(n_names, sizeof *parse.last_seen);
    repeats_init(&parse.repeats, names, n_blocks, n_names);
    for (uint32_t block = 0; block < n_blocks;) {
        uint32_t n_distinct = count_distinct(&parse, block), n = count_repeated(&parse, block), n_known;
        n = n < n_distinct ? n : n_distinct;
        uint32_t phase = find_known(&parse, block, &n_known);
        if (n > n_known || !n_known)
            phase = add_phase(&parse, block, n_known = n ? n : 1);
        assert(n_known && n_known <= n_blocks - block);
        found->phases.items[phase].weight++;
        *vec_push(&found->sequence) = phase;
        block += n_known;
    }
    repeats_free(&parse.repeats);
    free(parse.last_seen);
    vec_free(&parse.nodes);
    map_free(&parse.children);
}
