/* SPDX-License-Identifier: BSD-3-Clause */
/* See walk.h. Chances are those of a fixed sequence of numbers, so that a walk is the same each time. */
#include "cost/compiled/walk.h"

#include "base/vec.h"
#include <math.h>

enum { MOST_STEPS = 200000, LONGEST_WAY = 8 };

typedef struct Walker {
    const WalkPlan *plan;
    uint64_t chance;
    double *left; /* [n_loops] trips until the loop ends; below 0: it isn't running */
    VEC(const Instruction *) instructions;
    Walked *walked;
} Walker;

static double next_chance(Walker *walker)
{
    walker->chance = walker->chance * 6364136223846793005U + 1442695040888963407U;
    return (double)(walker->chance >> 11) / 9007199254740992.0;
}

static bool is_inside(const Walker *walker, uint32_t block)
{
    return walker->plan->loop < 0 || walker->plan->function->loops[walker->plan->loop].has[block];
}

static bool leaves(const AssemblyLoop *loop, const BasicBlock *block)
{
    for (size_t i = 0; i < block->n_next; i++)
        if (!loop->has[block->next[i]])
            return true;
    return false;
}

/* A block behind the loop, in what is walked. */
static bool find_exit(Walker *walker, const AssemblyLoop *loop, uint32_t *exit)
{
    const AssemblyFunction *function = walker->plan->function;
    unsigned n = 0;
    for (uint32_t i = 0; i < function->n_blocks; i++)
        for (size_t k = 0; loop->has[i] && k < function->blocks[i].n_next; k++) {
            uint32_t next = function->blocks[i].next[k];
            if (!loop->has[next] && is_inside(walker, next) && next_chance(walker) * ++n < 1)
                *exit = next;
        }
    return n;
}

/* At the head of an inner loop: begins it, counts a trip, or passes it by. */
static bool enter(Walker *walker, int inner, uint32_t from, uint32_t *block, bool *passed)
{
    const AssemblyLoop *loop = &walker->plan->function->loops[inner];
    bool is_back = from != UINT32_MAX && loop->has[from] && walker->left[inner] >= 0;
    *passed = false;
    if (!is_back) {
        double trips = walker->plan->trips[inner], whole = floor(trips);
        double n = trips < 0 ? 0 : whole + (next_chance(walker) < trips - whole);
        if (n <= 0) {
            walker->left[inner] = -1;
            *passed = true;
            return find_exit(walker, loop, block);
        }
        bool tests_first = leaves(loop, &walker->plan->function->blocks[loop->head]) && loop->n_blocks > 1;
        walker->left[inner] = n + tests_first;
        walker->walked->inner[inner] += tests_first ? 0 : 1;
        return true;
    }
    walker->left[inner] = fmax(0, walker->left[inner] - 1);
    walker->walked->inner[inner]++;
    return true;
}

/* The chances of the blocks that may follow. One whose share is smaller than the block's own runs that often; the
 * other one has the rest. */
static double weight(const Walker *walker, uint32_t from, uint32_t next)
{
    double own = walker->plan->share[from];
    return own > 0 ? fmin(1, walker->plan->share[next] / own) : 1;
}

/* The chance that an inner loop runs to whose head alone the way from the block leads; below 0: it leads elsewhere. */
static double chance_of_loop(const Walker *walker, uint32_t from, uint32_t block)
{
    const AssemblyFunction *function = walker->plan->function;
    for (unsigned i = 0; i < LONGEST_WAY && is_inside(walker, block); i++) {
        int inner = assembly_inner_loop(function, walker->plan->loop, block);
        if (inner >= 0 && function->loops[inner].head == block && !function->loops[inner].has[from])
            return walker->plan->trips[inner] < 0 ? 1 : fmin(1, walker->plan->trips[inner]);
        if (inner >= 0 || function->blocks[block].n_next != 1)
            break;
        block = function->blocks[block].next[0];
    }
    return -1;
}

/* Of a test that passes an inner loop by, where it would have no iterations. */
static bool passes_by(const Walker *walker, uint32_t from, const uint32_t *next, double *first, double *second)
{
    double to_first = chance_of_loop(walker, from, next[0]), to_second = chance_of_loop(walker, from, next[1]);
    if (*first < 1 || *second < 1 || (to_first < 0) == (to_second < 0))
        return false;
    *first = to_first >= 0 ? to_first : 1 - to_second;
    *second = 1 - *first;
    return true;
}

static uint32_t choose(Walker *walker, uint32_t from, const uint32_t *next, size_t n)
{
    double sum = 0;
    if (n == 2) {
        double first = weight(walker, from, next[0]), second = weight(walker, from, next[1]);
        if (passes_by(walker, from, next, &first, &second))
            return next[next_chance(walker) >= first];
        if (first < 1 && second >= 1)
            second = 1 - first;
        else if (second < 1 && first >= 1)
            first = 1 - second;
        sum = first + second;
        return next[sum > 0 ? next_chance(walker) * sum >= first : next_chance(walker) >= 0.5];
    }
    return next[(size_t)(next_chance(walker) * (double)n)];
}

/* The next block. Within an inner loop, its trips decide whether a block that may leave it does. */
static bool step(Walker *walker, uint32_t from, uint32_t *to)
{
    const AssemblyFunction *function = walker->plan->function;
    const BasicBlock *block = &function->blocks[from];
    int inner = assembly_inner_loop(function, walker->plan->loop, from);
    const AssemblyLoop *loop = inner >= 0 ? &function->loops[inner] : NULL;
    VEC(uint32_t) next = {0};
    bool may_stay = false, may_leave = false;
    for (size_t i = 0; i < block->n_next; i++) {
        bool is_in = is_inside(walker, block->next[i]);
        may_stay |= is_in && loop && loop->has[block->next[i]];
        may_leave |= is_in && loop && !loop->has[block->next[i]];
    }
    bool wants_out = loop && walker->left[inner] <= 1;
    for (size_t i = 0; i < block->n_next; i++) {
        bool stays = loop && loop->has[block->next[i]];
        if (is_inside(walker, block->next[i]) && (!(may_stay && may_leave) || stays != wants_out))
            *vec_push(&next) = block->next[i];
    }
    bool found = next.count > 0;
    if (found)
        *to = next.count == 1 ? next.items[0] : choose(walker, from, next.items, next.count);
    vec_free(&next);
    for (size_t i = 0; found && i < function->n_loops; i++)
        if (function->loops[i].has[from] && !function->loops[i].has[*to])
            walker->left[i] = -1;
    return found;
}

static uint32_t beginning(const WalkPlan *plan)
{
    return plan->loop < 0 ? 0 : plan->function->loops[plan->loop].head;
}

static bool walk_blocks(Walker *walker, unsigned most_trips, size_t most_instructions)
{
    const WalkPlan *plan = walker->plan;
    const AssemblyFunction *function = plan->function;
    Walked *walked = walker->walked;
    uint32_t block = beginning(plan), from = UINT32_MAX;
    for (unsigned steps = 0; walked->trips < most_trips && walker->instructions.count < most_instructions; steps++) {
        if (steps == MOST_STEPS)
            return false;
        int inner = assembly_inner_loop(function, plan->loop, block);
        bool passed = false;
        uint32_t next = block;
        if (inner >= 0 && function->loops[inner].head == block && !enter(walker, inner, from, &next, &passed))
            return false;
        if (!passed) {
            for (size_t i = 0; i < function->blocks[block].n_instructions; i++)
                *vec_push(&walker->instructions) = &function->blocks[block].instructions[i];
            if (!step(walker, block, &next)) {
                if (plan->loop >= 0)
                    return false;
                next = beginning(plan); /* the function has returned */
            }
        }
        if (next == beginning(plan))
            walked->trips++;
        from = block;
        block = next;
    }
    return walked->trips > 0;
}

bool walk(const WalkPlan *plan, unsigned most_trips, size_t most_instructions, Arena *arena, Walked *walked)
{
    size_t n_loops = plan->function->n_loops;
    Walker walker = {.plan = plan, .chance = 1, .left = arena_new_array(arena, double, n_loops), .walked = walked};
    *walked = (Walked){.function = plan->function, .inner = arena_new_array(arena, double, n_loops)};
    for (size_t i = 0; i < n_loops; i++)
        walker.left[i] = -1;
    bool returns = walk_blocks(&walker, most_trips, most_instructions);
    walked->instructions.count = walker.instructions.count;
    walked->instructions.items = vec_copy(&walker.instructions, arena);
    vec_free(&walker.instructions);
    return returns;
}
