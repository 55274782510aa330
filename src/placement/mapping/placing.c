/* SPDX-License-Identifier: BSD-3-Clause */
/* Places tasks where they end first (placing.h). */
#include "placement/mapping/placing.h"

#include <assert.h>

Placing placing_new(const MappingProblem *problem, uint32_t *processors, Arena *arena)
{
    uint32_t n = problem->ttig->n_nodes;
    for (uint32_t i = 0; i < n; i++)
        processors[i] = NOWHERE;
    return (Placing){.problem = problem,
                     .neighbours = neighbours_new(problem->ttig, problem->tasks, arena),
                     .room = room_new(problem->platform, problem->slots_per_processor, arena),
                     .processors = processors,
                     .end_s = arena_new_array(arena, double, n)};
}

/* The estimated end of the task on the processor. It is after the end of what the processor has to
 * do already. For each placed neighbour on another processor, it is also after the neighbour's end,
 * their messages, and the part of the work that can't overlap. */
static double estimate(const Placing *placing, uint32_t task, uint32_t processor)
{
    const Platform *platform = placing->problem->platform;
    const Neighbours *neighbours = &placing->neighbours;
    double work_s = placing->problem->ttig->nodes[task].seconds / platform->processors[processor].speed;
    /* a task that waits leaves the processor to others */
    double end_s = work_s + placing->room.load_s[processor];
    for (uint32_t i = neighbours->first[task]; i < neighbours->first[task + 1]; i++) {
        const Neighbour *neighbour = &neighbours->items[i];
        uint32_t there = placing->processors[neighbour->task];
        if (there == NOWHERE || there == processor)
            continue;
        double after_s = placing->end_s[neighbour->task] + neighbours_cost_s(platform, neighbour, there, processor) +
                         work_s * (1 - neighbour->parallelism);
        if (after_s > end_s)
            end_s = after_s;
    }
    return end_s;
}

typedef struct Best {
    uint32_t processor;
    double end_s;
} Best;

/* Of equal ends, the least loaded processor is better, then the node with the fewest tasks, where
 * neighbours may still find room; likewise the part of a node. */
static bool is_better(const Placing *placing, uint32_t processor, double end_s, const Best *best)
{
    const Room *room = &placing->room;
    const Processor *list = placing->problem->platform->processors;
    if (best->processor == NOWHERE || end_s != best->end_s)
        return best->processor == NOWHERE || end_s < best->end_s;
    if (room->load_s[processor] != room->load_s[best->processor])
        return room->load_s[processor] < room->load_s[best->processor];
    double own = room->held_by_node[list[processor].node_index];
    double other = room->held_by_node[list[best->processor].node_index];
    if (own != other)
        return own < other;
    own = room->held_by_cluster[room->clusters[processor]];
    other = room->held_by_cluster[room->clusters[best->processor]];
    return own != other ? own < other : processor < best->processor;
}

static void consider(const Placing *placing, uint32_t task, uint32_t processor, Best *best)
{
    if (processor == NOWHERE || !room_is_on(&placing->room, processor))
        return;
    double end_s = estimate(placing, task, processor);
    if (is_better(placing, processor, end_s, best))
        *best = (Best){processor, end_s};
}

void placing_place(Placing *placing, uint32_t task)
{
    const Neighbours *neighbours = &placing->neighbours;
    Best best = {.processor = NOWHERE};
    for (uint32_t cluster = 0; cluster < placing->room.n_clusters; cluster++)
        consider(placing, task, room_in_cluster(&placing->room, cluster), &best);
    for (uint32_t i = neighbours->first[task]; i < neighbours->first[task + 1]; i++)
        consider(placing, task, placing->processors[neighbours->items[i].task], &best);
    assert(best.processor != NOWHERE); /* mapping_problem_new() has checked the number of slots */
    placing->processors[task] = best.processor;
    placing->end_s[task] = best.end_s;
    room_take(&placing->room, best.processor, placing->problem->ttig->nodes[task].seconds);
}
