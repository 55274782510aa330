/* SPDX-License-Identifier: BSD-3-Clause */
/* Natural loops: a jump to a block that dominates the jump closes one. A loop may also have a second entry, as gcc makes
 * for data of which a vectorised inner loop does nothing. Then its blocks are those that reach each other within the
 * loop around. */
#include "base/vec.h"
#include "cost/compiled/assembly.h"

enum { UNREACHED = UINT32_MAX };

typedef VEC(AssemblyLoop) Loops;

typedef struct Search {
    const AssemblyFunction *function;
    Arena *arena;
    uint32_t *order;  /* blocks in reverse postorder */
    uint32_t *number; /* of a block in this order; UNREACHED */
    uint32_t *idom;   /* of a block: the nearest block that dominates it */
    size_t n;
} Search;

/* Visits blocks from the entry, without recursion: functions may have very many. What follows without a jump comes
 * first, as the way that the compiler takes for likely. */
static void find_order(Search *search)
{
    const AssemblyFunction *function = search->function;
    uint32_t *stack = arena_new_array(search->arena, uint32_t, function->n_blocks + 1);
    size_t *at = arena_new_array(search->arena, size_t, function->n_blocks + 1), depth = 1, left = function->n_blocks;
    bool *is_seen = arena_new_array(search->arena, bool, function->n_blocks);
    stack[0] = 0;
    is_seen[0] = true;
    while (depth) {
        const BasicBlock *block = &function->blocks[stack[depth - 1]];
        if (at[depth - 1] == block->n_next) {
            search->order[--left] = stack[--depth];
            continue;
        }
        uint32_t next = block->next[block->n_next - ++at[depth - 1]];
        if (is_seen[next])
            continue;
        is_seen[next] = true;
        stack[depth] = next;
        at[depth++] = 0;
    }
    search->order += left;
    search->n = function->n_blocks - left;
    for (size_t i = 0; i < function->n_blocks; i++)
        search->number[i] = UNREACHED;
    for (size_t i = 0; i < search->n; i++)
        search->number[search->order[i]] = (uint32_t)i;
}

static uint32_t common(const Search *search, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (search->number[a] > search->number[b])
            a = search->idom[a];
        while (search->number[b] > search->number[a])
            b = search->idom[b];
    }
    return a;
}

/* Source: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm". */
static void find_dominators(Search *search)
{
    for (size_t i = 0; i < search->function->n_blocks; i++)
        search->idom[i] = UNREACHED;
    search->idom[0] = 0;
    for (bool changes = true; changes;) {
        changes = false;
        for (size_t i = 0; i < search->n; i++) {
            uint32_t from = search->order[i];
            const BasicBlock *block = &search->function->blocks[from];
            for (size_t k = 0; k < block->n_next; k++) {
                uint32_t to = block->next[k];
                uint32_t found = to == 0                           ? 0
                                 : search->idom[to] == UNREACHED   ? from
                                 : search->idom[from] == UNREACHED ? search->idom[to]
                                                                   : common(search, search->idom[to], from);
                changes |= found != search->idom[to];
                search->idom[to] = found;
            }
        }
    }
}

static bool dominates(const Search *search, uint32_t above, uint32_t block)
{
    while (search->number[block] > search->number[above])
        block = search->idom[block];
    return block == above;
}

/* Adds all blocks from which `block` is reached without passing the head. */
static void add_body(const Search *search, AssemblyLoop *loop, uint32_t block)
{
    for (bool grows = true; grows;) {
        grows = false;
        if (!loop->has[block]) {
            loop->has[block] = grows = true;
            loop->n_blocks++;
        }
        for (size_t i = search->n; i-- > 0;) {
            uint32_t from = search->order[i];
            const BasicBlock *at = &search->function->blocks[from];
            for (size_t k = 0; k < at->n_next && !loop->has[from]; k++)
                if (loop->has[at->next[k]] && at->next[k] != loop->head) {
                    loop->has[from] = grows = true;
                    loop->n_blocks++;
                }
        }
    }
}

/* The only block that leads to this one, or the block itself. */
static uint32_t sole_predecessor(const AssemblyFunction *function, uint32_t block)
{
    size_t n = 0;
    uint32_t found = block;
    for (uint32_t i = 0; i < function->n_blocks; i++)
        for (size_t k = 0; k < function->blocks[i].n_next; k++)
            if (function->blocks[i].next[k] == block) {
                found = i;
                n++;
            }
    return n == 1 ? found : block;
}

/* The last instruction, if it's a jump. */
static const Instruction *jump_of(const BasicBlock *block)
{
    const Instruction *last = block->n_instructions ? &block->instructions[block->n_instructions - 1] : NULL;
    return last && *last->text == 'j' ? last : NULL;
}

/* The last instruction of the block from which the head is reached. If that doesn't decide, the jump that leads to this
 * block is what repeats the loop: a compiler may put copies of registers between them. */
static const Instruction *latch_of(const AssemblyFunction *function, uint32_t number)
{
    const BasicBlock *block = &function->blocks[number];
    const Instruction *last = block->n_instructions ? &block->instructions[block->n_instructions - 1] : NULL;
    uint32_t before = block->n_next == 1 ? sole_predecessor(function, number) : number;
    const Instruction *jump = before != number ? jump_of(&function->blocks[before]) : NULL;
    return jump && function->blocks[before].n_next > 1 ? jump : last;
}

static int by_size(const void *a, const void *b)
{
    size_t left = ((const AssemblyLoop *)a)->n_blocks, right = ((const AssemblyLoop *)b)->n_blocks;
    return left < right ? 1 : left > right ? -1 : 0;
}

static AssemblyLoop *loop_with_head(const Search *search, Loops *loops, uint32_t head)
{
    for (size_t i = 0; i < loops->count; i++)
        if (loops->items[i].head == head)
            return &loops->items[i];
    AssemblyLoop *new = vec_push(loops);
    *new = (AssemblyLoop){.head = head,
                          .has = arena_new_array(search->arena, bool, search->function->n_blocks),
                          .n_blocks = 1,
                          .outer = -1};
    new->has[head] = true;
    return new;
}

static void add_natural(const Search *search, Loops *loops, uint32_t from, uint32_t head)
{
    AssemblyLoop *loop = loop_with_head(search, loops, head);
    loop->latch = latch_of(search->function, from);
    add_body(search, loop, from);
}

/* The smallest loop that has both blocks, and of which neither is the head; NULL: none. */
static const AssemblyLoop *loop_around(const Loops *loops, uint32_t a, uint32_t b)
{
    const AssemblyLoop *found = NULL;
    for (size_t i = 0; i < loops->count; i++) {
        const AssemblyLoop *loop = &loops->items[i];
        if (loop->has[a] && loop->has[b] && loop->head != a && loop->head != b &&
            (!found || loop->n_blocks < found->n_blocks))
            found = loop;
    }
    return found;
}

/* Marks the blocks that are reached from the marked ones, or from which these are reached, within a loop (NULL: the
 * function) and without passing its head. */
static void spread(const Search *search, const AssemblyLoop *around, bool forwards, bool *is_marked)
{
    for (bool grows = true; grows;) {
        grows = false;
        for (size_t i = 0; i < search->n; i++) {
            uint32_t from = search->order[i];
            for (size_t k = 0; k < search->function->blocks[from].n_next; k++) {
                uint32_t to = search->function->blocks[from].next[k], source = forwards ? from : to,
                         target = forwards ? to : from;
                bool is_within = !around || (around->has[target] && target != around->head);
                grows |= is_marked[source] && !is_marked[target] && is_within;
                is_marked[target] |= is_marked[source] && is_within;
            }
        }
    }
}

/* The loop with several entries, of which one is the head of this jump. */
static void add_with_entries(const Search *search, Loops *loops, uint32_t from, uint32_t head)
{
    size_t n_blocks = search->function->n_blocks, n = 0;
    const AssemblyLoop *around = loop_around(loops, from, head);
    if (around && around->has_entries)
        return; /* a way through that one */
    bool *behind = arena_new_array(search->arena, bool, n_blocks);
    bool *has = arena_new_array(search->arena, bool, n_blocks);
    behind[head] = has[head] = true;
    spread(search, around, true, behind);
    spread(search, around, false, has);
    for (size_t i = 0; i < n_blocks; i++) {
        has[i] &= behind[i];
        n += has[i];
    }
    for (size_t i = 0; i < loops->count; i++)
        if (loops->items[i].n_blocks == n && loops->items[i].has[from] && loops->items[i].has[head])
            return;
    AssemblyLoop *loop = loop_with_head(search, loops, head);
    *loop = (AssemblyLoop){head, has, true, -1, n, latch_of(search->function, from)};
}

void assembly_find_loops(AssemblyFunction *function, Arena *arena)
{
    size_t n_blocks = function->n_blocks;
    Search search = {.function = function,
                     .arena = arena,
                     .order = arena_new_array(arena, uint32_t, n_blocks),
                     .number = arena_new_array(arena, uint32_t, n_blocks),
                     .idom = arena_new_array(arena, uint32_t, n_blocks)};
    Loops loops = {0};
    find_order(&search);
    find_dominators(&search);
    for (unsigned has_entries = 0; has_entries < 2; has_entries++)
        for (size_t i = 0; i < search.n; i++) {
            const BasicBlock *block = &function->blocks[search.order[i]];
            for (size_t k = 0; k < block->n_next; k++) {
                bool is_natural = dominates(&search, block->next[k], search.order[i]);
                if (is_natural && !has_entries)
                    add_natural(&search, &loops, search.order[i], block->next[k]);
                if (!is_natural && has_entries && search.number[block->next[k]] <= i)
                    add_with_entries(&search, &loops, search.order[i], block->next[k]);
            }
        }
    if (loops.count)
        qsort(loops.items, loops.count, sizeof *loops.items, by_size);
    for (size_t i = 0; i < loops.count; i++)
        for (size_t k = 0; k < i; k++)
            if (loops.items[k].has[loops.items[i].head])
                loops.items[i].outer = (int)k;
    function->n_loops = loops.count;
    function->loops = vec_copy(&loops, arena);
    vec_free(&loops);
}

int assembly_inner_loop(const AssemblyFunction *function, int loop, uint32_t block)
{
    int found = -1;
    for (size_t i = 0; i < function->n_loops; i++) /* outer ones come first */
        if (function->loops[i].has[block] && (int)i != loop &&
            (loop < 0 || function->loops[i].n_blocks < function->loops[loop].n_blocks))
            found = (int)i;
    return found;
}

static bool has_block(const AssemblyFunction *function, int loop, uint32_t block)
{
    return loop < 0 || function->loops[loop].has[block];
}

bool assembly_owns(const AssemblyFunction *function, int loop, uint32_t block)
{
    return has_block(function, loop, block) && assembly_inner_loop(function, loop, block) < 0;
}

const Instruction *assembly_next(InstructionCursor *cursor)
{
    const AssemblyFunction *function = cursor->function;
    for (; cursor->block < function->n_blocks; cursor->block++, cursor->at = 0) {
        const BasicBlock *block = &function->blocks[cursor->block];
        bool is_inside =
            cursor->at || (cursor->without_inner ? assembly_owns : has_block)(function, cursor->loop, cursor->block);
        if (is_inside && cursor->at < block->n_instructions)
            return &block->instructions[cursor->at++];
    }
    return NULL;
}
